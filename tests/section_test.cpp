// SPDX-License-Identifier: MIT
#include <toolcontract/section.hpp>

#include <toolcontract/decode.hpp>
#include <toolcontract/json_schema.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "catch.hpp"
#include "show.hpp"

namespace tc = toolcontract;
using namespace std::chrono_literals;

namespace {

using Price = tc::Result<double>;
using Section = tc::Section<double>;

std::string written(const Section& section) { return tc::encode_text(section).value(); }

tc::ToolError down(const std::string& what) { return tc::unavailable(what + " is down."); }

const std::string exchange_down =
    R"({"source":"exchange","error_code":"UPSTREAM_UNAVAILABLE","category":"transient","retryable":true,)"
    R"("resolution":"retry","message":"The exchange is down."})";

}  // namespace

TEST_CASE("section: the value of its own source is ok, and nobody else is asked") {
  Section price("exchange", Price(1.5));
  price.fallback("mirror", []() -> Price { throw "asked"; }).cache("cache", 9min, 1.4);
  CHECK(written(price) == R"({"status":"ok","source":"primary","source_name":"exchange","failed":[],"value":1.5})");
}

TEST_CASE("section: a fallback's value is degraded, under its own name, with the failure before it") {
  Section price("exchange", Price(down("The exchange")));
  price.fallback("mirror", [] { return 1.4; }).fallback("third", []() -> Price { throw "asked"; });
  CHECK(written(price) == R"({"status":"degraded","source":"fallback","source_name":"mirror","failed":[)" +
                              exchange_down + R"(],"value":1.4})");
}

TEST_CASE("section: a cached value is degraded and says its age, with every failure before it") {
  Section price("exchange", Price(down("The exchange")));
  price.fallback("mirror", []() -> Price { return tc::malformed_upstream("a price", "HTML"); })
      .cache("cache", 9min, 1.3);
  CHECK(price.status() == tc::SectionStatus::degraded);
  CHECK(price.source() == tc::SectionSource::cache);
  CHECK(price.failed().size() == 2);
  CHECK(
      written(price).starts_with(R"({"status":"degraded","source":"cache","source_name":"cache","age_seconds":540,)"));
  Section future("exchange", Price(down("The exchange")));
  CHECK(written(future.cache("cache", -5s, 1.0)).find(R"("age_seconds":0)") != std::string::npos);
}

TEST_CASE("section: without any value it is unavailable, and says why") {
  Section price("exchange", Price(down("The exchange")));
  price.cache("cache", 9min, std::nullopt);
  CHECK(written(price) == R"({"status":"unavailable","failed":[)" + exchange_down + "]}");
  CHECK_FALSE(price.value());
  CHECK_FALSE(price.source());
}

TEST_CASE("section: a no is an answer: no fallback is asked and no cache speaks against it") {
  const std::vector<tc::ToolError> answers = {tc::not_found("There is no ACME."), tc::forbidden("ACME is not yours."),
                                              tc::validation("BAD_SYMBOL", "ACME! is no symbol.")};
  for (const tc::ToolError& answer : answers) {
    Section price("exchange", Price(answer));
    price.fallback("mirror", []() -> Price { throw "asked"; }).cache("cache", 9min, 1.3);
    CHECK(price.status() == tc::SectionStatus::unavailable);
    CHECK(price.failed() == std::vector{tc::Failure("exchange", answer)});
  }
}

TEST_CASE("section: the overall status follows from the sections, and is an error where nothing is there") {
  const Section ok("exchange", Price(1.5));
  const Section gone("exchange", Price(down("The exchange")));
  Section old("exchange", Price(down("The exchange")));
  old.cache("cache", 1s, 1.0);
  const tc::Section<std::string> news("wire", tc::Result<std::string>(tc::forbidden("The wire is private.")));
  CHECK(tc::overall(ok, ok).value() == tc::Overall::ok);
  CHECK(tc::overall(ok, old).value() == tc::Overall::degraded);
  CHECK(tc::overall(old).value() == tc::Overall::degraded);
  CHECK(tc::overall(ok, news).value() == tc::Overall::partial);
  CHECK(tc::overall(gone, old, ok).value() == tc::Overall::partial);
  const auto none = tc::overall(gone, news);
  REQUIRE_FALSE(none);
  CHECK(none.error().facts() ==
        tc::merge({{"exchange", down("The exchange")}, {"wire", tc::forbidden("The wire is private.")}},
                  "Every part of the result is unavailable.")
            .facts());
}

TEST_CASE("section: it is read back as it was written, and promises what it always has") {
  Section price("exchange", Price(down("The exchange")));
  price.cache("cache", 9min, 1.3);
  const auto read = tc::decode<Section>(written(price));
  REQUIRE(read);
  CHECK(written(*read) == written(price));
  CHECK(read->failed() == price.failed());
  const auto schema = tc::json_schema<Section>(tc::Direction::output);
  CHECK(schema["required"] == nlohmann::ordered_json{"status", "failed"});
}
