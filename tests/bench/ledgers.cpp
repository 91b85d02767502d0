// SPDX-License-Identifier: MIT
// Calls a second through each ledger, against the same tool and the same write without one.
//
//   bench_ledgers [DIRECTORY [CONNINFO]]     where the SQLite files go (default: here); a PostgreSQL server, if there is one
//
// The write is one row, committed by the same database; fsync as the database is set up.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "support_sqlite.hpp"
#ifdef SUPPORT_HAS_POSTGRES
#include "support_postgres.hpp"
#endif
#include "timing.hpp"

namespace {

namespace tc = toolcontract;

struct Note {
  std::string key, text;
};
constexpr auto tool_schema(tc::type<Note>) {
  return tc::object(tc::field<&Note::key>("key", "One a note."), tc::field<&Note::text>("text", "What it says."));
}
struct Noted {
  std::string key;
};
constexpr auto tool_schema(tc::type<Noted>) { return tc::object(tc::field<&Noted::key>("key", "Of the note.")); }

using Write = std::function<tc::Result<Noted>(const Note&, tc::Call&)>;

tc::Toolset plain(Write write) {
  return tc::Toolset{tc::tool<Note, Noted>("notes_add").does("Adds a note.").writes().handle(std::move(write))};
}
tc::Toolset once(tc::Ledger& ledger, Write write, tc::OnceOptions options = {}) {
  return tc::Toolset{tc::tool<Note, Noted>("notes_add")
                         .does("Adds a note.")
                         .writes()
                         .once_per(&Note::key, ledger, options)
                         .handle(std::move(write))};
}

/// Each call has a key nobody has used.
auto calls(const tc::Toolset& tools) {
  return [&tools, n = std::make_shared<std::size_t>(0)] {
    const nlohmann::json arguments = {{"key", "key_" + std::to_string(++*n)}, {"text", "a note of some length"}};
    return tools.call("notes_add", arguments).ok();
  };
}
/// The same call over and over: answered from the ledger.
auto repeats(const tc::Toolset& tools) {
  return [&tools, arguments = nlohmann::json{{"key", "repeat"}, {"text", "a note of some length"}}] {
    return tools.call("notes_add", arguments).ok();
  };
}

}  // namespace

int main(int argc, char** argv) {
  const Write nothing = [](const Note& in, tc::Call&) { return Noted{in.key}; };
  const auto without = plain(nothing);
  tc::MemoryLedger memory(100'000'000);
  const auto in_memory = once(memory, nothing);
  std::puts("a handler that does nothing:");
  bench::compare("with MemoryLedger", "without", calls(in_memory), calls(without));
  bench::compare("with MemoryLedger, a repeat", "without", repeats(in_memory), calls(without));

  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const auto file = [&](const char* name) {
    const auto path = folder / name;
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + end);
    return path.string();
  };
  {
    const std::string one = file("bench_plain.db"), other = file("bench_once.db");
    tc::SqliteLedger journal(one);  // sets the same journal mode
    const support::Sqlite db(one), joined_db(other);
    tc::SqliteLedger ledger(other);
    for (const auto* each : {&db, &joined_db}) each->run("CREATE TABLE notes (key TEXT, text TEXT)");
    const auto insert = "INSERT INTO notes VALUES (?, ?)";
    const auto plain_write = plain([&](const Note& in, tc::Call&) -> tc::Result<Noted> {
      db.run(insert, {in.key, in.text});
      return Noted{in.key};
    });
    const auto joined = once(ledger,
                             [&](const Note& in, tc::Call& call) -> tc::Result<Noted> {
                               joined_db.run("BEGIN IMMEDIATE");
                               joined_db.run(insert, {in.key, in.text});
                               const Noted noted{in.key};
                               if (auto error = ledger.complete_in(joined_db.get(), call, noted)) return *error;
                               joined_db.run("COMMIT");
                               return noted;
                             },
                             {.joined = true});
    std::puts("one row in SQLite, committed (WAL, synchronous=FULL):");
    bench::compare("with SqliteLedger, joined", "without", calls(joined), calls(plain_write));
    bench::compare("with SqliteLedger, a repeat", "without", repeats(joined), calls(plain_write));
  }
#ifdef SUPPORT_HAS_POSTGRES
  if (argc > 2) {
    tc::PostgresLedger ledger(argv[2]);
    const std::unique_ptr<PGconn, void (*)(PGconn*)> db(PQconnectdb(argv[2]), PQfinish);
    const auto run = [&](const char* sql, const Note* note = nullptr) {
      const char* values[] = {note != nullptr ? note->key.c_str() : nullptr,
                              note != nullptr ? note->text.c_str() : nullptr};
      PGresult* result = PQexecParams(db.get(), sql, note != nullptr ? 2 : 0, nullptr, values, nullptr, nullptr, 0);
      const bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
      PQclear(result);
      return done;
    };
    if (!run("DROP TABLE IF EXISTS bench_notes") || !run("CREATE TABLE bench_notes (key TEXT, text TEXT)")) return 1;
    if (!run("DELETE FROM toolcontract_keys WHERE tool = 'notes_add'")) return 1;
    constexpr auto insert = "INSERT INTO bench_notes VALUES ($1, $2)";
    const auto plain_write = plain([&](const Note& in, tc::Call&) -> tc::Result<Noted> {
      if (!run(insert, &in)) return tc::unavailable("The database refused the note.");
      return Noted{in.key};
    });
    const auto joined = once(ledger,
                             [&](const Note& in, tc::Call& call) -> tc::Result<Noted> {
                               if (!run("BEGIN") || !run(insert, &in)) return tc::unavailable("The database refused.");
                               const Noted noted{in.key};
                               if (auto error = ledger.complete_in(db.get(), call, noted)) return *error;
                               if (!run("COMMIT")) return call.timed_out("The note " + in.key);
                               return noted;
                             },
                             {.joined = true});
    std::puts("one row in PostgreSQL, committed:");
    bench::compare("with PostgresLedger, joined", "without", calls(joined), calls(plain_write));
    bench::compare("with PostgresLedger, a repeat", "without", repeats(joined), calls(plain_write));
  }
#endif
}
