// SPDX-License-Identifier: MIT
// A table is paged through while it is written: by key no row comes twice and none is skipped, by offset both happen.
#include <toolcontract/toolcontract.hpp>

#include <algorithm>
#include <cstdio>

namespace tc = toolcontract;

struct Entry {
  std::string day, id;  // newest first; several on one day, so the id breaks the tie
};
constexpr auto tool_schema(tc::type<Entry>) {
  return tc::object(tc::field<&Entry::day>("day", "When it was written."), tc::field<&Entry::id>("id", "Its ID."));
}

struct Log {
  std::vector<Entry> entries;  // as the database would keep them: by day, then id, both descending

  static std::string key(const Entry& entry) { return entry.day + " " + entry.id; }  // both parts have one length
  void add(Entry entry) {
    const auto before = [](const Entry& a, const Entry& b) { return key(a) > key(b); };
    entries.insert(std::upper_bound(entries.begin(), entries.end(), entry, before), std::move(entry));
  }
  void remove(std::string_view id) {
    std::erase_if(entries, [&](const Entry& entry) { return entry.id == id; });
  }

  // SELECT … WHERE (day, id) < (…) ORDER BY day DESC, id DESC LIMIT most
  std::vector<Entry> after(const std::optional<std::string>& position, std::int32_t most) const {
    std::vector<Entry> found;
    for (const Entry& entry : entries)
      if ((!position || key(entry) < *position) && static_cast<std::int32_t>(found.size()) < most)
        found.push_back(entry);
    return found;
  }
};

struct Request {
  std::int32_t limit = 0;
  std::optional<std::string> cursor;
};
constexpr auto tool_schema(tc::type<Request>) {
  return tc::object(tc::field<&Request::limit>("limit", "Page size.", tc::between(1, 50), tc::default_value(3)),
                    tc::field<&Request::cursor>("cursor", "The next_cursor of the page before."));
}

tc::Tool log_list(const Log& log) {
  const tc::Cursors<Request> cursors("log_list", "day desc, id desc", &Request::cursor, &Request::limit);
  return tc::tool<Request, tc::Page<Entry>>("log_list")
      .does("Lists the log, newest first.")
      .reads()
      .max_result_bytes(4'000)
      .handle([&log, cursors](const Request& in) -> tc::Result<tc::Page<Entry>> {
        const auto start = cursors.at(in);
        if (!start) return start.error();
        return tc::page(log.after(start->position(), in.limit + 1), in.limit, start->after(Log::key));
      });
}

int main() {
  Log log;
  for (int i = 1; i <= 8; ++i) log.add({"2026-11-0" + std::to_string((i + 1) / 2), "e" + std::to_string(i)});
  const tc::Toolset tools{log_list(log)};

  // What happens between the pages: a new entry on top, then one that was shown is deleted.
  const auto meanwhile = [&](int page) {
    if (page == 1) log.add({"2026-11-05", "e9"});
    if (page == 2) log.remove("e7");
  };

  std::puts("by key:");
  std::string arguments = R"({"limit":3})";
  for (int page = 1; !arguments.empty(); ++page) {
    const tc::Outcome outcome = tools.call("log_list", arguments);
    std::printf("  %s\n", outcome.text().c_str());
    const auto json = outcome.result();
    arguments = json["complete"] ? "" : R"({"limit":3,"cursor":)" + json["next_cursor"].dump() + "}";
    meanwhile(page);
  }

  log.remove("e9");
  log.add({"2026-11-04", "e7"});
  std::puts("by offset, the same table and the same writes:");
  for (std::size_t offset = 0, page = 1; offset < log.entries.size(); offset += 3, ++page) {
    std::string shown;
    for (std::size_t i = offset; i < (std::min)(offset + 3, log.entries.size()); ++i) shown += " " + log.entries[i].id;
    std::printf("  rows %zu to %zu:%s\n", offset, offset + 2, shown.c_str());
    meanwhile(static_cast<int>(page));
  }

  std::puts("a cursor of somewhere else:");
  const tc::Outcome foreign = tools.call("log_list", R"({"cursor":"eyJvIjo1MH0"})", {.correlation_id = "req_1"});
  std::printf("  %s\n", tc::envelope_text(foreign.error()).c_str());
}
