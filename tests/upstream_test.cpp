// SPDX-License-Identifier: MIT
#include <toolcontract/upstream.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <chrono>
#include <exception>
#include <ios>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tc = toolcontract;
using namespace std::chrono_literals;
using tc::Category;
using tc::Effect;
using tc::Phase;
using tc::Resolution;
using tc::UpstreamRequest;

namespace {

const std::chrono::system_clock::time_point now(1'000'000s);

tc::ToolError of_status(const UpstreamRequest& request, int status, std::string_view retry_after = {},
                        std::string_view body = {}) {
  return tc::upstream_error(request, tc::HttpReply{status, std::string(retry_after), std::string(body)}, now);
}

UpstreamRequest read_request() { return {.subject = "Looking up order A17", .effect = Effect::reads}; }
UpstreamRequest write_request() { return {.subject = "The refund of order A17", .effect = Effect::destroys}; }
UpstreamRequest keyed_request() {
  return {.subject = "The refund of order A17", .effect = Effect::destroys, .upstream_deduplicates = true};
}

/// What can follow from a failure, by one letter each.
struct Meaning {
  const char* code;
  Category category;
  Resolution resolution;
};
const std::map<char, Meaning> meanings = {
    {'R', {"RATE_LIMITED", Category::transient, Resolution::retry}},
    {'U', {"UPSTREAM_UNAVAILABLE", Category::transient, Resolution::retry}},
    {'T', {"TIMED_OUT", Category::transient, Resolution::retry}},
    {'C', {"CANCELLED", Category::transient, Resolution::retry}},
    {'v', {"INVALID_ARGUMENTS", Category::validation, Resolution::fix_input}},
    {'m', {"MALFORMED_UPSTREAM", Category::validation, Resolution::escalate}},
    {'n', {"NOT_FOUND", Category::business, Resolution::abort}},
    {'c', {"CONFLICT", Category::business, Resolution::abort}},
    {'a', {"NOT_AUTHENTICATED", Category::permission, Resolution::escalate}},
    {'f', {"FORBIDDEN", Category::permission, Resolution::escalate}},
    {'i', {"INTERNAL_ERROR", Category::unknown, Resolution::escalate}},
    {'I', {"INTERNAL_ERROR", Category::unknown, Resolution::reconcile}},
    {'?', {"OUTCOME_UNKNOWN", Category::unknown, Resolution::reconcile}},
    {'!', {"RESULT_UNAVAILABLE", Category::unknown, Resolution::reconcile}},
};

std::string told(const tc::ToolError& error) {
  return error.code() + " " + std::string(name(error.category())) + " " + std::string(name(error.resolution()));
}
std::string told(char letter) {
  const Meaning& meaning = meanings.at(letter);
  return std::string(meaning.code) + " " + std::string(name(meaning.category)) + " " +
         std::string(name(meaning.resolution));
}

/// From which status on (until the next row) which meaning: nothing can have happened, it may have, it may have and the
/// upstream deduplicates; first without a Retry-After, then with one.
struct Row {
  int from;
  const char* without;
  const char* with;
};
const Row statuses[] = {
    {100, "m??", "m??"}, {200, "m!!", "m!!"}, {300, "m??", "m??"},  // no final answer, done, elsewhere
    {400, "vvv", "vvv"}, {401, "aaa", "aaa"}, {402, "fff", "fff"}, {403, "fff", "fff"}, {404, "nnn", "nnn"},
    {405, "iii", "iii"}, {406, "m??", "m??"}, {407, "aaa", "aaa"}, {408, "T?T", "T?T"}, {409, "ccc", "ccc"},
    {410, "nnn", "nnn"}, {411, "iii", "iii"}, {412, "ccc", "ccc"}, {413, "vvv", "UUU"}, {414, "vvv", "vvv"},
    {415, "iii", "iii"},  // and 416, 417, 418
    {419, "m??", "m??"},  // and 420: not registered
    {421, "iii", "iii"}, {422, "vvv", "vvv"}, {423, "ccc", "ccc"}, {424, "iii", "iii"}, {425, "UUU", "UUU"},
    {426, "iii", "iii"}, {427, "m??", "m??"}, {428, "iii", "iii"}, {429, "RRR", "RRR"}, {430, "m??", "m??"},
    {431, "iii", "iii"}, {432, "m??", "m??"}, {451, "fff", "fff"}, {452, "m??", "m??"}, {499, "T?T", "T?T"},
    {500, "U?U", "U?U"}, {501, "iii", "iii"}, {502, "U?U", "U?U"}, {503, "U?U", "UUU"}, {504, "T?T", "T?T"},
    {505, "iii", "iii"}, {506, "m??", "m??"}, {507, "U?U", "U?U"}, {508, "m??", "m??"}, {509, "U?U", "U?U"},
    {510, "iii", "iii"}, {511, "aaa", "aaa"}, {512, "U?U", "U?U"}, {600, "m??", "m??"}};

const Row& row_of(int status) {
  const Row* found = nullptr;
  for (const Row& row : statuses)
    if (row.from <= status) found = &row;
  return *found;
}

/// Which of the three columns.
std::size_t column(Effect effect, Phase phase, bool deduplicates) {
  if (effect == Effect::reads || phase == Phase::before_sending) return 0;
  return deduplicates ? 2 : 1;
}

template <class F>
void for_every_request(const F& visit) {
  for (const auto effect : {Effect::reads, Effect::writes, Effect::destroys, Effect::undeclared})
    for (const auto phase : {Phase::before_sending, Phase::after_sending})
      for (const bool deduplicates : {false, true})
        visit(UpstreamRequest{"The refund of order A17", effect, phase, deduplicates},
              column(effect, phase, deduplicates));
}

}  // namespace

// ---- HTTP

TEST_CASE("http: every status means what the table says, for every effect, phase and upstream") {
  std::set<std::string> wrong;
  int compared = 0;
  for (int status = 100; status <= 599; ++status)
    for_every_request([&](const UpstreamRequest& request, std::size_t column) {
      for (const std::string_view header : {"", "7", "soon"}) {
        const char expected = (header == "7" ? row_of(status).with : row_of(status).without)[column];
        const std::string arrived = told(of_status(request, status, header));
        ++compared;
        if (arrived != told(expected))
          wrong.insert(std::to_string(status) + " column " + std::to_string(column) + " header '" +
                       std::string(header) + "': " + arrived + ", not " + told(expected));
      }
    });
  CHECK(wrong == std::set<std::string>{});
  CHECK(compared == 500 * 16 * 3);
}

TEST_CASE("http: a number that is no status is a reply that cannot be understood") {
  for (const int status :
       {(std::numeric_limits<int>::min)(), -1, 0, 1, 99, 600, 999, (std::numeric_limits<int>::max)()})
    for_every_request([&](const UpstreamRequest& request, std::size_t column) {
      CHECK(told(of_status(request, status)) == told("m??"[column]));
    });
}

TEST_CASE("http: a write that may have happened is never retryable, unless the upstream deduplicates its key") {
  const std::set<int> refused_for_now = {413, 425, 429, 503};
  for (int status = 100; status <= 599; ++status)
    for_every_request([&](const UpstreamRequest& request, std::size_t column) {
      if (column != 1 || refused_for_now.count(status) == 1) return;
      if (of_status(request, status, "7").retryable()) FAIL(status);
    });
}

TEST_CASE("http: what is transient carries a valid Retry-After, and nothing else does") {
  for (int status = 100; status <= 599; ++status)
    for_every_request([&](const UpstreamRequest& request, std::size_t) {
      const tc::ToolError error = of_status(request, status, "Mon, 12 Jan 1970 13:46:45 GMT");
      const std::optional<std::chrono::milliseconds> expected =
          error.category() == Category::transient ? std::optional(5'000ms) : std::nullopt;
      if (error.facts().retry_after != expected) FAIL(status);
      if (of_status(request, status, "soon").facts().retry_after) FAIL(status);
    });
}

TEST_CASE("http: a write that may be repeated only since its upstream deduplicates says that it may have happened") {
  for (int status = 100; status <= 599; ++status)
    for_every_request([&](const UpstreamRequest& request, std::size_t column) {
      const bool expected = column == 2 && row_of(status).without[1] == '?' && row_of(status).without[2] != '?';
      if (of_status(request, status).facts().may_have_happened != expected) FAIL(status);
    });
}

TEST_CASE("http: of the upstream's words none reaches the message, and all reach the report") {
  const std::string body = "<html>core-7.bank.internal: hunter2</html>";
  for (int status = 100; status <= 599; ++status)
    for_every_request([&](const UpstreamRequest& request, std::size_t) {
      const tc::ErrorFacts facts = of_status(request, status, "in 7 minutes", body).facts();
      const bool clean = facts.message.starts_with("The refund of order A17") &&
                         facts.message.find("hunter2") == std::string::npos &&
                         facts.message.find("7 minutes") == std::string::npos && facts.partial.empty() &&
                         facts.example.empty() && facts.extra.empty();
      if (!clean) FAIL(status << ' ' << facts.message);
      CHECK(facts.internal->for_report() == "HTTP " + std::to_string(status) + ", Retry-After in 7 minutes: " + body);
    });
}

TEST_CASE("http: a long body is cut in the report, between characters") {
  std::string body(1'999, 'x');
  body += "\xc3\xa9 and so on";
  const auto report = of_status(read_request(), 500, "", body).facts().internal->for_report();
  CHECK(report == "HTTP 500: " + std::string(1'999, 'x') + "… (2011 bytes)");
  const auto header = of_status(read_request(), 500, std::string(1'000, '9')).facts().internal->for_report();
  CHECK(header == "HTTP 500, Retry-After " + std::string(120, '9'));
}

TEST_CASE("http: each meaning has its sentence") {
  const auto read = [](int status, std::string_view retry_after = {}) {
    return of_status(read_request(), status, retry_after).message();
  };
  const auto write = [](int status) { return of_status(write_request(), status).message(); };
  const auto keyed = [](int status) { return of_status(keyed_request(), status).message(); };
  CHECK(read(429) == "Looking up order A17 was not accepted: too many calls; wait before the next one.");
  CHECK(read(503, "7") == "Looking up order A17 was not accepted: the upstream cannot take it now.");
  CHECK(read(500) == "Looking up order A17 failed on the way or at the upstream; nothing was changed.");
  CHECK(
      write(500) ==
      "The refund of order A17 failed on the way or at the upstream; it may or may not have happened. Find out before "
      "doing it again.");
  CHECK(keyed(500) ==
        "The refund of order A17 failed on the way or at the upstream; it may or may not have happened, but happens "
        "once for its key.");
  CHECK(read(504) == "Looking up order A17 timed out; nothing was changed, so the same call may be repeated.");
  CHECK(write(504) ==
        "The refund of order A17 timed out; it may or may not have happened. Find out before doing it again.");
  CHECK(write(400) ==
        "The refund of order A17 was refused: the upstream finds the arguments invalid; change them before calling "
        "again.");
  CHECK(write(413) == "The refund of order A17 was refused: the arguments are too large for the upstream; send less.");
  CHECK(write(401) ==
        "The refund of order A17 was refused: the upstream does not know this caller; its credentials need a human.");
  CHECK(write(402) == "The refund of order A17 was refused: the upstream wants to be paid first; that needs a human.");
  CHECK(write(403) ==
        "The refund of order A17 was refused: this caller may not do that upstream; a human may know who may.");
  CHECK(write(404) == "The refund of order A17 failed: there is no such thing upstream.");
  CHECK(write(409) ==
        "The refund of order A17 was refused: the state is another than was expected; look at it before deciding what "
        "to do.");
  CHECK(write(405) ==
        "The refund of order A17 was refused for how it was asked, which no arguments can mend; nothing was changed.");
  CHECK(write(302) ==
        "The refund of order A17 got a reply that does not say whether it happened. Find out before doing it again.");
  CHECK(read(302) ==
        "Looking up order A17: the upstream reply was malformed: expected a final answer, got HTTP status 302.");
  CHECK(read(200) ==
        "Looking up order A17: the upstream reply was malformed: expected a usable answer, got HTTP status 200.");
  CHECK(write(200) ==
        "The refund of order A17 took effect, but its result cannot be given. Do not call it again; find out what it "
        "did.");
}

TEST_CASE("http: what is too large is said of the arguments as a whole") {
  CHECK(of_status(write_request(), 413).field_errors() ==
        std::vector<tc::FieldError>{
            {"", "too_large", "must be smaller than the upstream's limit; send less at once", std::nullopt}});
}

TEST_CASE("upstream: timeouts and cancellations read like the call's own") {
  for (const auto effect : {Effect::reads, Effect::writes, Effect::destroys, Effect::undeclared}) {
    tc::Call call;
    call.effect = effect;
    const UpstreamRequest request{.subject = "The refund of order A17", .effect = effect};
    CHECK(tc::upstream_error(request, std::errc::timed_out).message() == call.timed_out(request.subject).message());
    CHECK(told(tc::upstream_error(request, std::errc::timed_out)) == told(call.timed_out(request.subject)));
    CHECK(tc::upstream_error(request, std::errc::operation_canceled).message() ==
          call.cancelled(request.subject).message());
    CHECK(told(tc::upstream_error(request, std::errc::operation_canceled)) == told(call.cancelled(request.subject)));
  }
}

TEST_CASE("upstream: a request that says nothing of itself counts as a destructive write that was sent") {
  CHECK(of_status({}, 502).facts() ==
        tc::unknown("OUTCOME_UNKNOWN",
                    "The call failed on the way or at the upstream; it may or may not have happened. Find out before "
                    "doing it again.")
            .internal("HTTP 502")
            .facts());
}

// ---- a success that cannot be used

TEST_CASE("malformed reply: a read says what was expected and what arrived, its body only in the report") {
  CHECK(tc::upstream_error(read_request(), tc::MalformedReply{"an order as JSON", "an HTML page", "<html>hunter2"}) ==
        tc::ToolError::restore(
            {.code = "MALFORMED_UPSTREAM",
             .category = Category::validation,
             .resolution = Resolution::escalate,
             .message =
                 "Looking up order A17: the upstream reply was malformed: expected an order as JSON, got an HTML page.",
             .internal = tc::InternalDetail("a reply that cannot be used: <html>hunter2")}));
}

TEST_CASE("malformed reply: a write took effect, so its result is unavailable, key or not") {
  for (const auto& request : {write_request(), keyed_request()})
    CHECK(tc::upstream_error(request, tc::MalformedReply{"a receipt as JSON", "nothing", ""}).facts() ==
          tc::unknown("RESULT_UNAVAILABLE",
                      "The refund of order A17 took effect, but its result cannot be given. Do not call it again; find "
                      "out what it did.")
              .internal("a reply that cannot be used")
              .facts());
}

TEST_CASE("malformed reply: without descriptions the sentence still stands") {
  CHECK(tc::upstream_error(read_request(), tc::MalformedReply{"", " ", ""}).message() ==
        "Looking up order A17: the upstream reply was malformed: expected a final answer, got something else.");
}

// ---- sockets

TEST_CASE("sockets: every std::errc means what the table says, for every effect, phase and upstream") {
  using std::errc;
  const std::map<const char*, std::vector<errc>> table = {
      {"U?U",
       {errc::connection_refused, errc::host_unreachable, errc::network_unreachable, errc::network_down,
        errc::address_not_available, errc::connection_reset, errc::broken_pipe, errc::connection_aborted,
        errc::network_reset, errc::not_connected, errc::interrupted}},
      {"T?T",
       {errc::timed_out, errc::stream_timeout, errc::resource_unavailable_try_again, errc::operation_would_block}},
      {"C?C", {errc::operation_canceled}},
      {"iII",
       {errc{},
        errc::address_family_not_supported,
        errc::address_in_use,
        errc::already_connected,
        errc::argument_list_too_long,
        errc::argument_out_of_domain,
        errc::bad_address,
        errc::bad_file_descriptor,
        errc::bad_message,
        errc::connection_already_in_progress,
        errc::cross_device_link,
        errc::destination_address_required,
        errc::device_or_resource_busy,
        errc::directory_not_empty,
        errc::executable_format_error,
        errc::file_exists,
        errc::file_too_large,
        errc::filename_too_long,
        errc::function_not_supported,
        errc::identifier_removed,
        errc::illegal_byte_sequence,
        errc::inappropriate_io_control_operation,
        errc::invalid_argument,
        errc::invalid_seek,
        errc::io_error,
        errc::is_a_directory,
        errc::message_size,
        errc::no_buffer_space,
        errc::no_child_process,
        errc::no_link,
        errc::no_lock_available,
        errc::no_message,
        errc::no_message_available,
        errc::no_protocol_option,
        errc::no_space_on_device,
        errc::no_stream_resources,
        errc::no_such_device,
        errc::no_such_device_or_address,
        errc::no_such_file_or_directory,
        errc::no_such_process,
        errc::not_a_directory,
        errc::not_a_socket,
        errc::not_a_stream,
        errc::not_enough_memory,
        errc::not_supported,
        errc::operation_in_progress,
        errc::operation_not_permitted,
        errc::operation_not_supported,
        errc::owner_dead,
        errc::permission_denied,
        errc::protocol_error,
        errc::protocol_not_supported,
        errc::read_only_file_system,
        errc::resource_deadlock_would_occur,
        errc::result_out_of_range,
        errc::state_not_recoverable,
        errc::text_file_busy,
        errc::too_many_files_open,
        errc::too_many_files_open_in_system,
        errc::too_many_links,
        errc::too_many_symbolic_link_levels,
        errc::value_too_large,
        errc::wrong_protocol_type}}};
  std::set<int> seen;
  for (const auto& [letters, codes] : table)
    for (const errc code : codes) {
      seen.insert(static_cast<int>(code));
      const char* expected = letters;
      for_every_request([&](const UpstreamRequest& request, std::size_t column) {
        const tc::ToolError error = tc::upstream_error(request, code);
        INFO(std::make_error_code(code).message() << ", column " << column);
        CHECK(told(error) == told(expected[column]));
        CHECK(tc::upstream_error(request, std::error_code(static_cast<int>(code), std::system_category())).message() ==
              error.message());
      });
    }
  CHECK(seen.size() >= 77);  // 78 names and none; on Linux two of them are second names
}

TEST_CASE("sockets: the system's words and the caller's detail are for the report") {
  const std::string words = std::make_error_code(std::errc::connection_refused).message();
  const auto facts = tc::upstream_error({.subject = "The refund of order A17", .phase = Phase::before_sending},
                                        std::errc::connection_refused, "connecting to core-7.bank.internal:443")
                         .facts();
  CHECK(facts == tc::unavailable("The refund of order A17 failed on the way or at the upstream; nothing was changed.")
                     .internal("generic " + std::to_string(static_cast<int>(std::errc::connection_refused)) + ", " +
                               words + ": connecting to core-7.bank.internal:443")
                     .facts());
}

namespace {
struct NamedCategory : std::error_category {
  explicit NamedCategory(const char* name) : name_(name) {}
  const char* name() const noexcept override { return name_; }
  std::string message(int) const override { return "Host not found (authoritative)"; }
  const char* name_;
};
}  // namespace

TEST_CASE("sockets: a name that was not found is asio's netdb, or addrinfo; a foreign category is unclassified") {
  for (const auto* name : {"asio.netdb", "asio.addrinfo"}) {
    const NamedCategory category(name);
    for_every_request([&](const UpstreamRequest& request, std::size_t column) {
      CHECK(told(tc::upstream_error(request, std::error_code(1, category))) == told("U?U"[column]));
      CHECK(told(tc::upstream_error(request, std::error_code(0, category))) == told("iII"[column]));
    });
  }
  const NamedCategory foreign("bank");
  for_every_request([&](const UpstreamRequest& request, std::size_t column) {
    CHECK(told(tc::upstream_error(request, std::error_code(110, foreign))) == told("iII"[column]));
  });
}

// ---- exceptions

namespace {
template <class E>
tc::ToolError of_thrown(const UpstreamRequest& request, const E& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return tc::upstream_error(request, std::current_exception());
  }
}
}  // namespace

TEST_CASE("exceptions: a ToolError is itself") {
  const tc::ToolError error = tc::rate_limited(2s).internal("bucket 7");
  CHECK(of_thrown(write_request(), error) == error);
  CHECK(of_thrown(write_request(), tc::rate_limited(2s).internal("bucket 7")) == error);
}

TEST_CASE("exceptions: a system error is its code, its text for the report") {
  const std::system_error error(std::make_error_code(std::errc::connection_reset), "read from core-7");
  for_every_request([&](const UpstreamRequest& request, std::size_t column) {
    CHECK(told(of_thrown(request, error)) == told("U?U"[column]));
    CHECK(of_thrown(request, error).facts().internal->for_report() == std::string("exception: ") + error.what());
  });
}

TEST_CASE("exceptions: any other is a fault nobody classified, its text for the report") {
  const auto told_of = [](const tc::ToolError& error) { return error.facts().internal->for_report(); };
  for_every_request([&](const UpstreamRequest& request, std::size_t column) {
    const auto masked = of_thrown(request, std::runtime_error("pg://ledger:hunter2@db-3"));
    CHECK(told(masked) == told("iII"[column]));
    CHECK(masked.message() ==
          (column == 0
               ? "The refund of order A17 failed unexpectedly; nothing was changed."
               : "The refund of order A17 failed unexpectedly and may have taken effect. Find out before calling "
                 "it again."));
    CHECK(told_of(masked) == "exception: pg://ledger:hunter2@db-3");
    CHECK(told(of_thrown(request, 7)) == told("iII"[column]));
    CHECK(told_of(of_thrown(request, 7)) == "exception: something that is no std::exception was thrown");
    CHECK(told(of_thrown(request, std::ios_base::failure("short read"))) == told("iII"[column]));
    CHECK(told_of(tc::upstream_error(request, std::exception_ptr())) == "exception: no exception was thrown");
  });
}
