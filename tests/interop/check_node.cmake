# SPDX-License-Identifier: MIT
#
# What every other interop test needs: NODE is a Node 20 or newer, and the packages of package-lock.json lie in FOLDER.

cmake_minimum_required(VERSION 3.24)

function(fail reason)
  message(NOTICE "${reason}\ncmake/bootstrap.sh test brings both")
  message(FATAL_ERROR "the interop tests cannot run")
endfunction()

if(NOT NODE)
  fail("There is no node on the PATH.")
endif()
execute_process(COMMAND "${NODE}" -p process.versions.node
  OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result)
if(NOT result STREQUAL "0" OR version VERSION_LESS 20)
  fail("${NODE} is Node ${version}, the interop tests need 20 or newer.")
endif()

# npm leaves there what it installed, by the lock file. Newer sources with older packages are a failure, not a surprise.
execute_process(COMMAND "${NODE}" --input-type=module -e [[
  import { existsSync, readFileSync } from 'node:fs';
  const read = file => JSON.parse(readFileSync(file)).packages;
  const installed = existsSync('node_modules') ? read('node_modules/.package-lock.json') : {};
  for (const [path, { version, optional }] of Object.entries(read('package-lock.json')))
    if (path !== '' && !optional && installed[path]?.version !== version) { console.log(`${path} ${version}`); break; }
  ]]
  WORKING_DIRECTORY "${FOLDER}"
  OUTPUT_VARIABLE missing OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result)
if(NOT result STREQUAL "0" OR NOT missing STREQUAL "")
  fail("Not installed as locked: ${missing}. In ${FOLDER}: npm ci")
endif()
message(STATUS "Node ${version}, packages as locked")
