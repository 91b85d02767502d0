# SPDX-License-Identifier: MIT
#
# Builds and runs the consumer, with WAY: find_package (against a fresh install into a scratch prefix) or add_subdirectory.

cmake_minimum_required(VERSION 3.24)

file(REMOVE_RECURSE "${SCRATCH}")
set(prefix "${SCRATCH}/prefix")
list(PREPEND PREFIX_PATH "${prefix}")

if(WAY STREQUAL "find_package")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" --install "${TOOLCONTRACT_BINARY}" --prefix "${prefix}"
    OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
  set(source "")
elseif(WAY STREQUAL "add_subdirectory")
  set(source "${TOOLCONTRACT_SOURCE}")
else()
  message(FATAL_ERROR "WAY must be find_package or add_subdirectory")
endif()

set(ENV{CXXFLAGS} "-Wall -Wextra -Werror")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${SCRATCH}/build" -G "${GENERATOR}"
    -D "CMAKE_CXX_COMPILER=${COMPILER}"
    -D "CMAKE_PREFIX_PATH=${PREFIX_PATH}"
    -D "TOOLCONTRACT_SOURCE=${source}"
    -D "EXPECT_RE2=${HAS_RE2}"
    -D "EXPECT_PARTS=${PARTS}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND "${CMAKE_COMMAND}" --build "${SCRATCH}/build"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND "${SCRATCH}/build/consumer"
  COMMAND_ERROR_IS_FATAL ANY)
