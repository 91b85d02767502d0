// SPDX-License-Identifier: MIT
#include <cstdio>
#include <toolcontract/toolcontract.hpp>

int main() { std::puts("toolcontract: found, compiled and linked"); }
