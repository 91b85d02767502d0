# SPDX-License-Identifier: MIT
#
# The README's program is examples/quickstart.cpp, word for word, and the error it shows is what that program prints.

cmake_minimum_required(VERSION 3.24)
get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
file(READ "${root}/README.md" readme)
file(READ "${root}/examples/quickstart.cpp" code)
file(READ "${root}/examples/quickstart.output" output)

string(FIND "${code}" "\n" line_end)  # after the licence line
math(EXPR line_end "${line_end} + 1")
string(SUBSTRING "${code}" ${line_end} -1 code)
string(FIND "${readme}" "```cpp\n${code}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "README.md does not show examples/quickstart.cpp as it is")
endif()

# The envelope, compared without white space and without the escapes of the block it came in.
string(REGEX MATCH "```json\n([^`]*)```" found "${readme}")
string(REGEX REPLACE "[ \n\\]" "" shown "${CMAKE_MATCH_1}")
string(REGEX REPLACE "[ \n\\]" "" printed "${output}")
string(FIND "${printed}" "${shown}" at)
if(shown STREQUAL "" OR at EQUAL -1)
  message(FATAL_ERROR "README.md shows an error that quickstart does not print:\n${shown}")
endif()
