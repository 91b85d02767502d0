// expect: define VALIJSON_USE_EXCEPTIONS=1
#include <toolcontract/schema_validator.hpp>
