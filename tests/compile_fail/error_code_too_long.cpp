// expect: an_error_code_must_be_SCREAMING_SNAKE_such_as_ORDER_NOT_FOUND_of_1_to_64_characters
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error =
    tc::business("A_CODE_OF_SIXTY_FIVE_CHARACTERS_IS_ONE_TOO_LONG_TO_BE_AN_ERROR_CO", "Order A17 does not exist.");
