// SPDX-License-Identifier: MIT
// A support desk as an MCP server on stdio: one JSON-RPC message a line, both eras of the protocol.
//
//   support_server [--lose-replies N] [--fixed-clock]
//
// Whatever a line holds, the server answers or ignores it as JSON-RPC says and goes on.
#include "support_world.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

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
  explicit Server(const tc::Toolset& tools) : tools_(tools) {}

  /// The answer to one line; nothing for notifications, responses and blank lines.
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
      return std::nullopt;  // a response; this server asks nothing, and answering would go on for ever
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
      return tc::mcp::respond_text(revision, *member(message, "id"), tools_.call(text(tool), arguments));
    }
    return error(id, method_not_found, "Method not found");
  }

  std::string initialize(const Json* params) {
    const auto asked =
        params != nullptr ? tc::mcp::revision_from_name(text(member(*params, "protocolVersion"))) : std::nullopt;
    revision_ =
        asked && *asked < Revision::v2026_07_28 ? *asked : Revision::v2025_11_25;  // the newest with a handshake
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
  std::fputs("usage: support_server [--lose-replies N] [--fixed-clock]\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  int lose_replies = 0;
  tc::ToolsetOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--fixed-clock") {
      options = fixed_options();
    } else if (flag == "--lose-replies" && i + 1 < argc) {
      const std::string_view number = argv[++i];
      const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), lose_replies);
      if (failed != std::errc() || end != number.data() + number.size() || lose_replies < 0) return usage();
    } else {
      return usage();
    }
  }
  options.report = [](const tc::Report& report) noexcept {
    if (!report.error_code.empty())
      std::fprintf(stderr, "%s %s %s %s%s\n", report.correlation_id.c_str(), report.tool.c_str(),
                   report.error_code.c_str(), report.internal.c_str(), report.exception.c_str());
  };

  support::Shop shop(lose_replies);
  const tc::Toolset tools(options, support::orders_get(shop), support::orders_search(shop),
                          support::tickets_search(shop), support::refunds_get(shop), support::refunds_create(shop));
  Server server(tools);
  std::string line;
  while (read_line(line)) {
    const auto reply = server.answer(line);
    if (!reply) continue;
    std::fwrite(reply->data(), 1, reply->size(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }
}
