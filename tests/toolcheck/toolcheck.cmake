# SPDX-License-Identifier: MIT
#
# toolcheck as its users see it: PROGRAM is run on schemas and values, and its exit status and output are held against what
# is written here. SCRATCH is a folder for files.

cmake_minimum_required(VERSION 3.24)

set(schema "${SCRATCH}/schema.json")
file(MAKE_DIRECTORY "${SCRATCH}")

# expect(WHAT STATUS OUTPUT INPUT ARGS…): the program is run with ARGS and INPUT on its standard input.
function(expect what status output input)
  file(WRITE "${SCRATCH}/input" "${input}")
  execute_process(COMMAND "${PROGRAM}" ${ARGN}
    INPUT_FILE "${SCRATCH}/input" OUTPUT_VARIABLE printed ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result STREQUAL status OR NOT printed STREQUAL output)
    message(NOTICE "${what}: exit status ${result}, expected ${status}\n--- printed\n${printed}--- expected\n${output}--- on stderr\n${said}")
    message(FATAL_ERROR "not as expected")
  endif()
  if(status STREQUAL "2" AND said STREQUAL "")
    message(FATAL_ERROR "${what}: nothing on stderr says why")
  endif()
  message(STATUS "${what}: ${status}")
endfunction()

# ---- valid, invalid, repaired

file(WRITE "${schema}" [=[{"type":"object","properties":{"city":{"type":"string","minLength":2},"days":{"type":"integer","minimum":1,"maximum":7,"default":3}},
  "required":["city"],"additionalProperties":false}]=])

expect("all valid, defaults filled in" 0
[=[{"valid":true,"field_errors":[],"repairs":[],"value":{"city":"Bern","days":3}}
{"valid":true,"field_errors":[],"repairs":[],"value":{"city":"Rom","days":5}}
]=]
[=[{"city":"Bern"}
{"days":5.0,"city":"Rom"}
]=] validate --schema "${schema}")

expect("one of two invalid, an empty line is no arguments, lines may end in CR LF" 1
"{\"valid\":true,\"field_errors\":[],\"repairs\":[],\"value\":{\"city\":\"Bern\",\"days\":3}}
{\"valid\":false,\"field_errors\":[{\"field\":\"city\",\"code\":\"required\",\"problem\":\"must be given: a string of at least 2 characters\"}],\"repairs\":[]}
"
"{\"city\":\"Bern\"}\r
\r
" validate --schema "${schema}" --in -)

expect("every error of a call at once, in the schema's order" 1
[=[{"valid":false,"field_errors":[{"field":"city","code":"length","problem":"must have at least 2 characters","got":"x"},{"field":"days","code":"range","problem":"must be 1 to 7","got":9},{"field":"day","code":"unknown_field","problem":"must be left out; the known fields are city, days; did you mean days?"}],"repairs":[]}
]=]
[=[{"day":1,"days":9,"city":"x"}]=] validate --schema "${schema}")

expect("text that is no JSON" 1
[=[{"valid":false,"field_errors":[{"field":"","code":"malformed_json","problem":"must be one complete JSON value; it ends too early at byte 8"}],"repairs":[]}
]=]
[=[{"city":]=] validate --schema "${schema}")

file(WRITE "${SCRATCH}/values" [=[{"city":"Bern","days":"5"}]=])
expect("strict, a number as text is wrong" 1
[=[{"valid":false,"field_errors":[{"field":"days","code":"type","problem":"must be an integer, 1 to 7","got":"5"}],"repairs":[]}
]=]
"" validate --schema "${schema}" --in "${SCRATCH}/values")
expect("lenient, it is repaired and the repair reported" 0
[=[{"valid":true,"field_errors":[],"repairs":[{"field":"days","from":"5","to":5}],"value":{"city":"Bern","days":5}}
]=]
"" validate --lenient --in "${SCRATCH}/values" --schema "${schema}")

# ---- a refused schema

file(WRITE "${schema}" [=[{"type":"object","properties":{"a/b":{"unevaluatedProperties":false}}}]=])
expect("a keyword that is not enforced refuses the schema" 3
[=[{"refused":{"at":"/properties/a~1b","keyword":"unevaluatedProperties","problem":"is not enforced; close the objects with additionalProperties, or name the target with $ref"}}
]=]
"{}" validate --schema "${schema}")

file(WRITE "${schema}" [=[{"type":"object","properties":{"n":{"type":"integer","maximum":7,"default":9}}}]=])
expect("a default that its own schema rejects refuses the schema" 3
[=[{"refused":{"at":"/properties/n","keyword":"default","problem":"is rejected by its own schema: it must be at most 7. Got 9."}}
]=]
"{}" validate --schema "${schema}")

# ---- unusable input

expect("no command" 2 "" "")
expect("an unknown command" 2 "" "" check)
expect("no schema" 2 "" "{}" validate)
expect("an unknown option" 2 "" "{}" validate --schema "${schema}" --strict)
expect("an option without its value" 2 "" "{}" validate --schema)
expect("a schema file that is not there" 2 "" "{}" validate --schema "${SCRATCH}/none.json")
file(WRITE "${schema}" "{\"type\":")
expect("a schema that is no JSON" 2 "" "{}" validate --schema "${schema}")
file(WRITE "${schema}" "{}")
expect("an input file that is not there" 2 "" "" validate --schema "${schema}" --in "${SCRATCH}/none")
expect("a file of cases that is not there" 2 "" "" cases "${SCRATCH}/none.jsonl")
file(WRITE "${SCRATCH}/cases.jsonl" "{\"id\":\"half\",\"schema\":{}}\n")
expect("a case without its expectation" 2 "" "" cases "${SCRATCH}/cases.jsonl")

# ---- cases

file(WRITE "${SCRATCH}/cases.jsonl"
[=[{"id":"right","schema":{"type":"integer"},"arguments":1,"strict":{"verdict":"accept","value":1}}
{"id":"wrong verdict","schema":{"type":"integer"},"arguments":1.5,"strict":{"verdict":"accept"}}

{"id":"wrong field","schema":{"properties":{"n":{"type":"integer"}}},"text":"{\"n\":\"1\"}","strict":{"verdict":"reject","fields":[{"field":"m","code":"type"}]}}
{"id":"wrong value","schema":{"properties":{"n":{"default":1}}},"arguments":{},"strict":{"verdict":"accept","value":{"n":2}}}
{"id":"wrong when lenient","schema":{"type":"integer"},"arguments":"1","strict":{"verdict":"reject"},"lenient":{"verdict":"reject"}}
{"id":"refused","schema":{"type":"int"},"arguments":1,"strict":{"verdict":"refused"}}
]=])
expect("cases, of which some fail" 1
[=[wrong verdict: verdict reject: {"valid":false,"field_errors":[{"field":"","code":"type","problem":"must be an integer","got":1.5}],"repairs":[]}
wrong field: field errors [{"field":"n","code":"type"}]
wrong value: value {"n":1}
wrong when lenient: verdict accept: {"valid":true,"field_errors":[],"repairs":[{"field":"","from":"1","to":1}],"value":1}
2 passed, 4 failed
]=]
"" cases "${SCRATCH}/cases.jsonl")
