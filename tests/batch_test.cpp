// SPDX-License-Identifier: MIT
#include <toolcontract/batch.hpp>

#include <toolcontract/decode.hpp>
#include <toolcontract/json_schema.hpp>

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "show.hpp"

namespace tc = toolcontract;

namespace {

using Done = tc::Result<std::string>;

tc::ToolError refused() { return tc::conflict("Order A18 was refunded already."); }
tc::ToolError perhaps() {
  return tc::unknown("OUTCOME_UNKNOWN", "The refund of order A19 timed out.")
      .reconcile_with("refunds_get", R"({"id":"op_3"})");
}

}  // namespace

TEST_CASE(
    "batch: each request has its own end in the order of the requests, and what is unknown is named before them") {
  tc::BatchBuilder<std::string> batch;
  batch.add("op_1", Done("rf_1")).add("op_2", Done(refused())).add("op_3", Done(perhaps()));
  const auto whole = std::move(batch).finish();
  REQUIRE(whole);
  CHECK(tc::encode_text(*whole).value() ==
        R"({"status":"partial","requested":3,"succeeded":1,"failed":1,"unknown":["op_3"],"results":[)"
        R"({"request":"op_1","status":"ok","result":"rf_1"},)"
        R"({"request":"op_2","status":"failed","error":{"error_code":"CONFLICT","category":"business",)"
        R"("retryable":false,"resolution":"abort","message":"Order A18 was refunded already."}},)"
        R"({"request":"op_3","status":"unknown","error":{"error_code":"OUTCOME_UNKNOWN","category":"unknown",)"
        R"("retryable":false,"resolution":"reconcile","message":"The refund of order A19 timed out.",)"
        R"("reconcile":{"tool":"refunds_get","arguments":{"id":"op_3"}}}}]})");
}

TEST_CASE("batch: it is ok where every request succeeded, and empty where there was none") {
  tc::BatchBuilder<std::string> batch;
  const auto whole = std::move(batch.add("op_1", Done("rf_1"))).finish();
  CHECK(tc::encode_text(*whole).value() ==
        R"({"status":"ok","requested":1,"succeeded":1,"failed":0,"unknown":[],"results":[)"
        R"({"request":"op_1","status":"ok","result":"rf_1"}]})");
  CHECK(tc::BatchBuilder<std::string>().finish()->status() == tc::PartialStatus::ok);
}

TEST_CASE("batch: where all failed there is one error, unknown where one of them may have happened") {
  tc::BatchBuilder<std::string> batch;
  const auto none = std::move(batch.add("op_2", Done(refused())).add("op_3", Done(perhaps()))).finish();
  REQUIRE_FALSE(none);
  CHECK(none.error().facts() ==
        tc::merge({{"op_2", refused()}, {"op_3", perhaps()}}, "All 2 requests failed.").facts());
  CHECK(none.error().resolution() == tc::Resolution::reconcile);
}

TEST_CASE("batch: unknown is what must be looked up: not a fault that changed nothing, nor what may be repeated") {
  const auto cut_off = tc::unavailable("Order A20 was cut off.").may_have_happened();
  tc::BatchBuilder<std::string> batch;
  batch.add("ok", Done("x"))
      .add("harmless", Done(tc::unknown("INTERNAL_ERROR", "Reading failed.").escalate()))
      .add("repeatable", Done(cut_off))
      .add("used up", Done(cut_off.settled({"", 3, 3, {}})));
  const auto whole = std::move(batch).finish();
  CHECK(whole->unknown() == std::vector<std::string>{"used up"});
  CHECK(whole->failed() == 2);
  CHECK(whole->results()[2].status() == tc::BatchEnd::failed);
  CHECK(whole->results()[2].error()->retryable);
}

TEST_CASE("batch: it is read back as it was written, and promises what it always has") {
  tc::BatchBuilder<std::string> batch;
  const auto whole = std::move(batch.add("op_1", Done("rf_1")).add("op_3", Done(perhaps()))).finish();
  const std::string text = tc::encode_text(*whole).value();
  const auto read = tc::decode<tc::Batch<std::string>>(text);
  REQUIRE(read);
  CHECK(tc::encode_text(*read).value() == text);
  const auto schema = tc::json_schema<tc::Batch<std::string>>(tc::Direction::output);
  CHECK(schema["required"] ==
        nlohmann::ordered_json{"status", "requested", "succeeded", "failed", "unknown", "results"});
  CHECK(schema["properties"]["results"]["items"]["required"] == nlohmann::ordered_json{"request", "status"});
}
