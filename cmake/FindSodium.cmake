# SPDX-License-Identifier: MIT
#
# Finds libsodium and defines Sodium::Sodium. libsodium ships no CMake package itself, so two things are tried in turn:
# vcpkg's package, and the library and header themselves.
#
# Sets SODIUM_FOUND and SODIUM_ORIGIN, which says where it was found.

include(FindPackageHandleStandardArgs)

unset(SODIUM_ORIGIN)

if(TARGET Sodium::Sodium)
  set(SODIUM_ORIGIN "target Sodium::Sodium")
endif()

if(NOT SODIUM_ORIGIN)
  find_package(unofficial-sodium CONFIG QUIET)
  if(TARGET unofficial-sodium::sodium)
    add_library(Sodium::Sodium INTERFACE IMPORTED)
    set_target_properties(Sodium::Sodium PROPERTIES INTERFACE_LINK_LIBRARIES unofficial-sodium::sodium)
    set(SODIUM_ORIGIN "${unofficial-sodium_DIR}")
  endif()
endif()

if(NOT SODIUM_ORIGIN)
  find_path(SODIUM_INCLUDE_DIR sodium.h)
  find_library(SODIUM_LIBRARY NAMES sodium libsodium)
  mark_as_advanced(SODIUM_INCLUDE_DIR SODIUM_LIBRARY)
  if(SODIUM_INCLUDE_DIR AND SODIUM_LIBRARY)
    add_library(Sodium::Sodium UNKNOWN IMPORTED)
    set_target_properties(Sodium::Sodium PROPERTIES
      IMPORTED_LOCATION "${SODIUM_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${SODIUM_INCLUDE_DIR}")
    set(SODIUM_ORIGIN "${SODIUM_LIBRARY}")
  endif()
endif()

find_package_handle_standard_args(Sodium
  REQUIRED_VARS SODIUM_ORIGIN
  REASON_FAILURE_MESSAGE "install libsodium-dev (Debian, Ubuntu), libsodium-devel (Fedora) or libsodium (Homebrew)")
