# SPDX-License-Identifier: MIT
#
# The include graph, held to its table:   cmake -P cmake/check_headers.cmake
#
# A header may include toolcontract headers of lower levels, never of its own or a higher one. Fails with one line,
# file:line: arrow: rule, for each include that may not be there, and for each header that is not in the table or would
# not be installed.
# -D INCLUDE_DIR=… checks another tree.

cmake_minimum_required(VERSION 3.24)

# Level, header. Whole levels are those of the design; what is below 0 and fractions hold what its headers share. From level 9: headers
# with a target of their own; nothing below includes them.
set(table
   -2 scanner       -2 number
 -1.5 hostname     -1.5 literal
   -1 format        -1 utf8
 -0.5 limits      -0.5 error_facts -0.5 ecma_pattern
    0 error          0 table         0 pattern
  0.3 path
  0.5 problem      0.5 storage      0.5 content
  0.5 table_builder
  0.6 beyond
    1 constraint     1 call          1 text          1 correlation    1 token        1 retry_after
    1 seal
  1.1 field_check
  1.2 schema         1.2 error_limits  0.5 store_number
  1.5 json_value
  1.6 equality       1.6 document   1.6 json_walk
  1.8 accept
 1.85 explain_branches
  1.9 explain
    2 check
  2.5 defaults       2.5 repair     2.5 reference  2.5 further  2.5 keyword_reader
  2.55 schema_keywords
  2.6 document_compiler  2.6 compiled_schema
    3 decode        3 encode        3 checker       3 envelope      3 retry         3 upstream
  3.5 fingerprint   3.5 merge
  3.8 partial      3.8 section
    4 batch         4 json_schema   4 outcome       4 page          4 ledger        4 approval
  4.2 fit
  4.5 definition
  4.6 literal_check  4.6 cursor
  4.7 tool_core
  4.8 tool_draft
    5 tool
  5.5 document_tool  5.5 admission
  5.8 invocation
    6 toolset       6 lint
    7 wire/mcp      7 wire/claude   7 wire/openai   7 wire/gemini
    8 toolcontract  8 testing
    9 schema_validator  9 seal/sodium
  9.3 store/store
  9.4 store/sqlite_file  9.4 store/postgres_connection
  9.5 store/sqlite  9.5 store/postgres)

# Include that is not of the standard library (as a regex), the headers that may have it (as a regex), who that is.
set(foreign
  "re2/.*"       "pattern"           "only pattern.hpp knows RE2"
  "valijson/.*"  "schema_validator"  "only schema_validator.hpp knows valijson"
  "sqlite3\\.h"  "store/sqlite_file" "only store/sqlite_file.hpp knows SQLite"
  "libpq-fe\\.h" "store/postgres_connection" "only store/postgres_connection.hpp knows libpq"
  "sodium\\.h"   "seal/sodium"       "only seal/sodium.hpp knows libsodium")

set(json_from_level 1.5)                         # nlohmann/json.hpp and its relatives
set(banned iostream regex filesystem thread)     # too dear, or not ours to start
set(outside_umbrella wire/openai wire/gemini)

if(NOT INCLUDE_DIR)
  get_filename_component(INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../include" ABSOLUTE)
endif()

get_filename_component(build_file "${CMAKE_CURRENT_LIST_DIR}/../CMakeLists.txt" ABSOLUTE)
file(READ "${build_file}" build_text)

set(names "")
while(table)
  list(POP_FRONT table level name)
  set("level_of_${name}" ${level})
  list(APPEND names "${name}")
endwhile()

set(faults 0)
macro(fault line text)
  math(EXPR faults "${faults} + 1")
  message(NOTICE "include/${file}:${line}: ${text}")
endmacro()

file(GLOB_RECURSE files RELATIVE "${INCLUDE_DIR}" "${INCLUDE_DIR}/*")
list(SORT files)
set(checked 0)

foreach(file IN LISTS files)
  if(NOT file MATCHES "^toolcontract/(.+)\\.hpp$" OR NOT CMAKE_MATCH_1 IN_LIST names)
    fault(1 "not in the table of cmake/check_headers.cmake: give it a level")
    continue()
  endif()
  set(from "${CMAKE_MATCH_1}")
  string(FIND "${build_text}" "include/${file}\n" listed)
  string(FIND "${build_text}" "include/${file})" listed_last)
  if(listed EQUAL -1 AND listed_last EQUAL -1)
    fault(1 "not in the FILE_SET of CMakeLists.txt: it would not be installed")
  endif()
  set(from_level "${level_of_${from}}")
  math(EXPR checked "${checked} + 1")

  # Lines as a list: first take out what would confuse list handling.
  file(READ "${INCLUDE_DIR}/${file}" text)
  string(REGEX REPLACE "[][;\\]" " " text "${text}")
  string(REPLACE "\n" ";" text "${text}")

  set(number 0)
  foreach(line IN LISTS text)
    math(EXPR number "${number} + 1")
    if(NOT line MATCHES "^[ \t]*#[ \t]*include[ \t_]*(.*)$")
      continue()
    endif()
    set(rest "${CMAKE_MATCH_1}")
    if(NOT rest MATCHES "^<([^>]+)>")
      fault(${number} "include ${rest}: must be written <toolcontract/x.hpp>, with the full path")
      continue()
    endif()
    set(to "${CMAKE_MATCH_1}")
    set(arrow "${from}.hpp (level ${from_level}) -> ${to}")

    if(to MATCHES "^toolcontract/(.*)$")
      string(REGEX REPLACE "\\.hpp$" "" to_name "${CMAKE_MATCH_1}")
      if(NOT to_name IN_LIST names)
        fault(${number} "${arrow}: no such header in the table")
      elseif(level_of_${to_name} GREATER_EQUAL from_level)
        fault(${number} "${arrow} (level ${level_of_${to_name}}): a header may include lower levels only")
      elseif(from STREQUAL "toolcontract" AND to_name IN_LIST outside_umbrella)
        fault(${number} "${arrow}: stays outside the umbrella")
      endif()
    elseif(to MATCHES "^nlohmann/")
      if(from_level LESS json_from_level)
        fault(${number} "${arrow}: levels below ${json_from_level} know no JSON library")
      endif()
    elseif(to MATCHES "[./]")
      set(rules "${foreign}")
      set(known FALSE)
      while(rules)
        list(POP_FRONT rules include_regex allowed_regex rule)
        if(to MATCHES "^${include_regex}$")
          set(known TRUE)
          if(NOT from MATCHES "^${allowed_regex}$")
            fault(${number} "${arrow}: ${rule}")
          endif()
        endif()
      endwhile()
      if(NOT known)
        fault(${number} "${arrow}: neither the standard library nor a dependency in the table")
      endif()
    elseif(to IN_LIST banned)
      fault(${number} "${arrow}: <${to}> must not be in a public header")
    endif()
  endforeach()
endforeach()

if(faults)
  message(FATAL_ERROR "${faults} fault(s) in the include graph")
elseif(NOT checked)
  message(FATAL_ERROR "no headers under ${INCLUDE_DIR}")
endif()
message(STATUS "include graph: ${checked} headers, as in the table")
