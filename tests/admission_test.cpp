// SPDX-License-Identifier: MIT
#include <toolcontract/admission.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "catch.hpp"
#include "toolcontract/envelope.hpp"
#include "toolcontract/toolset.hpp"
#include "toolcontract/wire/mcp.hpp"

namespace tc = toolcontract;
using namespace std::chrono_literals;

namespace {

struct Pay {
  std::string key;
  std::int32_t amount = 0;
  std::optional<std::string> pin;
};
constexpr auto tool_schema(tc::type<Pay>) {
  return tc::object(tc::field<&Pay::key>("key", "One a payment, e.g. 'k1'."),
                    tc::field<&Pay::amount>("amount", "In cents.", tc::between(1, 1000), tc::default_value(1)),
                    tc::field<&Pay::pin>("pin", "Of the card.", tc::secret()));
}
struct Paid {
  std::string id;
};
constexpr auto tool_schema(tc::type<Paid>) { return tc::object(tc::field<&Paid::id>("id", "Of the payment.")); }

/// What the handler does, set by each test.
using Act = std::function<tc::Result<Paid>(const Pay&, tc::Call&)>;

/// A toolset over one ledger whose time moves only when a test says so.
struct Desk {
  std::chrono::milliseconds now = 1'000'000s;
  int runs = 0;
  int tickets = 0;
  std::vector<tc::Report> reports;
  tc::MemoryLedger ledger{100, [this] { return "token" + std::to_string(++tickets); }};
  tc::MemoryApprovals approvals{100, [this] { return "ticket" + std::to_string(++tickets); }};
  Act act = [](const Pay& in, tc::Call&) { return Paid{"p_" + in.key}; };

  auto builder() { return tc::tool<Pay, Paid>("pay").does("Pays.").destroys(); }
  tc::ToolsetOptions options() {
    tc::ToolsetOptions options;
    options.clock = {[this] { return std::chrono::steady_clock::time_point(now); },
                     [this] { return std::chrono::system_clock::time_point(now); }};
    options.ids = [](std::chrono::system_clock::time_point) { return "req_1"; };
    options.report = [this](const tc::Report& report) noexcept { reports.push_back(report); };
    return options;
  }
  template <class Builder>
  tc::Toolset tools(Builder builder) {
    return tc::Toolset(options(), std::move(builder).handle([this](const Pay& in, tc::Call& call) {
      ++runs;
      return act(in, call);
    }));
  }
};

/// The result's text, or the error as "CODE category/resolution: message".
std::string told(const tc::Outcome& outcome) {
  if (outcome.ok()) return outcome.text();
  const tc::ToolError& error = outcome.error();
  return error.code() + " " + std::string(name(error.category())) + "/" + std::string(name(error.resolution())) + ": " +
         error.message();
}

const std::string paid = R"({"id":"p_k1"})";
const std::string replayed = R"({"id":"p_k1","replayed":true})";
const std::string uncertain =
    "OUTCOME_UNKNOWN unknown/reconcile: An earlier call of pay with the key \"k1\" began and never ended; it may or "
    "may "
    "not have happened. Find out before doing it again under another key.";

}  // namespace

// ---- keys -------------------------------------------------------------------------------------------------------------

TEST_CASE("admission: the same call again gets the stored result and does nothing") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  CHECK(told(tools.call("pay", R"({"key":"k1","amount":5})")) == paid);
  CHECK(told(tools.call("pay", R"({"amount":5.0,"key":"k1"})")) == replayed);
  CHECK(desk.runs == 1);
  REQUIRE(desk.reports.size() == 2);
  CHECK_FALSE(desk.reports[0].replayed);
  CHECK(desk.reports[1].replayed);
}

TEST_CASE("admission: a default sent and a default left out are the same call") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == paid);
  CHECK(told(tools.call("pay", R"({"key":"k1","amount":1})")) == replayed);
}

TEST_CASE("admission: a key with other arguments is a validation error that names the key") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  CHECK(told(tools.call("pay", R"({"key":"k1","amount":5})")) == paid);
  const auto outcome = tools.call("pay", R"({"key":"k1","amount":6})");
  CHECK(told(outcome) ==
        "IDEMPOTENCY_KEY_REUSED validation/fix_input: The key \"k1\" belongs to an earlier call of pay with other "
        "arguments; nothing was done. Send that call's arguments to get its result, or a new key for a new call.");
  CHECK(outcome.error().field_errors() ==
        std::vector<tc::FieldError>{{"key", "rule",
                                     "must be a new key for a call with other arguments, or come with the arguments it "
                                     "was first used with",
                                     "k1"}});
  CHECK(desk.runs == 1);
}

TEST_CASE("admission: another secret is another call") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  CHECK(told(tools.call("pay", R"({"key":"k1","pin":"1234"})")) == paid);
  CHECK(told(tools.call("pay", R"({"key":"k1","pin":"1234"})")) == replayed);
  CHECK(tools.call("pay", R"({"key":"k1","pin":"9999"})").error().code() == "IDEMPOTENCY_KEY_REUSED");
}

TEST_CASE("admission: a key belongs to one principal") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  CHECK(told(tools.call("pay", R"({"key":"k1"})", {.principal = "ada"})) == paid);
  CHECK(told(tools.call("pay", R"({"key":"k1"})", {.principal = "grace"})) == paid);
  CHECK(told(tools.call("pay", R"({"key":"k1"})", {.principal = "ada"})) == replayed);
}

TEST_CASE("admission: while the first call runs, the second one is told to wait") {
  Desk desk;
  std::optional<tc::Outcome> second;
  const tc::Toolset* tools = nullptr;
  desk.act = [&](const Pay& in, tc::Call&) {
    desk.now += 59'700ms;
    second = tools->call("pay", R"({"key":"k1"})");
    return Paid{"p_" + in.key};
  };
  const auto set = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  tools = &set;
  CHECK(told(set.call("pay", R"({"key":"k1"})")) == paid);
  REQUIRE(second);
  CHECK(told(*second) ==
        "CALL_IN_PROGRESS transient/retry: An earlier call of pay with the key \"k1\" is still running; this one did "
        "nothing.");
  CHECK(second->error().facts().retry_after == 300ms);
}

TEST_CASE("admission: a failure that had no effect frees the key") {
  const auto [error, freed] =
      GENERATE(table<tc::ToolError, bool>({{tc::unavailable("The bank is closed."), true},
                                           {tc::validation("BAD_IBAN", "The IBAN is wrong."), true},
                                           {tc::business("NO_FUNDS", "Account A17 is empty."), true},
                                           {tc::forbidden("Only ada may."), true},
                                           {tc::unknown("INTERNAL_ERROR", "It cannot have happened.").escalate(), true},
                                           {tc::unknown("OUTCOME_UNKNOWN", "It may have happened."), false}}));
  Desk desk;
  desk.act = [&, failure = error](const Pay&, tc::Call&) -> tc::Result<Paid> { return failure; };
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  CHECK(tools.call("pay", R"({"key":"k1"})").error().message() == error.message());
  desk.act = [](const Pay& in, tc::Call&) { return Paid{"p_" + in.key}; };
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == (freed ? paid : uncertain));
}

TEST_CASE("admission: an exception keeps the key, since nobody knows what it did") {
  Desk desk;
  desk.act = [](const Pay&, tc::Call&) -> tc::Result<Paid> { throw std::runtime_error("pg://user:pw@host"); };
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  CHECK(tools.call("pay", R"({"key":"k1"})").error().code() == "INTERNAL_ERROR");
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == uncertain);
  CHECK(desk.runs == 1);
}

TEST_CASE("admission: a timeout keeps the key, and the reconcile call is named again") {
  Desk desk;
  desk.act = [](const Pay&, tc::Call& call) -> tc::Result<Paid> { return call.timed_out("The payment k1"); };
  const auto tools =
      desk.tools(desk.builder().once_per(&Pay::key, desk.ledger).reconcile_by("payments_get", &Pay::key));
  CHECK(tools.call("pay", R"({"key":"k1"})").error().resolution() == tc::Resolution::reconcile);
  const auto again = tools.call("pay", R"({"key":"k1"})");
  CHECK(told(again) == uncertain);
  CHECK(again.error().facts().reconcile == tc::ReconcileCall{"payments_get", R"({"key":"k1"})"});
}

TEST_CASE("admission: a business refusal is answered again where the author keeps refusals") {
  Desk desk;
  desk.act = [](const Pay&, tc::Call&) -> tc::Result<Paid> {
    return tc::business("NO_FUNDS", "Account A17 is empty.");
  };
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger, {.keep_refusals = true}));
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == "NO_FUNDS business/abort: Account A17 is empty.");
  const auto again = tools.call("pay", R"({"key":"k1"})", {.attempt = 2});
  CHECK(tc::envelope_text(again.error()) ==
        R"({"error_code":"NO_FUNDS","category":"business","retryable":false,"resolution":"abort",)"
        R"("message":"Account A17 is empty.","field_errors":[],"correlation_id":"req_1","attempt":2,)"
        R"("deadline_ms_remaining":null,"replayed":true})");
  CHECK(desk.runs == 1);
}

TEST_CASE("admission: a lease that ended leaves the key uncertain, and its time to live frees it") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger, {.ttl = 10min, .lease = 1min}));
  auto prepared = tools.prepare("pay", R"({"key":"k1"})");  // and never finished: the process died
  REQUIRE(std::holds_alternative<tc::Invocation>(prepared));
  desk.now += 59s;
  CHECK(tools.call("pay", R"({"key":"k1"})").error().code() == "CALL_IN_PROGRESS");
  desk.now += 1s;
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == uncertain);
  desk.now += 9min;
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == paid);
}

TEST_CASE("admission: a deadline later than the lease lengthens it") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger, {.lease = 1min}));
  const auto deadline = std::chrono::steady_clock::time_point(desk.now + 5min);
  const auto prepared = tools.prepare("pay", R"({"key":"k1"})", {.deadline = deadline});
  REQUIRE(std::holds_alternative<tc::Invocation>(prepared));
  desk.now += 4min;
  CHECK(tools.call("pay", R"({"key":"k1"})").error().code() == "CALL_IN_PROGRESS");
}

TEST_CASE("admission: reconcile decides what a repeat of a dead call gets") {
  Desk desk;
  tc::Reconciled<Paid> answer = tc::cannot_tell;
  std::string asked;
  const auto tools =
      desk.tools(desk.builder().once_per(&Pay::key, desk.ledger).reconcile([&](const std::string& key, tc::Call&) {
        asked = key;
        return answer;
      }));
  CHECK(std::holds_alternative<tc::Invocation>(tools.prepare("pay", R"({"key":"k1"})")));
  desk.now += 1min;

  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == uncertain);
  CHECK(asked == "k1");
  CHECK(desk.runs == 0);
  SECTION("landed: its result, kept from then on") {
    answer = Paid{"p_found"};
    CHECK(told(tools.call("pay", R"({"key":"k1"})")) == R"({"id":"p_found","replayed":true})");
    answer = tc::cannot_tell;
    CHECK(told(tools.call("pay", R"({"key":"k1"})")) == R"({"id":"p_found","replayed":true})");
    CHECK(desk.runs == 0);
  }
  SECTION("never landed: the repeat acts") {
    answer = tc::never_landed;
    CHECK(told(tools.call("pay", R"({"key":"k1"})")) == paid);
    CHECK(told(tools.call("pay", R"({"key":"k1"})")) == replayed);
    CHECK(desk.runs == 1);
  }
}

TEST_CASE("admission: a reconcile that throws cannot tell, and only the report hears why") {
  Desk desk;
  const auto tools = desk.tools(desk.builder()
                                    .once_per(&Pay::key, desk.ledger)
                                    .reconcile([](const std::string&, tc::Call&) -> tc::Reconciled<Paid> {
                                      throw std::runtime_error("db down");
                                    }));
  CHECK(std::holds_alternative<tc::Invocation>(tools.prepare("pay", R"({"key":"k1"})")));
  desk.now += 1min;
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == uncertain);
  REQUIRE(desk.reports.size() == 1);
  CHECK(desk.reports[0].internal == "reconcile failed: db down");
}

TEST_CASE("admission: a call that outlived its lease and was overtaken says that it may have happened twice") {
  Desk desk;
  const tc::Toolset* tools = nullptr;
  std::optional<tc::Outcome> second;
  desk.act = [&](const Pay& in, tc::Call&) {
    if (!second) {
      second = tc::Outcome::success("pay", "", "");
      desk.now += 1min;
      second = tools->call("pay", R"({"key":"k1"})");
    }
    return Paid{"p_" + in.key};
  };
  const auto set = desk.tools(
      desk.builder()
          .once_per(&Pay::key, desk.ledger)
          .reconcile([](const std::string&, tc::Call&) -> tc::Reconciled<Paid> { return tc::never_landed; }));
  tools = &set;
  const auto first = set.call("pay", R"({"key":"k1"})");
  CHECK(told(*second) == paid);
  CHECK(told(first) ==
        "OUTCOME_UNKNOWN unknown/reconcile: The call of pay with the key \"k1\" took longer than its lease and another "
        "one took over; it may have happened twice. Find out before doing it again.");
  CHECK(told(set.call("pay", R"({"key":"k1"})")) == replayed);
}

TEST_CASE("admission: a result too long to keep is given once, and its repeat is told that it landed") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger, {.max_stored_bytes = 12}));
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == paid);
  CHECK(
      told(tools.call("pay", R"({"key":"k1"})")) ==
      "RESULT_UNAVAILABLE unknown/reconcile: An earlier call of pay with the key \"k1\" landed, but its result was too "
      "long to keep. Do not do it again; find out what it did.");
  CHECK(desk.runs == 1);
}

TEST_CASE("admission: a key must be 1 to 255 bytes long") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  const auto call = [&](const std::string& key) { return tools.call("pay", nlohmann::json{{"key", key}}); };
  CHECK(call(std::string(255, 'k')).ok());
  CHECK(told(call(std::string(256, 'k'))) ==
        "INVALID_ARGUMENTS validation/fix_input: The arguments of pay were not accepted. key must be 1 to 255 bytes "
        "long. "
        "Got \"" +
            std::string(120, 'k') + "…\".");
  CHECK(call("").error().field_errors()[0].problem == "must be 1 to 255 bytes long");
}

TEST_CASE("admission: the host's own key serves as well, and a host that gives none is told in the report") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(tc::call_key, desk.ledger));
  CHECK(told(tools.call("pay", R"({"key":"k1"})", {.operation_key = "op"})) == paid);
  CHECK(told(tools.call("pay", R"({"key":"k1"})", {.operation_key = "op"})) == replayed);
  CHECK(tools.call("pay", R"({"key":"k2"})", {.operation_key = "op"}).error().code() == "IDEMPOTENCY_KEY_REUSED");
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) ==
        "INTERNAL_ERROR unknown/escalate: pay failed unexpectedly; nothing was changed.");
  CHECK(desk.reports.back().internal ==
        "the host gave an operation_key of 0 bytes; once_per(call_key, …) needs 1 to 255");
}

TEST_CASE("admission: a result that cannot be written keeps the key") {
  Desk desk;
  desk.act = [](const Pay&, tc::Call&) -> tc::Result<Paid> {
    return tc::unknown("RESULT_UNAVAILABLE", "pay took effect, but its result cannot be given.");
  };
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  CHECK(tools.call("pay", R"({"key":"k1"})").error().code() == "RESULT_UNAVAILABLE");
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == uncertain);
}

// ---- a ledger that fails ---------------------------------------------------------------------------------------------------

namespace {
/// A ledger that cannot be asked, or throws.
struct Broken final : tc::Ledger {
  tc::MemoryLedger inner;
  bool claims = true, throws = false;
  tc::Result<tc::Claim> claim(const tc::ClaimRequest& request) override {
    if (throws) throw std::runtime_error("no ledger");
    if (!claims) return tc::unavailable("The ledger of pay cannot be reached.");
    return inner.claim(request);
  }
  tc::Result<bool> complete(const tc::HeldKey&, const tc::StoredAnswer&,
                            std::chrono::system_clock::time_point) override {
    return tc::unavailable("The ledger of pay cannot be reached.").internal("connection reset");
  }
  tc::Result<bool> release(const tc::HeldKey&) override { throw std::runtime_error("gone"); }
  tc::Result<bool> doubt(const tc::HeldKey&, std::chrono::system_clock::time_point) override { return false; }
};
}  // namespace

TEST_CASE("admission: a ledger that cannot be asked before the handler stops the call") {
  Desk desk;
  Broken ledger;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, ledger));
  ledger.claims = false;
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) ==
        "UPSTREAM_UNAVAILABLE transient/retry: The ledger of pay cannot be reached.");
  ledger.throws = true;
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) ==
        "INTERNAL_ERROR unknown/escalate: pay failed unexpectedly; nothing was changed.");
  CHECK(desk.runs == 0);
}

TEST_CASE("admission: a ledger that fails after the handler costs no result, and nothing is done twice") {
  Desk desk;
  Broken ledger;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, ledger));
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == paid);
  CHECK(desk.reports.back().internal ==
        "the ledger did not keep how the call ended: The ledger of pay cannot be reached. connection reset");
  CHECK(tools.call("pay", R"({"key":"k1"})").error().code() == "CALL_IN_PROGRESS");
  desk.now += 1min;
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == uncertain);
  CHECK(desk.runs == 1);
}

// ---- consent ------------------------------------------------------------------------------------------------------------------

namespace {
auto asks(Desk& desk) {
  return desk.builder().needs_approval(desk.approvals,
                                       [](const Pay& in) { return "Pay " + std::to_string(in.amount) + " cents"; });
}
}  // namespace

TEST_CASE("admission: a call that needs consent says what would happen and how to go on") {
  Desk desk;
  const auto tools = desk.tools(asks(desk));
  const auto outcome = tools.call("pay", R"({"key":"k1","amount":5})");
  CHECK(
      tc::envelope_text(outcome.error()) ==
      R"({"error_code":"CONFIRMATION_REQUIRED","category":"permission","retryable":false,"resolution":"escalate",)"
      R"("message":"A person has to agree before this call of pay may act.","field_errors":[],)"
      R"("correlation_id":"req_1","attempt":1,"deadline_ms_remaining":null,"needs_confirmation":true,)"
      R"("preview":"Pay 5 cents","how_to_proceed":"Nothing has been done. Ask the person; once they have agreed, send )"
      R"(the same call again with the same arguments.","ticket":"ticket1"})");
  CHECK(desk.runs == 0);
}

TEST_CASE("admission: a granted ticket lets its call run once, handed back or found") {
  const bool handed_back = GENERATE(true, false);
  Desk desk;
  const auto tools = desk.tools(asks(desk));
  const std::string arguments = R"({"key":"k1","amount":5})";
  const auto now = [&] { return std::chrono::system_clock::time_point(desk.now); };
  const auto repeat = [&] { return tools.call("pay", arguments, {.ticket = handed_back ? "ticket1" : ""}); };
  CHECK(tools.call("pay", arguments).error().code() == "CONFIRMATION_REQUIRED");
  CHECK(repeat().error().facts().confirmation->ticket == "ticket1");  // not answered yet: the same ticket
  CHECK(desk.approvals.grant("ticket1", now()).value() == tc::Decision::recorded);
  CHECK(told(repeat()) == paid);
  CHECK(desk.runs == 1);
  const auto third = repeat();
  if (handed_back)
    CHECK(told(third) ==
          "CONFIRMATION_USED permission/escalate: The consent to this call of pay has been used; it counts once. Send "
          "the "
          "call again to ask anew.");
  else
    CHECK(third.error().facts().confirmation->ticket == "ticket2");
  CHECK(desk.runs == 1);
}

TEST_CASE("admission: changed arguments, another caller, an expired and a denied ticket each have their own error") {
  Desk desk;
  const auto tools = desk.tools(asks(desk));
  const auto now = [&] { return std::chrono::system_clock::time_point(desk.now); };
  const tc::Call with_ticket{.ticket = "ticket1"};
  CHECK(tools.call("pay", R"({"key":"k1","amount":5})").error().code() == "CONFIRMATION_REQUIRED");
  SECTION("changed") {
    REQUIRE(desk.approvals.grant("ticket1", now()).value() == tc::Decision::recorded);
    CHECK(
        told(tools.call("pay", R"({"key":"k1","amount":6})", with_ticket)) ==
        "CONFIRMATION_MISMATCH permission/escalate: The consent given is not for this call of pay: tool and arguments "
        "must be exactly those a person has seen.");
    CHECK(tools.call("pay", R"({"key":"k1","amount":5})", {.principal = "eve", .ticket = "ticket1"}).error().code() ==
          "CONFIRMATION_MISMATCH");
    CHECK(tools.call("pay", R"({"key":"k1","amount":5})", {.ticket = "ticket9"}).error().code() ==
          "CONFIRMATION_MISMATCH");
  }
  SECTION("expired") {
    REQUIRE(desk.approvals.grant("ticket1", now()).value() == tc::Decision::recorded);
    desk.now += 15min;
    CHECK(
        told(tools.call("pay", R"({"key":"k1","amount":5})", with_ticket)) ==
        "CONFIRMATION_EXPIRED permission/escalate: The consent to this call of pay was not given or not used in time; "
        "nothing was done. Send the call again to ask anew.");
    CHECK(desk.approvals.grant("ticket1", now()).value() == tc::Decision::already_decided);
  }
  SECTION("denied") {
    REQUIRE(desk.approvals.deny("ticket1", now()).value() == tc::Decision::recorded);
    CHECK(told(tools.call("pay", R"({"key":"k1","amount":5})", with_ticket)) ==
          "CONFIRMATION_DENIED permission/abort: A person was asked about this call of pay and said no.");
    CHECK(tools.call("pay", R"({"key":"k1","amount":5})").error().code() == "CONFIRMATION_DENIED");
    CHECK(desk.approvals.grant("ticket1", now()).value() == tc::Decision::already_decided);
  }
  CHECK(desk.runs == 0);
}

TEST_CASE("admission: the preview is the policy: without one, nobody is asked") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().needs_approval(desk.approvals, [](const Pay& in) {
    return in.amount > 50 ? std::optional("Pay " + std::to_string(in.amount)) : std::nullopt;
  }));
  CHECK(told(tools.call("pay", R"({"key":"k1","amount":50})")) == paid);
  CHECK(tools.call("pay", R"({"key":"k1","amount":51})").error().facts().confirmation->preview == "Pay 51");
}

TEST_CASE("admission: a repeat of an approved call is answered from the ledger and asks nobody") {
  Desk desk;
  const auto tools = desk.tools(asks(desk).once_per(&Pay::key, desk.ledger));
  const std::string arguments = R"({"key":"k1","amount":5})";
  const auto asked = tools.call("pay", arguments);
  const std::string ticket = asked.error().facts().confirmation->ticket;
  REQUIRE(desk.approvals.grant(ticket, std::chrono::system_clock::time_point(desk.now)).value() ==
          tc::Decision::recorded);
  CHECK(told(tools.call("pay", arguments, {.ticket = ticket})) == paid);
  CHECK(told(tools.call("pay", arguments, {.ticket = ticket})) == replayed);
  CHECK(told(tools.call("pay", arguments)) == replayed);
  CHECK(desk.runs == 1);
}

TEST_CASE("admission: a preview that throws stops the call, and its text stays in the report") {
  Desk desk;
  const auto tools = desk.tools(
      desk.builder().once_per(&Pay::key, desk.ledger).needs_approval(desk.approvals, [](const Pay&) -> std::string {
        throw std::runtime_error("template missing");
      }));
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) ==
        "INTERNAL_ERROR unknown/escalate: pay failed unexpectedly; nothing was changed.");
  CHECK(desk.reports.back().exception == "template missing");
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) != uncertain);  // nothing had begun, so the key is free
}

// ---- the definition -------------------------------------------------------------------------------------------------------------

TEST_CASE("admission: a keyed tool is idempotent and says so, and its schema knows replayed") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  const tc::Definition& definition = tools.find("pay")->definition();
  CHECK(definition.idempotent);
  CHECK(definition.output_schema ==
        R"({"type":"object","properties":{"id":{"type":"string","description":"Of the payment."},"replayed":)"
        R"({"type":"boolean","description":"True: this call was made before; its stored result, nothing done."}},)"
        R"("required":["id"],"additionalProperties":false})");
  const auto listed = tc::mcp::tool(tc::mcp::Revision::v2025_11_25, definition);
  CHECK(listed["annotations"]["idempotentHint"] == true);
}

TEST_CASE("admission: an upstream that deduplicates lets an unanswered write be sent again") {
  Desk desk;
  desk.act = [](const Pay&, tc::Call& call) -> tc::Result<Paid> { return call.timed_out("The payment k1"); };
  const auto tools = desk.tools(desk.builder().upstream_deduplicates(&Pay::key));
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) ==
        "TIMED_OUT transient/retry: The payment k1 timed out; the same call may be repeated, it takes effect once.");
  CHECK(tools.find("pay")->definition().idempotent);
}

TEST_CASE("admission: where the upstream deduplicates too, an unanswered call frees its key for the repeat") {
  Desk desk;
  desk.act = [](const Pay&, tc::Call& call) -> tc::Result<Paid> { return call.timed_out("The payment k1"); };
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger).upstream_deduplicates(&Pay::key));
  CHECK(tools.call("pay", R"({"key":"k1"})").error().code() == "TIMED_OUT");
  desk.act = [](const Pay& in, tc::Call&) { return Paid{"p_" + in.key}; };
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == paid);
}

TEST_CASE("admission: a transient error that may have happened keeps the key") {
  Desk desk;
  desk.act = [](const Pay&, tc::Call&) -> tc::Result<Paid> {
    return tc::unavailable("The bank did not answer.").may_have_happened();
  };
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger));
  CHECK(tools.call("pay", R"({"key":"k1"})").error().code() == "UPSTREAM_UNAVAILABLE");
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == uncertain);
}

TEST_CASE("admission: a definition that cannot keep its promise is refused when it is built") {
  Desk desk;
  const auto why = [&](auto builder) -> std::string {
    try {
      (void)desk.tools(std::move(builder));
      return "built";
    } catch (const tc::DefinitionError& error) {
      return error.what();
    }
  };
  const auto anything = [](const std::string&, tc::Call&) -> tc::Reconciled<Paid> { return tc::cannot_tell; };
  CHECK(why(desk.builder().reads().once_per(&Pay::key, desk.ledger)) ==
        "toolcontract: tool pay: once_per is for writes; a read may simply be repeated");
  CHECK(why(desk.builder().reconcile(anything)) ==
        "toolcontract: tool pay: reconcile(…) needs once_per(…), whose key it looks up");
  CHECK(why(desk.builder().once_per(&Pay::key, desk.ledger, {.joined = true}).reconcile(anything)) ==
        "toolcontract: tool pay: a joined ledger knows what landed; leave reconcile(…) out");
  CHECK(why(desk.builder().once_per(&Pay::key, desk.ledger, {.ttl = 1min, .lease = 1min})) ==
        "toolcontract: tool pay: once_per needs a lease above zero and a ttl longer than it");
  CHECK(why(desk.builder().needs_approval(
            desk.approvals, [](const Pay&) { return "?"; }, 0s)) ==
        "toolcontract: tool pay: needs_approval needs a time to live above zero and of ten years at most");
}

// ---- joined ------------------------------------------------------------------------------------------------------------------------

TEST_CASE("admission: a joined call that died left nothing behind, so its key is free once its lease has ended") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger, {.joined = true}));
  desk.act = [](const Pay& in, tc::Call& call) {
    call.held->stored = paid;  // what a store's complete_in does inside the caller's transaction
    return Paid{"p_" + in.key};
  };
  CHECK(std::holds_alternative<tc::Invocation>(tools.prepare("pay", R"({"key":"k1"})")));
  CHECK(tools.call("pay", R"({"key":"k1"})").error().code() == "CALL_IN_PROGRESS");
  desk.now += 1min;
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == paid);
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == replayed);
}

TEST_CASE("admission: a handler that declares a joined ledger and does not use it is told, and does nothing twice") {
  Desk desk;
  const auto tools = desk.tools(desk.builder().once_per(&Pay::key, desk.ledger, {.joined = true}));
  CHECK(tools.call("pay", R"({"key":"k1"})").error().code() == "RESULT_UNAVAILABLE");
  CHECK(desk.reports.back().internal ==
        "once_per(…, {.joined = true}), and the handler did not store its result with complete_in");
  desk.now += 1min;
  CHECK(told(tools.call("pay", R"({"key":"k1"})")) == replayed);
  CHECK(desk.runs == 1);
}
