// SPDX-License-Identifier: MIT
#include <toolcontract/seal/sodium.hpp>

#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "page_world.hpp"

namespace tc = toolcontract;

namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes)
    for (const int shift : {4, 0}) text += "0123456789abcdef"[(static_cast<unsigned char>(byte) >> shift) & 15];
  return text;
}

std::string key(char filled_with) { return std::string(tc::SodiumSeal::key_bytes, filled_with); }

std::string refused(const std::vector<std::string>& keys) {
  try {
    const tc::SodiumSeal seal(keys);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace

// The expected values are python3's hashlib.blake2b(…, digest_size=32).
TEST_CASE("sodium_digest: is BLAKE2b of 32 bytes, of all bytes there are") {
  CHECK(hex(tc::sodium_digest("")) == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  CHECK(hex(tc::sodium_digest("abc")) == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  CHECK(hex(tc::sodium_digest(std::string(1, '\0'))) ==
        "03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314");
}

TEST_CASE("SodiumSeal: opens what it sealed, in the same context only, and never seals alike twice") {
  const tc::SodiumSeal seal({key('a')});
  for (const std::string& plain :
       {std::string(), std::string("T-1009"), std::string(3, '\0'), std::string(5000, 'x')}) {
    const std::string sealed = seal.seal(plain, "context");
    CHECK(sealed.size() == plain.size() + 40);
    CHECK(seal.open(sealed, "context") == plain);
    CHECK_FALSE(seal.open(sealed, "contexu").has_value());
    CHECK_FALSE(seal.open(sealed, "").has_value());
    CHECK(seal.seal(plain, "context") != sealed);
  }
}

TEST_CASE("SodiumSeal: what was sealed cannot be read") {
  const tc::SodiumSeal seal({key('a')});
  CHECK(seal.seal("T-1009 of ada@example.com", "tickets").find("ada") == std::string::npos);
}

TEST_CASE("SodiumSeal: the first key seals, each of them opens, and a key that is gone opens nothing") {
  const tc::SodiumSeal old({key('a')}), both({key('b'), key('a')}), today({key('b')});
  const std::string before = old.seal("T-1", "c"), after = both.seal("T-2", "c");
  CHECK(both.open(before, "c") == "T-1");
  CHECK(both.open(after, "c") == "T-2");
  CHECK(today.open(after, "c") == "T-2");
  CHECK_FALSE(today.open(before, "c").has_value());
  CHECK_FALSE(old.open(after, "c").has_value());
}

TEST_CASE("SodiumSeal: any other bytes are refused: cut, changed in one bit, or random") {
  const tc::SodiumSeal seal({key('a'), key('b')});
  const std::string sealed = seal.seal("T-1009", "c");
  for (std::size_t cut = 0; cut < sealed.size(); ++cut) CHECK_FALSE(seal.open(sealed.substr(0, cut), "c").has_value());
  for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
    std::string changed = sealed;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    CHECK_FALSE(seal.open(changed, "c").has_value());
  }
  std::mt19937_64 random(20'261'130);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 100, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    CHECK_FALSE(seal.open(bytes, "c").has_value());
  }
}

TEST_CASE("SodiumSeal: a key of another length, and no key at all, are refused with what is wrong") {
  CHECK(refused({key('a'), "short"}) == "toolcontract: a key of a SodiumSeal must have 32 bytes; key 2 has 5");
  CHECK(refused({std::string(33, 'a')}) == "toolcontract: a key of a SodiumSeal must have 32 bytes; key 1 has 33");
  CHECK(refused({}) == "toolcontract: a SodiumSeal needs at least one key");
  CHECK(refused({tc::SodiumSeal::random_key()}) == "not refused");
  CHECK(tc::SodiumSeal::random_key() != tc::SodiumSeal::random_key());
}

TEST_CASE("SodiumSeal: paging through sealed cursors gives every row once") {
  const tc::SodiumSeal seal({key('a'), key('b')});
  for (std::uint64_t seed = 1000; seed < 1030; ++seed) page_world::walk(seed, &seal);
}

TEST_CASE("SodiumSeal: a cursor of a key that has been retired, or tampered with, is refused as any other is") {
  const tc::SodiumSeal old({key('a')}), both({key('b'), key('a')}), today({key('b')});
  const std::vector<page_world::Row> rows{{"r1", "a", {}}, {"r2", "b", {}}, {"r3", "c", {}}};
  const auto call = [&](const tc::Seal& seal, const page_world::Json& arguments) {
    return tc::Toolset(page_world::listing(rows, 512, &seal)).call("rows_list", arguments);
  };
  page_world::Json arguments{{"folder", "inbox"}, {"limit", 1}};
  arguments["cursor"] = page_world::Json::parse(call(old, arguments).text())["next_cursor"];
  CHECK(page_world::Json::parse(call(both, arguments).text())["results"][0]["id"] == "r2");
  CHECK(call(today, arguments).error().code() == "INVALID_CURSOR");
  std::string cursor = arguments["cursor"];
  for (std::size_t at = 0; at < cursor.size(); ++at) {
    std::string changed = cursor;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    arguments["cursor"] = changed;
    CHECK(call(old, arguments).error().code() == "INVALID_CURSOR");
  }
}
