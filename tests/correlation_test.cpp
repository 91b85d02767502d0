// SPDX-License-Identifier: MIT
#include <toolcontract/correlation.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace tc = toolcontract;
using namespace std::chrono_literals;

namespace {

using Time = std::chrono::system_clock::time_point;

constexpr std::string_view alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

Time at(std::int64_t milliseconds) { return Time(std::chrono::milliseconds(milliseconds)); }

/// What an id holds, read back bit by bit: 2 empty bits, 48 of time, 80 random ones.
struct Parts {
  std::uint64_t milliseconds = 0;
  std::uint16_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const Parts&, const Parts&) = default;
};

Parts parts_of(std::string_view id) {
  std::vector<bool> bits;
  for (const char c : id.substr(4))
    for (int bit = 4; bit >= 0; --bit) bits.push_back(((alphabet.find(c) >> bit) & 1U) != 0);
  const auto number = [&](std::size_t from, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = from; i < from + count; ++i) value = value << 1 | static_cast<std::uint64_t>(bits.at(i));
    return value;
  };
  return {number(2, 48), static_cast<std::uint16_t>(number(50, 16)), number(66, 64)};
}

}  // namespace

TEST_CASE("correlation: an id is req_ and the ULID of its bits") {
  // 01ARZ3NDEKTSV4RRFFQ69G5FAV is the example of the ULID specification; as hexadecimal digits it is
  // 01563E3AB5D3 D676 4C61EFB99302BD5B.
  CHECK(tc::correlation_id(at(0x01563E3AB5D3), 0xD676, 0x4C61EFB99302BD5B) == "req_01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

TEST_CASE("correlation: each bit of the random part has one place") {
  const auto id = [](std::uint16_t high, std::uint64_t low) { return tc::correlation_id(at(0), high, low); };
  CHECK(id(0, 0) == "req_00000000000000000000000000");
  CHECK(id(0x8000, 0) == "req_0000000000G000000000000000");
  CHECK(id(0x0001, 0) == "req_0000000000000G000000000000");
  CHECK(id(0, 0x8000000000000000) == "req_00000000000008000000000000");
  CHECK(id(0, 0x1000000000000000) == "req_00000000000001000000000000");
  CHECK(id(0, 0x0800000000000000) == "req_00000000000000G00000000000");
  CHECK(id(0, 1) == "req_00000000000000000000000001");
  CHECK(id(0xFFFF, 0xFFFFFFFFFFFFFFFF) == "req_0000000000ZZZZZZZZZZZZZZZZ");
}

TEST_CASE("correlation: a time before 1970 counts as 1970") {
  CHECK(tc::correlation_id(at(-1), 0, 1) == "req_00000000000000000000000001");
  CHECK(tc::correlation_id((Time::min)(), 0, 1) == "req_00000000000000000000000001");
}

TEST_CASE("correlation: the latest time that fits fills the time part") {
  // system_clock may not reach so far: the time is made of the largest milliseconds it holds.
  const Parts latest = parts_of(tc::correlation_id((Time::max)(), 0, 0));
  const auto held = std::chrono::duration_cast<std::chrono::milliseconds>((Time::max)().time_since_epoch()).count();
  CHECK(latest == Parts{static_cast<std::uint64_t>(held) & 0xFFFFFFFFFFFF, 0, 0});
}

TEST_CASE("correlation: every id has 26 characters of the alphabet and reads back as the bits it was made of") {
  std::mt19937_64 random(20261130);
  for (int i = 0; i < 2'000; ++i) {
    const Parts made{random() >> 20, static_cast<std::uint16_t>(random()), random()};  // 44 bits: until the year 2527
    const Time time = at(static_cast<std::int64_t>(made.milliseconds % 9'000'000'000'000));
    const std::string id = tc::correlation_id(time, made.high, made.low);
    INFO(id);
    REQUIRE(id.size() == 30);
    REQUIRE(id.substr(0, 4) == "req_");
    REQUIRE(id.find_first_not_of(alphabet, 4) == std::string::npos);
    REQUIRE(parts_of(id) == Parts{made.milliseconds % 9'000'000'000'000, made.high, made.low});
  }
}

TEST_CASE("correlation: ids sort as their times do, whatever their random parts") {
  std::mt19937_64 random(7);
  std::vector<std::int64_t> times;
  for (int i = 0; i < 500; ++i) times.push_back(static_cast<std::int64_t>(random() % 9'000'000'000'000));
  times.insert(times.end(), {0, 1, 31, 32, 1023, 1024, 1'469'922'850'259, 1'469'922'850'260});
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::vector<std::string> ids;
  for (const std::int64_t time : times)
    ids.push_back(tc::correlation_id(at(time), static_cast<std::uint16_t>(random()), random()));
  CHECK(std::is_sorted(ids.begin(), ids.end()));
}

TEST_CASE("correlation: a random id carries the time it was asked for") {
  const Parts parts = parts_of(tc::random_correlation_id(at(1'469'922'850'259)));
  CHECK(parts.milliseconds == 1'469'922'850'259);
}

TEST_CASE("correlation: random ids of one millisecond differ, within a thread and between threads") {
  constexpr std::size_t threads = 4, each = 500;
  std::array<std::vector<std::string>, threads> made;
  std::vector<std::thread> running;
  for (auto& ids : made)
    running.emplace_back([&ids] {
      for (std::size_t i = 0; i < each; ++i) ids.push_back(tc::random_correlation_id(at(0)));
    });
  for (std::thread& thread : running) thread.join();
  std::set<std::string> different;
  for (const auto& ids : made) different.insert(ids.begin(), ids.end());
  CHECK(different.size() == threads * each);
}
