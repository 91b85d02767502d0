# SPDX-License-Identifier: MIT
#
# Compiles SOURCE, which must fail with the text that its first line names:
#
#     // expect: tool names are snake_case
#     // expect-clang: only where clang's words must differ
#
# The text must stand in what the compiler says, not in source that it shows: excerpts are turned off.

cmake_minimum_required(VERSION 3.24)

# The reason as it is, before CMake's own words, which would wrap it.
function(fail reason)
  message(NOTICE "${reason}")
  message(FATAL_ERROR "not as expected")
endfunction()

file(READ "${SOURCE}" text LIMIT 4096)
if(NOT text MATCHES "^// expect: ([^\r\n]+)")
  fail("${SOURCE}: the first line must be // expect: TEXT")
endif()
set(expected "${CMAKE_MATCH_1}")

if(COMPILER_ID MATCHES "Clang")
  set(plain -fno-caret-diagnostics -fno-color-diagnostics)
  if(text MATCHES "^[^\n]*\n// expect-clang: ([^\r\n]+)")
    set(expected "${CMAKE_MATCH_1}")
  endif()
else()
  set(plain -fno-diagnostics-show-caret -fdiagnostics-color=never)
endif()

set(ENV{LC_ALL} C)
execute_process(
  COMMAND "${COMPILER}" "@${FLAGS_FILE}" -fmessage-length=0 ${plain} "${SOURCE}"
  OUTPUT_VARIABLE said
  ERROR_VARIABLE said
  RESULT_VARIABLE result)

if(result STREQUAL "0")
  fail("${SOURCE} compiles, but must not. It should have said:\n  ${expected}")
endif()

string(FIND "${said}" "${expected}" at)
if(at EQUAL -1)
  fail("${said}\n${SOURCE} does not compile, but no diagnostic says:\n  ${expected}")
endif()

string(REGEX MATCHALL "\n" lines "${said}")
list(LENGTH lines lines)
message(STATUS "says so, in ${lines} lines")
