// SPDX-License-Identifier: MIT
#include "wire_tools.hpp"

#include <cctype>
#include <chrono>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "../samples.hpp"

namespace wire {

enum class Ending {
  success,
  transient,
  rate_limited,
  validation,
  malformed_upstream,
  business,
  escalated,
  permission,
  confirmation,
  timed_out,
  exception,
  not_a_number
};
constexpr auto tool_schema(tc::type<Ending>) {
  return tc::enumeration(tc::value("success", Ending::success), tc::value("transient", Ending::transient),
                         tc::value("rate_limited", Ending::rate_limited), tc::value("validation", Ending::validation),
                         tc::value("malformed_upstream", Ending::malformed_upstream),
                         tc::value("business", Ending::business), tc::value("escalated", Ending::escalated),
                         tc::value("permission", Ending::permission), tc::value("confirmation", Ending::confirmation),
                         tc::value("timed_out", Ending::timed_out), tc::value("exception", Ending::exception),
                         tc::value("not_a_number", Ending::not_a_number));
}

struct Wish {
  std::string key;
  Ending ending = Ending::success;
};
constexpr auto tool_schema(tc::type<Wish>) {
  return tc::object(tc::field<&Wish::key>("key", "One id per call, e.g. 'k1'."),
                    tc::field<&Wish::ending>("ending", "How the call is to end."));
}

struct Weight {
  double kilograms = 0;
};
constexpr auto tool_schema(tc::type<Weight>) {
  return tc::object(tc::field<&Weight::kilograms>("kilograms", "What it weighs."));
}

namespace {

tc::Result<Weight> end(const Wish& wish, tc::Call& call) {
  using namespace std::chrono_literals;
  const std::string subject = "Parcel " + wish.key;
  switch (wish.ending) {
    case Ending::success:
      return Weight{1.5};
    case Ending::transient:
      return tc::unavailable("The scales for parcel " + wish.key + " are being restarted.");
    case Ending::rate_limited:
      return tc::rate_limited(2s, subject + " was not weighed: too many this minute.");
    case Ending::validation:
      return tc::validation("PARCEL_UNREADABLE", subject + " has a label that cannot be read.")
          .field("key", "rule", "must be on the label", wish.key)
          .partial(R"({"scanned":["front"]})");
    case Ending::malformed_upstream:
      return tc::malformed_upstream("a weight", "an HTML page").internal("<html>");
    case Ending::business:
      return tc::conflict(subject + " was weighed already.");
    case Ending::escalated:
      return tc::business("PARCEL_HELD", subject + " is held by customs.").escalate();
    case Ending::permission:
      return tc::forbidden(subject + " belongs to somebody else.");
    case Ending::confirmation:
      return tc::permission("CONFIRMATION_REQUIRED", "Opening parcel " + wish.key + " needs a human's consent.")
          .confirmation({"Open parcel " + wish.key, "Ask the customer, then call again.", "tk_1"});
    case Ending::timed_out:
      return call.timed_out("Weighing parcel " + wish.key);
    case Ending::exception:
      throw std::runtime_error("pg://user:pw@host refused");
    case Ending::not_a_number:
      return Weight{std::numeric_limits<double>::quiet_NaN()};
  }
  return tc::permanent("NO_SUCH_ENDING", subject + " ends in no known way.");
}

/// A tool that takes nothing and always gives `result`.
template <class Out>
tc::Tool giving(tc::ToolName name, Out result) {
  return tc::tool<samples::Nothing, Out>(name)
      .does("Gives the same result each time.")
      .reads()
      .handle([result = std::move(result)](const samples::Nothing&) { return result; });
}

/// A tool whose result comes with a block of every kind, and with some that no wire can show.
tc::Tool blocks_get() {
  return tc::tool<samples::Nothing, Weight>("blocks_get")
      .does("Gives a weight, and every kind of block with it.")
      .reads()
      .handle([](const samples::Nothing&, tc::Call& call) {
        const std::string bytes("\x89PNG\r\n\x1A\n\0\xff", 10);
        call.attach(tc::text("The parcel from all sides, caf\xff."));
        call.attach(tc::image(bytes, "image/png"));
        call.attach(tc::image(bytes, "image/tiff"));
        call.attach(tc::audio(bytes, "audio/wav"));
        call.attach(tc::resource_link("https://example.com/parcels/k1", "k1", "Where it is now.", "text/html"));
        call.attach(tc::document("%PDF-1.7", "application/pdf", "Customs \"declaration\""));
        call.attach(tc::document("k1,1.5\n", "text/csv", "", "https://example.com/k1.csv"));
        call.attach(tc::document(bytes, "application/zip", "All of it"));
        call.attach(tc::image("", "image/png"));
        call.attach(tc::resource_link("on my desk", "k1"));
        call.attach(tc::text(" "));
        return Weight{1.5};
      });
}

/// "Widths" to "echo_widths"
std::string echo_name(std::string_view type) {
  std::string name = "echo_";
  for (const char c : type) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

struct AddEcho {
  std::vector<tc::Tool>& tools;

  template <class T>
  void operator()(std::string_view type) const {
    if constexpr (tc::detail::DescribedRecord<T>) {
      if (tc::table_of<T>().has_secret()) return;  // a result may not have one
      tools.push_back(tc::tool<T, T>(tc::ToolName::checked(echo_name(type)))
                          .does("Gives its arguments back.")
                          .reads()
                          .handle([](const T& in) { return in; }));
    }
  }
};

}  // namespace

std::vector<tc::Tool> tools() {
  const samples::Comment leaf{"no", {}, {}};
  const samples::Comment tree{"yes", {leaf}, {{"ada", leaf}}};
  std::vector<tc::Tool> tools = {tc::tool<Wish, Weight>("endings_read")
                                     .title("Weigh")
                                     .does("Ends as it is told to, and changes nothing.")
                                     .input_example({"k1", Ending::success})
                                     .reads()
                                     .closed_world()
                                     .handle(end),
                                 tc::tool<Wish, Weight>("endings_write")
                                     .does("Ends as it is told to, and may have changed something.")
                                     .destroys()
                                     .reconcile_by("endings_read", &Wish::key)
                                     .handle(end),
                                 giving<std::vector<samples::Point>>("points_list", {{1, 2}, {3, 4.5}}),
                                 giving<std::vector<samples::Point>>("points_empty", {}),
                                 giving<samples::Shape>("shape_get", samples::Circle{2}),
                                 giving<nlohmann::json>("json_object", {{"a", {1, nullptr}}}),
                                 giving<nlohmann::json>("json_null", nullptr),
                                 giving<std::int64_t>("number_get", 4503599627370497),
                                 giving<samples::Comment>("tree_get", tree),
                                 giving<std::vector<samples::Comment>>("forest_get", {tree, leaf}),
                                 giving<std::string>("text_broken", "caf\xff"),
                                 blocks_get()};
  samples::for_each_type(AddEcho{tools});
  return tools;
}

std::vector<std::string_view> endings() {
  std::vector<std::string_view> names;
  for (const tc::Choice& choice : tc::table_of<Ending>().root().choices) names.push_back(choice.name);
  return names;
}

}  // namespace wire
