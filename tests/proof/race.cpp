// SPDX-License-Identifier: MIT
// Two servers on one database, racing on the same keys: each key acts once.
//
//   race SERVER LEDGER KEYS
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "refunds.hpp"
#include "server.hpp"

int main(int argc, char** argv) {
  using namespace std::chrono_literals;
  if (argc != 4) {
    std::fputs("usage: race SERVER LEDGER KEYS\n", stderr);
    return 2;
  }
  (void)std::signal(SIGPIPE, SIG_IGN);
  const std::string ledger = proof::ledger_named(argv[2]);
  const std::size_t keys = std::strtoul(argv[3], nullptr, 10);
  const std::vector<std::string> command = {argv[1], "--ledger", ledger};
  proof::Server servers[2] = {proof::Server(command), proof::Server(command)};

  const std::string prefix = "race" + std::to_string(getpid()) + "_";  // the database may know other runs
  std::map<std::string, std::string> answered;
  std::map<std::string, std::size_t> seen;
  std::size_t calls = 0;
  constexpr std::size_t window = 50;
  for (std::size_t from = 0; from < keys; from += window) {
    std::multiset<std::string> open[2];
    for (std::size_t i = from; i < from + window && i < keys; ++i)
      for (auto& keys_of : open) keys_of.insert(prefix + std::to_string(i));
    for (int s : {0, 1}) {  // one from the front, one from the back half: they meet all the time
      std::string batch;
      for (const std::string& key : open[s]) batch += proof::refund_line(key);
      servers[s].send(batch);
      calls += open[s].size();
    }
    for (int s : {0, 1})
      while (!open[s].empty()) {
        const auto answers = servers[s].read_for(20s);
        if (answers.empty()) proof::fail("a server is silent");
        for (const proof::Answer& answer : answers) {
          ++seen[!answer.error_code.empty() ? answer.error_code : answer.replayed ? "replayed" : "made"];
          if (answer.error_code.empty()) {
            const auto [known, added] = answered.emplace(answer.key, answer.refund_id);
            if (!added && known->second != answer.refund_id) proof::fail(answer.key + " has two answers");
            open[s].erase(answer.key);
          } else if (answer.retryable) {
            servers[s].send(proof::refund_line(answer.key));
            ++calls;
          } else {
            proof::fail(answer.key + " ended as " + answer.error_code);
          }
        }
      }
  }
  proof::count(proof::refunds_in(ledger, prefix), answered);
  std::printf("%zu calls by two servers, %zu keys: every one has exactly one refund\n", calls, answered.size());
  for (const auto& [kind, times] : seen) std::printf("  %8zu  %s\n", times, kind.c_str());
}
