// SPDX-License-Identifier: MIT
#include <toolcontract/pattern.hpp>

#include "catch.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tc = toolcontract;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

/// What building the pattern throws.
std::string refusal(std::string_view ecma) {
  try {
    const tc::Pattern pattern(ecma);
  } catch (const tc::PatternError& refused) {
    return refused.what();
  }
  return "(it is accepted)";
}

}  // namespace

#if TOOLCONTRACT_HAS_RE2

namespace {

/// A pattern, texts it matches and texts it does not.
struct Verdicts {
  std::string_view pattern;
  std::vector<std::string_view> yes;
  std::vector<std::string_view> no;
};

void check(const std::vector<Verdicts>& table) {
  for (const auto& [source, yes, no] : table) {
    const tc::Pattern pattern(source);
    for (const std::string_view text : yes) {
      INFO(source << " must match: " << text);
      CHECK(pattern.matches(text));
    }
    for (const std::string_view text : no) {
      INFO(source << " must not match: " << text);
      CHECK_FALSE(pattern.matches(text));
    }
  }
}

}  // namespace

TEST_CASE("pattern: a match anywhere in the text is one, as JSON Schema has it") {
  CHECK(tc::Pattern("b").matches("abc"));
  CHECK_FALSE(tc::Pattern("^b").matches("abc"));
}

TEST_CASE("pattern: source() is the pattern as it was written") {
  CHECK(tc::Pattern(R"(^\s+$)").source() == R"(^\s+$)");
}

// Both tables hold the verdicts of V8: new RegExp(pattern, "u").test(text), without the "u" in the second one.
TEST_CASE("pattern: every translation means what ECMA-262 with the u flag means") {
  check({
      {R"(^A[0-9]+$)", {"A17"sv}, {"A"sv, "xA17"sv, "A17x"sv, "A17\n"sv}},
      {R"(b)", {"abc"sv}, {"ac"sv, ""sv}},
      {R"()", {""sv, "anything"sv}, {}},
      {R"(^.$)", {"a"sv, "\u00e9"sv, "\U0001f600"sv, "\xc2\x85"sv}, {"\n"sv, "\r"sv, "\u2028"sv, "\u2029"sv, "ab"sv}},
      {R"(^\s$)",
       {" "sv, "\t"sv, "\n"sv, "\013"sv, "\014"sv, "\r"sv, "\u00a0"sv, "\u1680"sv, "\u2000"sv, "\u200a"sv, "\u2028"sv,
        "\u2029"sv, "\u202f"sv, "\u205f"sv, "\u3000"sv, "\ufeff"sv},
       {"\u200b"sv, "\u180e"sv, "\xc2\x85"sv, "a"sv}},
      {R"(^\S$)", {"\u200b"sv, "\u180e"sv, "\xc2\x85"sv, "a"sv, "\U0001f600"sv}, {" "sv, "\u00a0"sv, "\ufeff"sv}},
      {R"(^[\s]$)", {"\u3000"sv}, {"a"sv}},
      {R"(^[^\s]$)", {"a"sv, "\u200b"sv}, {"\u3000"sv}},
      {R"(^[\S]$)", {"a"sv}, {"\u3000"sv}},
      {R"(^[^\S]$)", {"\u3000"sv}, {"a"sv}},
      {R"(^[\s\S]$)", {"\n"sv, "a"sv}, {}},
      {R"(^\d$)", {"7"sv}, {"\u0667"sv, "a"sv}},
      {R"(^\D$)", {"\u0667"sv}, {"7"sv}},
      {R"(^\w$)", {"a"sv, "_"sv, "9"sv}, {"\u00e9"sv, "\u017f"sv, "-"sv}},
      {R"(^\W$)", {"\u00e9"sv, "-"sv}, {"a"sv}},
      {R"(\bcat\b)", {"a cat."sv, "\u00e9cat"sv}, {"concat"sv, "cats"sv}},
      {R"(\Bcat)", {"concat"sv}, {"a cat"sv, "\u00e9cat"sv}},
      {R"(\B)", {"\u00e9\u00e9"sv, ""sv}, {"a\u00e9a"sv, "a"sv}},
      {R"(^\t\n\r\f\v\0$)", {"\t\n\r\014\013\000"sv}, {"tnrfv0"sv}},
      {R"(^\x41\u0042\u{43}$)", {"ABC"sv}, {"abc"sv}},
      {R"(^\u00e9$)", {"\u00e9"sv}, {"e"sv}},
      {R"(^\ud83d\ude00$)", {"\U0001f600"sv}, {"?"sv}},
      {R"(^\u{1F600}$)", {"\U0001f600"sv}, {}},
      {R"(^[\u{1F600}-\u{1F64F}]$)", {"\U0001f600"sv, "\U0001f64f"sv}, {"\U0001f680"sv}},
      {R"(^[\ud83d\ude00-\ud83d\ude4f]$)", {"\U0001f600"sv}, {"\U0001f680"sv}},
      {R"(^[😀-🙏]$)", {"\U0001f602"sv}, {"\U0001f680"sv}},
      {R"(^\cA\cj$)", {"\001\n"sv}, {"cAcj"sv}},
      {R"(^[\b]$)", {"\010"sv}, {"b"sv}},
      {R"(^[\-a]$)", {"-"sv, "a"sv}, {"\\"sv}},
      {R"(^[a-]$)", {"-"sv, "a"sv}, {"b"sv}},
      {R"(^[-a]$)", {"-"sv, "a"sv}, {}},
      {R"(^[a-c-e]$)", {"b"sv, "-"sv, "e"sv}, {"d"sv}},
      {R"(^[+--]$)", {"+"sv, ","sv, "-"sv}, {"."sv}},
      {R"(^[[]$)", {"["sv}, {"]"sv}},
      {R"(^[\]]$)", {"]"sv}, {"\\"sv}},
      {R"(^[.*+?(){}|^$]$)", {"."sv, "$"sv, "^"sv}, {"a"sv}},
      {R"(^[^a]$)", {"\n"sv, "\U0001f600"sv}, {"a"sv}},
      {R"(^[^]$)", {"\n"sv, "\U0001f600"sv}, {""sv}},
      {R"(^[&&]$)", {"&"sv}, {"a"sv}},
      {R"(^(?<year>\d{4})-(?<month>\d{2})$)", {"2026-11"sv}, {"26-11"sv}},
      {R"(^(?:ab|c)+$)", {"abcab"sv}, {""sv, "abd"sv}},
      {R"(^a{2}$)", {"aa"sv}, {"a"sv, "aaa"sv}},
      {R"(^a{2,}$)", {"aaa"sv}, {"a"sv}},
      {R"(^a{1,2}$)", {"a"sv}, {""sv, "aaa"sv}},
      {R"(^a+?b*?c??$)", {"aabb"sv, "aac"sv}, {"b"sv}},
      {R"(^\p{L}+$)", {"Stra\u00dfe"sv}, {"a1"sv}},
      {R"(^\p{Letter}+$)", {"Stra\u00dfe"sv}, {"a1"sv}},
      {R"(^\p{gc=Lu}$)", {"\u00c4"sv}, {"\u00e4"sv}},
      {R"(^\p{General_Category=Lowercase_Letter}$)", {"\u00e4"sv}, {"\u00c4"sv}},
      {R"(^\p{Nd}$)", {"7"sv, "\u0667"sv}, {"\u00bd"sv}},
      {R"(^\p{digit}$)", {"\u0667"sv}, {"\u00bd"sv}},
      {R"(^\p{punct}$)", {"!"sv}, {"+"sv}},
      {R"(^\P{L}$)", {"1"sv}, {"a"sv}},
      {R"(^[\p{L}\p{N}_-]+$)", {"Stra\u00dfe_5-a"sv}, {"a b"sv}},
      {R"(^[^\p{L}]$)", {"1"sv}, {"a"sv}},
      {R"(^\p{Script=Greek}$)", {"\u03b1"sv}, {"a"sv}},
      {R"(^\p{sc=Han}$)", {"\u6f22"sv}, {"a"sv}},
      {R"(^\p{C}$)", {"\001"sv, "\u00ad"sv, "\u0378"sv}, {"a"sv}},
      {R"(^\P{C}$)", {"a"sv}, {"\001"sv, "\u0378"sv}},
      {R"(^[\P{C}]$)", {"a"sv}, {"\u0378"sv}},
      {R"(^\p{Any}$)", {"\u0378"sv, "a"sv}, {""sv}},
      {R"(a|^b$)", {"xa"sv, "b"sv}, {"bb"sv}},
      {R"(^\/\.\$\^\(\)\[\]\{\}\|\*\+\?\\$)", {"/.$^()[]{}|*+?\\"sv}, {}},
      {R"(^$)", {""sv}, {"\n"sv}},
      {R"(a$)", {"a"sv}, {"a\n"sv}},
      {R"(^a)", {"a"sv}, {"\na"sv}},
  });
}

TEST_CASE("pattern: where only the u flag objects, the meaning of ECMA-262 without it is taken") {
  check({
      {R"(^\@\-\_\ \é$)", {"@-_ \u00e9"sv}, {}},
      {R"(^{a}$)", {"{a}"sv}, {}},
      {R"(^a{,2}$)", {"a{,2}"sv}, {"aa"sv}},
      {R"(^{,2}$)", {"{,2}"sv}, {""sv}},
      {R"(^a{$)", {"a{"sv}, {}},
      {R"(^}$)", {"}"sv}, {}},
      {R"(^]$)", {"]"sv}, {}},
      {R"(^{a}+$)", {"{a}}"sv, "{a}"sv}, {}},
      {R"(^x{1,2,3}$)", {"x{1,2,3}"sv}, {"x"sv}},
      {R"(^[\w-.]+$)", {"a-b.c"sv}, {"a b"sv, "a,b"sv}},
      {R"(^[\s-+]$)", {"+"sv, "-"sv, " "sv}, {","sv}},
      {R"(^[+-\d]$)", {"+"sv, "-"sv, "5"sv}, {","sv}},
      {R"(^[\w--/]$)", {"-"sv, "/"sv}, {"."sv}},
      {R"(^[\x01-\s]$)", {"\001"sv, "-"sv, " "sv}, {"\002"sv}},
      {R"(^[\@]$)", {"@"sv}, {"\\"sv}},
  });
}

TEST_CASE("pattern: what has no linear-time meaning, or is of another dialect, is refused with the reason") {
  const std::pair<std::string_view, std::string_view> table[] = {
      {R"x(a(?=b))x",
       R"(uses lookaround, which cannot run in linear time; write the condition as a rule or as two patterns)"},
      {R"x(a(?!b))x",
       R"(uses lookaround, which cannot run in linear time; write the condition as a rule or as two patterns)"},
      {R"x((?<=a)b)x",
       R"(uses lookaround, which cannot run in linear time; write the condition as a rule or as two patterns)"},
      {R"x((?<!a)b)x",
       R"(uses lookaround, which cannot run in linear time; write the condition as a rule or as two patterns)"},
      {R"x((a)\1)x", R"(uses a backreference, which cannot run in linear time)"},
      {R"x((?<n>a)\k<n>)x", R"(uses a named backreference, which cannot run in linear time)"},
      {R"x((?i)a)x", R"(uses a group such as (?i) or (?P<name>…), which JSON Schema patterns do not have)"},
      {R"x((?i:a))x", R"(uses a group such as (?i) or (?P<name>…), which JSON Schema patterns do not have)"},
      {R"x((?P<n>a))x", R"(uses a group such as (?i) or (?P<name>…), which JSON Schema patterns do not have)"},
      {R"x((?<1a>x))x", R"(has a group whose name starts with a digit)"},
      {R"x(\Aa)x", R"(has the unknown escape \A)"},
      {R"x(a\z)x", R"(has the unknown escape \z)"},
      {R"x(\Qa\E)x", R"(has the unknown escape \Q)"},
      {R"x(\pL)x", R"(has \p without {…})"},
      {R"x(\p{L)x", R"(has \p without {…})"},
      {R"x(\p{Greek})x",
       R"(has \p{Greek}, which is no general category such as \p{L} and no script such as \p{Script=Greek})"},
      {R"x(\p{^L})x",
       R"(has \p{^L}, which is no general category such as \p{L} and no script such as \p{Script=Greek})"},
      {R"x(\p{Script=Any})x",
       R"(has \p{Script=Any}, which is no general category such as \p{L} and no script such as \p{Script=Greek})"},
      {R"x(\p{Script=L})x",
       R"(has \p{Script=L}, which is no general category such as \p{L} and no script such as \p{Script=Greek})"},
      {R"x(\p{gc=Greek})x",
       R"(has \p{gc=Greek}, which is no general category such as \p{L} and no script such as \p{Script=Greek})"},
      {R"x(\p{Script=})x",
       R"(has \p{Script=}, which is no general category such as \p{L} and no script such as \p{Script=Greek})"},
      {R"x(\p{})x", R"(has \p{}, which is no general category such as \p{L} and no script such as \p{Script=Greek})"},
      {R"x(\p{Emoji})x",
       R"(has \p{Emoji}, which is no general category such as \p{L} and no script such as \p{Script=Greek})"},
      {R"x(\p{Cn})x",
       R"(has \p{Cn}, which is no general category such as \p{L} and no script such as \p{Script=Greek})"},
      {R"x([a\p{C}])x", R"(has \p{C} inside a class; write \P{C} for what is assigned, or the parts \p{Cc}\p{Cf})"},
      {R"x([[:alpha:]])x",
       R"(uses a class such as [:alpha:], which JSON Schema patterns do not have; write the characters out)"},
      {R"x([^[:alpha:]_])x",
       R"(uses a class such as [:alpha:], which JSON Schema patterns do not have; write the characters out)"},
      {R"x([])x", R"(has an empty class []; it can never match)"},
      {R"x([]a])x", R"(has an empty class []; it can never match)"},
      {R"x([a)x", R"(has a class without its ])"},
      {R"x([a\)x", R"(ends in a lone backslash)"},
      {R"x([z-a])x", R"(has a range in a class that is out of order)"},
      {R"x([a\B])x", R"(has \B inside a class)"},
      {R"x([\1])x", R"(has an octal escape; write \xHH)"},
      {R"x([\a])x", R"(has the unknown escape \a)"},
      {R"x(a\)x", R"(ends in a lone backslash)"},
      {R"x(\01)x", R"(has an octal escape; write \xHH)"},
      {R"x(\x4)x", R"(has an escape with too few hex digits)"},
      {R"x(\u004)x", R"(has an escape with too few hex digits)"},
      {R"x(\u{})x", R"(has a malformed \u{…})"},
      {R"x(\u{110000})x", R"(names a code point that does not exist)"},
      {R"x(\u{d800})x", R"(names a code point that does not exist)"},
      {R"x(\u{0000041})x", R"(has a malformed \u{…})"},
      {R"x(\ud83d)x", R"(has half of a surrogate pair)"},
      {R"x(\ude00)x", R"(has half of a surrogate pair)"},
      {R"x(\ud83d\u0041)x", R"(has half of a surrogate pair)"},
      {R"x(\c1)x", R"(has \c without a letter)"},
      {R"x(\c)x", R"(has \c without a letter)"},
      {R"x(*a)x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x(+)x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x(a|?)x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x((*a))x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x({2})x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x(a**)x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x(a*+)x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x(a{2}{3})x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x(^*)x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x(\b+)x", R"(repeats nothing; write \ before a *, + or ? that is meant as itself)"},
      {R"x(a))x", R"(has a ) without its ()"},
      {R"x()\B()x", R"(has a ) without its ()"},
  };
  for (const auto& [pattern, why] : table)
    CHECK(refusal(pattern) == "toolcontract: the pattern " + std::string(pattern) + " " + std::string(why));
}

TEST_CASE("pattern: what RE2 cannot parse is refused with RE2's reason") {
  for (const std::string_view pattern : {R"((?<a-b>x))", R"((?<>x))", R"((?<a)", R"(\p{Script=Klingon})", R"(a{2,1})",
                                         R"(a{1001})", R"((a)", R"((?:a{1000}){1000})"}) {
    const std::string expected = "toolcontract: the pattern " + std::string(pattern) + " does not parse: ";
    CHECK(refusal(pattern).substr(0, expected.size()) == expected);
  }
}

TEST_CASE("pattern: bytes that are not UTF-8 are refused") {
  CHECK(refusal("a\xFF") == "toolcontract: the pattern a\xFF is not valid UTF-8");
}

TEST_CASE("pattern: a refusal shows the first 200 bytes of a long pattern") {
  CHECK(refusal("(?=" + std::string(10000, 'a') + ")") ==
        "toolcontract: the pattern (?=" + std::string(197, 'a') +
            "… uses lookaround, which cannot run in linear time; write the condition as a rule or as two patterns");
}

TEST_CASE("pattern: a NUL is a character like any other") {
  CHECK(tc::Pattern("^a\0b$"sv).matches("a\0b"sv));
  CHECK_FALSE(tc::Pattern("^a\0b$"sv).matches("a"));
}

TEST_CASE("pattern: a text that is not UTF-8 is no match and no crash") {
  CHECK_FALSE(
      tc::Pattern("^.*$").matches("a\xFF"
                                  "b"));
}

TEST_CASE("pattern: a pattern that makes others backtrack for ever takes linear time") {
  const std::string text = std::string(100'000, 'a') + "!";
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(tc::Pattern("(a+)+$").matches(text));
  CHECK_FALSE(tc::Pattern("^(a|a?)+$").matches(text));
  CHECK_FALSE(tc::Pattern("^(.*)*x$").matches(text));
  CHECK_FALSE(tc::Pattern(R"(^(\w+\s?)*$)").matches(text));
  CHECK(tc::Pattern("^(a+)+!$").matches(text));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("pattern: a hostile pattern is read in linear time") {
  const auto repeated = [](std::string_view part) {
    std::string text;
    while (text.size() < 200'000) text += part;
    return text;
  };
  const auto start = std::chrono::steady_clock::now();
  for (const std::string_view part : {"{", "{1", "[[:a", "(?:", "[^]", "\\u{41}", "[a", "(?<", "{1,"})
    (void)refusal(repeated(part));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

#else

TEST_CASE("pattern: without RE2 no pattern can be built, and the error names the package") {
  CHECK(refusal("^a$") ==
        "toolcontract: the pattern ^a$ needs RE2; install RE2 (Debian: libre2-dev) and configure with "
        "TOOLCONTRACT_RE2=ON");
}

#endif
