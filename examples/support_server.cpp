// SPDX-License-Identifier: MIT
// A support desk as an MCP server on stdio: one JSON-RPC message a line, both eras of the protocol.
//
//   support_server [--ledger memory|sqlite:FILE|postgres:CONNINFO] [--lose-replies N] [--fixed-clock]
//                  [--seal-cursors] [--down orders|tickets|tickets_copy]… [--slow-ms N] [--crash-at STEP] [--lease-ms N]
//
// Whatever a line holds, the server answers or ignores it as JSON-RPC says and goes on. Where a tool needs a person's
// consent, the client is asked to show the question (elicitation), if it said that it can.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#ifdef SUPPORT_HAS_SODIUM
#include <toolcontract/seal/sodium.hpp>
#endif

#include "support_stores.hpp"
#include "support_world.hpp"

namespace {

namespace tc = toolcontract;
using tc::mcp::Revision;
using Json = nlohmann::json;

constexpr auto limits = tc::mcp::message_limits();
constexpr std::string_view meta_version = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view meta_capabilities = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view server_info = R"({"name":"support_server","title":"Support desk","version":"0.1.0"})";
constexpr std::string_view untitled_server_info =
    R"({"name":"support_server","version":"0.1.0"})";  // before 2025-06-18
constexpr std::string_view instructions =
    "Orders, tickets and refunds of one shop. Look an order up before you refund it.";

enum RpcError {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  unsupported_version = -32022
};

/// One line without its end; of one that is too long, the rest is read but not kept. False at the end of the input.
bool read_line(std::string& line) {
  line.clear();
  for (int c; (c = std::getc(stdin)) != EOF;) {
    if (c == '\n') return true;
    if (line.size() < limits.bytes + 2) line.push_back(static_cast<char>(c));  // a CR, and one byte that is too many
  }
  return !line.empty();
}

const Json* member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(key));
  return found == object.end() ? nullptr : &*found;
}
bool is_object(const Json* json) { return json != nullptr && json->is_object(); }
std::string_view text(const Json* json) {
  return json != nullptr && json->is_string() ? std::string_view(json->get_ref<const std::string&>())
                                              : std::string_view();
}

class Server {
 public:
  Server(const tc::Toolset& tools, tc::Approvals& approvals, const support::Trouble& trouble)
      : tools_(tools), approvals_(approvals), trouble_(trouble) {}

  /// What to write after one line: an answer or a question; nothing for notifications and blank lines.
  std::optional<std::string> answer(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > limits.bytes)
      return error("null", invalid_request, "The message is longer than this server reads");
    if (line.find_first_not_of(" \t") == line.npos) return std::nullopt;
    tc::Document message = tc::parse(line, limits);
    if (!message.readable())
      return error("null", parse_error, "Parse error: the message " + message.faults().front().problem);
    if (message.value().is_array())
      return error("null", invalid_request, "Batches are not part of this protocol; send one message a line");
    if (!message.value().is_object()) return error("null", invalid_request, "A message is a JSON object");

    const Json* raw_method = member(message.value(), "method");
    if (raw_method == nullptr &&
        (member(message.value(), "result") != nullptr || member(message.value(), "error") != nullptr))
      return answered(message.value());  // a response, which is never answered itself
    const Json* raw_id = member(message.value(), "id");
    const bool valid_id = raw_id != nullptr && (raw_id->is_string() || raw_id->is_number_integer());
    const std::string id = valid_id ? tc::mcp::id_text(*raw_id) : "null";
    if (raw_id != nullptr && !valid_id) return error("null", invalid_request, "An id is a string or an integer");
    if (text(member(message.value(), "jsonrpc")) != "2.0" || raw_method == nullptr || !raw_method->is_string())
      return error(id, invalid_request, "A message has jsonrpc \"2.0\" and a method");
    if (raw_id == nullptr) return std::nullopt;  // a notification

    const std::string method = raw_method->get<std::string>();
    tc::Document arguments = method == "tools/call" ? message.take({"params", "arguments"}) : tc::Document();
    if (!message.ok() && arguments.ok()) {  // arguments answer for their own faults, as the tool's result
      const auto fault = message.faults().front();
      return error(fault.field == "id" ? "null" : id, invalid_request,
                   "The message is not sound: " + fault.field + " " + fault.problem);
    }
    return answer(id, method, message.value(), arguments);
  }

 private:
  static std::string error(std::string_view id, RpcError code, std::string_view message, std::string_view data = {}) {
    return tc::mcp::error_message(id, code, message, data);
  }

  std::string answer(const std::string& id, std::string_view method, const Json& message,
                     const tc::Document& arguments) {
    const Json* params = member(message, "params");
    if (params != nullptr && !params->is_object()) return error(id, invalid_params, "params is an object");
    const Json* meta = params != nullptr ? member(*params, "_meta") : nullptr;
    const Json* requested = meta != nullptr ? member(*meta, meta_version) : nullptr;
    const bool modern = requested != nullptr || method == "server/discover";
    if (modern) {
      if (text(requested).empty() || !is_object(member(*meta, meta_capabilities)))
        return error(id, invalid_params, "params._meta needs protocolVersion and clientCapabilities");
      if (text(requested) != name(Revision::v2026_07_28)) {
        tc::TextWriter data;
        data.begin_object().key("supported").begin_array().string(name(Revision::v2026_07_28)).end_array();
        return error(id, unsupported_version, "Unsupported protocol version",
                     data.key("requested").string(text(requested)).end_object().take());
      }
    }
    const Revision revision = modern ? Revision::v2026_07_28 : revision_;

    if (method == "server/discover") return tc::mcp::result_message(id, discover());
    if (method == "initialize" && !modern) return tc::mcp::result_message(id, initialize(params));
    if (method == "ping" && !modern) return tc::mcp::result_message(id, "{}");
    if (method == "tools/list") {
      if (params != nullptr && member(*params, "cursor") != nullptr)
        return error(id, invalid_params, "Invalid cursor: the list has one page");
      return tc::mcp::result_message(id, tc::mcp::tools_list_text(revision, tools_, {std::chrono::minutes(5), true}));
    }
    if (method == "tools/call") {
      const Json* tool = params != nullptr ? member(*params, "name") : nullptr;
      if (tool == nullptr || !tool->is_string()) return error(id, invalid_params, "params.name is the name of a tool");
      Question question{*member(message, "id"), std::string(text(tool)), arguments, revision, {}};
      if (!modern) return call(std::move(question), can_ask_);
      question.ticket = text(member(*params, "requestState"));
      const Json* replies = member(*params, "inputResponses");
      const Json* reply = replies != nullptr ? member(*replies, "consent") : nullptr;
      if (reply != nullptr) decide(question.ticket, text(member(*reply, "action")));
      return call(std::move(question),
                  reply == nullptr && is_object(member(*member(*meta, meta_capabilities), "elicitation")));
    }
    return error(id, method_not_found, "Method not found");
  }

  // ---- calls, and the questions some of them lead to ---------------------------------------------------------------------

  struct Question {
    Json id;
    std::string tool;
    tc::Document arguments;
    Revision revision;
    std::string ticket;
  };

  // The answer to a call; where it needs consent and the client can ask for it, the question instead.
  std::string call(Question question, bool ask) {
    trouble_.step("received");
    tc::Call context;
    context.ticket = question.ticket;
    tc::Outcome outcome = tools_.call(question.tool, question.arguments, std::move(context));
    trouble_.step("replying");
    const bool needs_consent = !outcome.ok() && outcome.error().facts().confirmation.has_value();
    if (!needs_consent) return tc::mcp::respond_text(question.revision, question.id, outcome);
    if (!ask) return tc::mcp::respond_text(question.revision, question.id, unasked(outcome));
    const tc::Confirmation& consent = *outcome.error().facts().confirmation;
    tc::TextWriter params;
    params.begin_object().key("message").string(consent.preview).key("requestedSchema");
    params.raw(R"({"type":"object","properties":{}})").end_object();
    if (question.revision >= Revision::v2026_07_28) {
      tc::TextWriter result;
      result.begin_object().key("resultType").string("input_required").key("inputRequests").begin_object();
      result.key("consent").begin_object().key("method").string("elicitation/create").key("params").raw(params.text());
      result.end_object().end_object().key("requestState").string(consent.ticket).end_object();
      return tc::mcp::result_message(tc::mcp::id_text(question.id), result.text());
    }
    question.ticket = consent.ticket;
    const std::string id = "ask_" + std::to_string(++asked_);
    questions_.emplace(id, std::move(question));
    tc::TextWriter request;
    request.begin_object().key("jsonrpc").string("2.0").key("id").string(id);
    return request.key("method").string("elicitation/create").key("params").raw(params.text()).end_object().take();
  }

  // The client's reply to a question of ours goes on with the call that led to it.
  std::optional<std::string> answered(const Json& message) {
    const auto found = questions_.find(std::string(text(member(message, "id"))));
    if (found == questions_.end()) return std::nullopt;
    Question question = std::move(found->second);
    questions_.erase(found);
    const Json* result = member(message, "result");
    if (result != nullptr) decide(question.ticket, text(member(*result, "action")));
    return call(std::move(question), false);
  }

  // Only a clear yes or no counts; a question that was closed stays open.
  void decide(const std::string& ticket, std::string_view action) {
    const auto now = tools_.options().clock.wall();
    if (action == "accept") (void)approvals_.grant(ticket, now);
    if (action == "decline") (void)approvals_.deny(ticket, now);
  }

  static tc::Outcome unasked(const tc::Outcome& outcome) {
    tc::ErrorFacts facts = outcome.error().facts();
    facts.message += " Nobody was asked, or nobody answered.";
    facts.confirmation->how_to_proceed =
        "Nothing has been done. Tell the user what was to be done; a client that supports elicitation can ask for "
        "consent.";
    return tc::Outcome::failure(outcome.tool(), tc::ToolError::restore(std::move(facts)));
  }

  // ---- the handshake, in both eras -----------------------------------------------------------------------------------------

  std::string initialize(const Json* params) {
    const auto asked =
        params != nullptr ? tc::mcp::revision_from_name(text(member(*params, "protocolVersion"))) : std::nullopt;
    revision_ =
        asked && *asked < Revision::v2026_07_28 ? *asked : Revision::v2025_11_25;  // the newest with a handshake
    const Json* capabilities = params != nullptr ? member(*params, "capabilities") : nullptr;
    can_ask_ = revision_ >= Revision::v2025_06_18 && capabilities != nullptr &&
               is_object(member(*capabilities, "elicitation"));
    tc::TextWriter out;
    out.begin_object().key("protocolVersion").string(name(revision_)).key("capabilities").raw(R"({"tools":{}})");
    out.key("serverInfo").raw(revision_ < Revision::v2025_06_18 ? untitled_server_info : server_info);
    return out.key("instructions").string(instructions).end_object().take();
  }

  static std::string discover() {
    tc::TextWriter out;
    out.begin_object()
        .key("resultType")
        .string("complete")
        .key("ttlMs")
        .number(300'000)
        .key("cacheScope")
        .string("public");
    out.key("supportedVersions")
        .begin_array()
        .string(name(Revision::v2026_07_28))
        .end_array()
        .key("capabilities")
        .raw(R"({"tools":{}})");
    out.key("instructions").string(instructions);
    return out.key("_meta")
        .begin_object()
        .key("io.modelcontextprotocol/serverInfo")
        .raw(server_info)
        .end_object()
        .end_object()
        .take();
  }

  const tc::Toolset& tools_;
  tc::Approvals& approvals_;
  const support::Trouble& trouble_;
  std::map<std::string, Question> questions_;  // by the id they were asked with
  std::size_t asked_ = 0;
  bool can_ask_ = false;
  Revision revision_ = Revision::v2025_11_25;
};

/// A clock that stands still and ids that count, so that a recorded session reads the same every time.
tc::ToolsetOptions fixed_options() {
  tc::ToolsetOptions options;
  options.clock.steady = [] { return std::chrono::steady_clock::time_point(); };
  options.clock.wall = [] { return std::chrono::system_clock::time_point(std::chrono::seconds(1'780'000'000)); };
  options.ids = [calls = std::uint64_t{0}](std::chrono::system_clock::time_point time) mutable {
    return tc::correlation_id(time, 0, ++calls);
  };
  return options;
}

int usage() {
  std::fputs(
      "usage: support_server [--ledger memory|sqlite:FILE|postgres:CONNINFO] [--lose-replies N] [--fixed-clock]\n"
      "                      [--seal-cursors] [--down orders|tickets|tickets_copy]... [--slow-ms N] [--lease-ms N]\n"
      "                      [--crash-at received|claimed|written|stored|committed|replying]\n",
      stderr);
  return 2;
}

struct Arguments {
  std::string ledger = "memory";
  support::ShopOptions shop{};
  bool fixed_clock = false;
  bool seal_cursors = false;
  support::Trouble trouble{};
};

/// Seals under a key that ends with the process, and every cursor with it. \throws std::invalid_argument where it cannot.
std::unique_ptr<const tc::Seal> open_seal() {
#ifdef SUPPORT_HAS_SODIUM
  const std::string key = tc::SodiumSeal::random_key();
  return std::make_unique<tc::SodiumSeal>(std::initializer_list<std::string_view>{key});
#else
  throw std::invalid_argument("--seal-cursors needs libsodium, and this server was built without it");
#endif
}

template <std::size_t N>
bool is_one_of(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::optional<Arguments> read(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--fixed-clock") {
      arguments.fixed_clock = true;
      continue;
    }
    if (flag == "--seal-cursors") {
      arguments.seal_cursors = true;
      continue;
    }
    if (i + 1 == argc) return std::nullopt;
    const std::string_view value = argv[++i];
    std::uint32_t number = 0;
    const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool is_number = failed == std::errc() && end == value.data() + value.size();
    if (flag == "--ledger")
      arguments.ledger = value;
    else if (flag == "--crash-at" && is_one_of(support::steps, value))
      arguments.trouble.crash_at = value;
    else if (flag == "--down" && is_one_of(support::sources, value))
      arguments.shop.down.emplace(value);
    else if (flag == "--lose-replies" && is_number)
      arguments.shop.lose_replies = number;
    else if (flag == "--slow-ms" && is_number)
      arguments.trouble.slow = std::chrono::milliseconds(number);
    else if (flag == "--lease-ms" && is_number && number > 0)
      arguments.trouble.lease = std::chrono::milliseconds(number);
    else
      return std::nullopt;
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) try {
  auto arguments = read(argc, argv);
  if (!arguments) return usage();
  tc::ToolsetOptions options = arguments->fixed_clock ? fixed_options() : tc::ToolsetOptions();
  options.report = [](const tc::Report& report) noexcept {
    if (!report.error_code.empty() || !report.internal.empty())
      std::fprintf(stderr, "%s %s %s %s%s\n", report.correlation_id.c_str(), report.tool.c_str(),
                   report.error_code.c_str(), report.internal.c_str(), report.exception.c_str());
  };

  const auto book = support::open_book(arguments->ledger, arguments->trouble, arguments->fixed_clock);
  arguments->shop.once.lease = arguments->trouble.lease;
  arguments->shop.clock = options.clock;
  const auto seal = arguments->seal_cursors ? open_seal() : nullptr;
  arguments->shop.seal = seal.get();
  support::Shop shop(*book, std::move(arguments->shop));
  const tc::Toolset tools(options, support::orders_get(shop), support::orders_search(shop),
                          support::tickets_search(shop), support::desk_search(shop), support::refunds_get(shop),
                          support::refunds_create(shop), support::tickets_create(shop));
  Server server(tools, book->approvals(), arguments->trouble);
  std::string line;
  while (read_line(line)) {
    const auto reply = server.answer(line);
    if (!reply) continue;
    std::fwrite(reply->data(), 1, reply->size(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }
} catch (const std::exception& error) {  // a database that cannot be opened, a flag's nonsense
  std::fprintf(stderr, "support_server: %s\n", error.what());
  return 2;
}
