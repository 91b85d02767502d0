// SPDX-License-Identifier: MIT
#include <toolcontract/partial.hpp>

#include <toolcontract/decode.hpp>
#include <toolcontract/toolset.hpp>

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "show.hpp"

namespace tc = toolcontract;
using Json = nlohmann::json;

namespace {

struct Hit {
  std::string title;
  friend bool operator==(const Hit&, const Hit&) = default;
};
constexpr auto tool_schema(tc::type<Hit>) { return tc::object(tc::field<&Hit::title>("title", "A title.")); }

using Hits = tc::Result<std::vector<Hit>>;

std::string written(const tc::Partial<Hit>& partial) { return tc::encode_text(partial).value(); }

tc::ToolError down(const std::string& what) { return tc::unavailable(what + " is down."); }

}  // namespace

TEST_CASE("partial: where every source answers it is ok, and holds the items in the order of the sources") {
  tc::PartialBuilder<Hit> hits;
  hits.add("crm", Hits(std::vector<Hit>{{"a"}, {"b"}}))
      .add("wiki", tc::Result<Hit>(Hit{"c"}))
      .add("mail", Hits(std::vector<Hit>{}));
  CHECK(written(std::move(hits).finish().value()) == R"({"status":"ok","attempted":["crm","wiki","mail"],"failed":[],)"
                                                     R"("items":[{"title":"a"},{"title":"b"},{"title":"c"}]})");
}

TEST_CASE("partial: a source that failed is named with its error, and makes the whole partial") {
  tc::PartialBuilder<Hit> hits;
  hits.add("crm", Hits(std::vector<Hit>{{"a"}}))
      .add("mail", Hits(down("Mail")))
      .add("wiki", tc::Result<Hit>(tc::forbidden("The wiki is private.")));
  CHECK(written(std::move(hits).finish().value()) ==
        R"({"status":"partial","attempted":["crm","mail","wiki"],"failed":[)"
        R"({"source":"mail","error_code":"UPSTREAM_UNAVAILABLE","category":"transient","retryable":true,)"
        R"("resolution":"retry","message":"Mail is down."},)"
        R"({"source":"wiki","error_code":"FORBIDDEN","category":"permission","retryable":false,)"
        R"("resolution":"escalate","message":"The wiki is private."}],"items":[{"title":"a"}]})");
}

TEST_CASE("partial: a source that found nothing has not failed, so one such keeps the whole from being an error") {
  tc::PartialBuilder<Hit> hits;
  const auto partial = std::move(hits.add("crm", Hits(std::vector<Hit>{})).add("mail", down("Mail"))).finish();
  REQUIRE(partial);
  CHECK(partial->status() == tc::PartialStatus::partial);
  CHECK(partial->items().empty());
  CHECK(partial->failed() == std::vector{tc::Failure("mail", down("Mail"))});
  CHECK(tc::PartialBuilder<Hit>().finish()->status() == tc::PartialStatus::ok);
}

TEST_CASE("partial: where all failed there is one error that names each, with nothing dropped") {
  tc::PartialBuilder<Hit> hits;
  const auto none = std::move(hits.add("crm", down("The CRM")).add("mail", tc::forbidden("Mail is private."))).finish();
  REQUIRE_FALSE(none);
  CHECK(none.error().facts() ==
        tc::merge({{"crm", down("The CRM")}, {"mail", tc::forbidden("Mail is private.")}}, "All 2 sources failed.")
            .facts());
  CHECK(none.error().message() == "All 2 sources failed. crm: The CRM is down. mail: Mail is private.");
}

TEST_CASE("partial: what may have happened surfaces first among the failures of a partial success") {
  tc::PartialBuilder<Hit> hits;
  hits.add("crm", down("The CRM")).add("mail", tc::unknown("OUTCOME_UNKNOWN", "The letter may have been sent."));
  const auto partial = std::move(hits.add("wiki", Hits(std::vector<Hit>{}))).finish();
  REQUIRE(partial);
  CHECK(partial->failed()[0].source == "mail");
  CHECK(partial->failed()[1].source == "crm");
  CHECK(partial->attempted() == std::vector<std::string>{"crm", "mail", "wiki"});
}

TEST_CASE("partial: a tool gives one, by its own output schema, and an after hook may trim the items alone") {
  const tc::Toolset tools{tc::tool<Hit, tc::Partial<Hit>>("search")
                              .does("Searches.")
                              .reads()
                              .after([](tc::Partial<Hit>& partial, tc::Call&) { partial.items().resize(1); })
                              .handle([](const Hit& hit) {
                                tc::PartialBuilder<Hit> hits;
                                hits.add("crm", Hits(std::vector<Hit>{hit, hit}));
                                if (hit.title != "all") hits.add("mail", down("Mail"));
                                return std::move(hits).finish();
                              })};
  const tc::Outcome outcome = tools.call("search", R"({"title":"x"})");
  REQUIRE(outcome.ok());
  const auto read = tc::decode<tc::Partial<Hit>>(outcome.text());
  REQUIRE(read);
  CHECK(read->items() == std::vector<Hit>{{"x"}});
  CHECK(read->failed().size() == 1);
  CHECK(written(*read) == outcome.text());
  const Json schema = Json::parse(tools.tools()[0].definition().output_schema);
  CHECK(schema["required"] == Json{"status", "attempted", "failed", "items"});
  CHECK(schema["properties"]["status"]["enum"] == Json{"ok", "partial"});
  CHECK(tools.tools()[0].definition().wrapped_output_schema.empty());
}
