# SPDX-License-Identifier: MIT
#
# Runs PROGRAM with ARGS and holds its standard output against the file EXPECTED. The output is left in ACTUAL, so after a
# change that was meant:   cp build/test/examples/x.output examples/x.output

cmake_minimum_required(VERSION 3.24)

if(NOT EXISTS "${INPUT}")
  set(INPUT "${ACTUAL}.no_input")
  file(WRITE "${INPUT}" "")
endif()

# The reason as it is, before CMake's own words, which would wrap it.
function(fail reason)
  message(NOTICE "${reason}")
  message(FATAL_ERROR "not as expected")
endfunction()

execute_process(
  COMMAND "${PROGRAM}" ${ARGS}
  INPUT_FILE "${INPUT}"
  OUTPUT_FILE "${ACTUAL}"
  RESULT_VARIABLE result)
if(NOT result STREQUAL "0")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E cat "${ACTUAL}")
  fail("${PROGRAM} ended with: ${result}")
endif()

if(NOT EXISTS "${EXPECTED}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E cat "${ACTUAL}")
  fail("${EXPECTED} does not exist; what the program printed stands above and in ${ACTUAL}")
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${EXPECTED}" "${ACTUAL}" RESULT_VARIABLE differs ERROR_QUIET)
if(differs)
  find_program(DIFF diff)
  if(DIFF)
    execute_process(COMMAND "${DIFF}" -u "${EXPECTED}" "${ACTUAL}")
  else()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E cat "${ACTUAL}")
  endif()
  fail("the output is not ${EXPECTED}; if the change was meant, copy ${ACTUAL} there")
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" -E cat "${ACTUAL}")
