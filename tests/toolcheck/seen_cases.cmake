# SPDX-License-Identifier: MIT
#
# The cases seen in public bug reports, beside the corpus: all 40 pass.

cmake_minimum_required(VERSION 3.24)

set(cases "$ENV{TOOLCONTRACT_CORPUS}/../cases/arguments.jsonl")
if("$ENV{TOOLCONTRACT_CORPUS}" STREQUAL "" OR NOT EXISTS "${cases}")
  message(NOTICE "LEFT OUT: the cases seen in public bug reports, which lie beside the folder that TOOLCONTRACT_CORPUS names")
  return()
endif()
execute_process(COMMAND "${PROGRAM}" cases "${cases}" OUTPUT_VARIABLE printed ERROR_VARIABLE said RESULT_VARIABLE result)
if(NOT result STREQUAL "0" OR NOT printed STREQUAL "40 passed, 0 failed\n")
  message(NOTICE "exit status ${result}\n${printed}${said}")
  message(FATAL_ERROR "not as expected")
endif()
message(NOTICE "${printed}")
