// SPDX-License-Identifier: MIT
/// \file
/// Times contenders in turn, round after round, and compares their medians: what the machine does meanwhile hits all alike.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bench {

/// Nanoseconds one call of `work` takes, over `count` calls. `work` must return true: a wrong answer is no measurement.
template <class Work>
double nanoseconds(const Work& work, std::size_t count) {
  bool right = true;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) right = work() && right;
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  if (!right) {
    std::puts("a contender gave a wrong answer");
    std::exit(1);
  }
  return taken.count() / static_cast<double>(count);
}

inline double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}

/// Ours against one peer: prints both medians and the ratio ours / theirs.
template <class Ours, class Theirs>
double compare(const std::string& what, const std::string& peer, const Ours& ours, const Theirs& theirs,
               std::size_t rounds = 21) {
  const auto calls = [](const auto& work) {  // about 4 ms a round
    return static_cast<std::size_t>((std::max)(1.0, 4e6 / (std::max)(nanoseconds(work, 3), 1.0)));
  };
  const std::size_t our_calls = calls(ours), their_calls = calls(theirs);
  std::vector<double> us, them;
  for (std::size_t round = 0; round < rounds; ++round) {
    us.push_back(nanoseconds(ours, our_calls));
    them.push_back(nanoseconds(theirs, their_calls));
  }
  const double ratio = median(us) / median(them);
  std::printf("%-34s %9.0f ns   %-34s %10.0f ns   ratio %6.3f\n", what.c_str(), median(us), peer.c_str(), median(them),
              ratio);
  return ratio;
}

}  // namespace bench
