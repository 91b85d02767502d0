// SPDX-License-Identifier: MIT
// A write with a key happens once, whatever dies when.
//
//   kill SERVER LEDGER KILLS [SEED]      LEDGER as the support server takes it: sqlite:FILE, postgres:CONNINFO
//
// Starts the server, sends refunds, kills it with SIGKILL at a random moment (every fifth time it kills itself at one of the
// steps of a write), starts it again, sends every unanswered key again, and so on. At the end every key is sent until it is
// answered; then the database is counted: every key exactly one refund, every answer the refund that is there.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "refunds.hpp"
#include "server.hpp"

namespace {

using namespace std::chrono_literals;

const std::vector<std::string> steps = {"received", "claimed", "written", "stored", "committed", "replying"};

struct Proof {
  std::map<std::string, std::string> answered;
  std::set<std::string> open;
  std::map<std::string, std::size_t> seen;  // what the server said, by kind
  std::size_t made = 0;
  const std::string prefix = "kill" + std::to_string(getpid()) + "_";  // the database may know other runs

  /// A key nobody has used.
  const std::string& next() { return *open.insert(prefix + std::to_string(++made)).first; }

  void take(const std::vector<proof::Answer>& answers) {
    for (const proof::Answer& answer : answers) {
      if (answer.error_code.empty()) {
        ++seen[answer.replayed ? "replayed" : "made"];
        const auto [known, added] = answered.emplace(answer.key, answer.refund_id);
        if (!added && known->second != answer.refund_id)
          proof::fail(answer.key + " was answered with " + known->second + " and with " + answer.refund_id);
        open.erase(answer.key);
      } else {
        ++seen[answer.error_code];
        if (!answer.retryable) proof::fail(answer.key + " ended as " + answer.error_code);
      }
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: kill SERVER LEDGER KILLS [SEED]\n", stderr);
    return 2;
  }
  (void)std::signal(SIGPIPE, SIG_IGN);
  const std::string ledger = proof::ledger_named(argv[2]);
  const std::size_t kills = std::strtoul(argv[3], nullptr, 10);
  const auto seed = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 1UL;
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::vector<std::string> command = {argv[1], "--ledger", ledger, "--lease-ms", "30"};

  Proof proof;
  std::size_t without_answer = 0, between_answers = 0;
  auto first = 2'000us, last = 10'000us;  // when the first and the last answer of a batch came, where it was let finish
  for (std::size_t round = 0; round < kills; ++round) {
    auto with_trouble = command;
    const bool at_step = round % 5 == 4, to_the_end = round % 10 == 0;
    if (at_step) with_trouble.insert(with_trouble.end(), {"--crash-at", steps[(round / 5) % steps.size()]});
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
      return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
    };
    proof::Server server(with_trouble);
    std::string batch;
    std::size_t sent = 0, heard = 0;
    for (auto key = proof.open.begin(); key != proof.open.end() && sent < 4; ++key, ++sent)
      batch += proof::refund_line(*key);
    for (; sent < 8; ++sent) batch += proof::refund_line(proof.next());
    server.send(batch);
    const auto listen = [&](std::chrono::microseconds time) {
      const auto answers = server.read_for(time);
      proof.take(answers);
      heard += answers.size();
      return !answers.empty();
    };
    if (at_step || to_the_end) {
      if (listen(5s) && to_the_end) first = elapsed();
      while (heard < sent && listen(5s)) continue;
      if (to_the_end) last = elapsed();
    } else {
      const auto span = static_cast<std::size_t>((last - first / 2).count() + 1);
      (void)listen(first / 2 + std::chrono::microseconds(below(span)));
    }
    const auto late = server.kill();
    proof.take(late);
    heard += late.size();
    if (heard == 0) ++without_answer;
    if (heard > 0 && heard < sent) ++between_answers;
  }

  std::size_t rounds = 0;
  while (!proof.open.empty()) {
    if (++rounds > 10'000) proof::fail(std::to_string(proof.open.size()) + " keys stay unanswered");
    proof::Server server(command);
    std::string batch;
    std::size_t sent = 0, heard = 0;  // few enough for the pipes, which nobody empties meanwhile
    for (auto key = proof.open.begin(); key != proof.open.end() && sent < 100; ++key, ++sent)
      batch += proof::refund_line(*key);
    server.send(batch);
    while (heard < sent) {
      const auto answers = server.read_for(10s);
      if (answers.empty()) proof::fail("the server is silent");
      proof.take(answers);
      heard += answers.size();
    }
  }
  proof::count(proof::refunds_in(ledger, proof.prefix), proof.answered);
  std::printf("%zu kills (seed %lu; %zu before the first answer, %zu between two)\n", kills, seed, without_answer,
              between_answers);
  std::printf("%zu keys: every one has exactly one refund, and every answer names it\n", proof.answered.size());
  for (const auto& [kind, times] : proof.seen) std::printf("  %8zu  %s\n", times, kind.c_str());
}
