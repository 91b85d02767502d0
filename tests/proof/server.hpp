// SPDX-License-Identifier: MIT
/// \file
/// The support server as a child process that can be killed, and what it answers to refunds.
///
///     Server server({"support_server", "--ledger", "sqlite:FILE"});
///     server.send(refund_line("op_1"));
///     for (const Answer& answer : server.read_for(10ms)) …
///     server.kill();    // SIGKILL, at once
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace proof {

[[noreturn]] inline void fail(const std::string& why) {
  std::fprintf(stderr, "FAILED: %s\n", why.c_str());
  std::exit(1);
}

inline std::string refund_line(const std::string& key) {
  return nlohmann::json{
             {"jsonrpc", "2.0"},
             {"id", key},
             {"method", "tools/call"},
             {"params",
              {{"name", "refunds_create"},
               {"arguments", {{"order_id", "A18"}, {"operation_id", key}, {"amount_cents", 1}, {"currency", "EUR"}}}}}}
             .dump() +
         "\n";
}

/// What a line said about one key.
struct Answer {
  std::string key;
  std::string refund_id;   ///< "" for a failure
  std::string error_code;  ///< "" for a success
  bool retryable = false;
  bool replayed = false;
};

inline Answer read_answer(const std::string& line) {
  const auto message = nlohmann::json::parse(line, nullptr, false);
  if (message.is_discarded() || !message.contains("result")) fail("the server wrote: " + line);
  Answer answer{message["id"].get<std::string>(), {}, {}, false, false};
  const auto text = nlohmann::json::parse(message["result"]["content"][0]["text"].get<std::string>());
  if (text.contains("error_code")) {
    answer.error_code = text["error_code"].get<std::string>();
    answer.retryable = text["retryable"].get<bool>();
  } else {
    answer.refund_id = text["refund_id"].get<std::string>();
    answer.replayed = text.value("replayed", false);
  }
  return answer;
}

class Server {
 public:
  explicit Server(const std::vector<std::string>& command) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) fail("pipe: " + std::string(std::strerror(errno)));
    pid_ = fork();
    if (pid_ < 0) fail("fork: " + std::string(std::strerror(errno)));
    if (pid_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      std::vector<char*> arguments;
      for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { (void)kill(); }

  /// Does nothing when the server is dead.
  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = write(to_, text.data(), text.size());
      if (written <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  /// The answers that arrive within the time; fewer when the server ends before.
  std::vector<Answer> read_for(std::chrono::microseconds time) {
    std::vector<Answer> answers;
    const auto end = std::chrono::steady_clock::now() + time;
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(end - std::chrono::steady_clock::now());
      if (left.count() <= 0) break;
      pollfd ready{from_, POLLIN, 0};
      const timespec wait{static_cast<time_t>(left.count() / 1'000'000'000),
                          static_cast<long>(left.count() % 1'000'000'000)};
      if (ppoll(&ready, 1, &wait, nullptr) <= 0) break;
      if (!read_some(answers)) break;
      if (time.count() > 1'000'000 && !answers.empty()) break;  // a long wait is for the next answer
    }
    return answers;
  }

  /// SIGKILL; what had been written before is still read.
  std::vector<Answer> kill() {
    std::vector<Answer> answers;
    if (pid_ <= 0) return answers;
    (void)::kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
    ended_by_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    pid_ = 0;
    while (read_some(answers)) continue;
    close(to_);
    close(from_);
    return answers;
  }
  [[nodiscard]] bool alive() const {
    int status = 0;
    return pid_ > 0 && waitpid(pid_, &status, WNOHANG | WNOWAIT) == 0;
  }

 private:
  bool read_some(std::vector<Answer>& answers) {
    char bytes[65536];
    const ssize_t count = read(from_, bytes, sizeof bytes);
    if (count <= 0) return false;
    unread_.append(bytes, static_cast<std::size_t>(count));
    for (std::size_t end; (end = unread_.find('\n')) != unread_.npos; unread_.erase(0, end + 1))
      answers.push_back(read_answer(unread_.substr(0, end)));
    return true;
  }

  pid_t pid_ = 0;
  int to_ = -1, from_ = -1;
  int ended_by_ = 0;
  std::string unread_;
};

}  // namespace proof
