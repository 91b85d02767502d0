// expect: nothing is wrong here
#include <toolcontract/toolcontract.hpp>
int main() {}
