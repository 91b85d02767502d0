# SPDX-License-Identifier: MIT
#
# Finds RE2 and defines re2::re2. What a system ships differs, so three things are tried in turn: RE2's CMake package,
# its pkg-config file (Debian 12's libre2-dev has this one only), and the library and header themselves.
#
# Sets RE2_FOUND and RE2_ORIGIN, which says where it was found.

include(FindPackageHandleStandardArgs)

unset(RE2_ORIGIN)

if(TARGET re2::re2)
  set(RE2_ORIGIN "target re2::re2")
endif()

if(NOT RE2_ORIGIN)
  find_package(re2 CONFIG QUIET)
  if(TARGET re2::re2)
    set(RE2_ORIGIN "${re2_DIR}")
  endif()
endif()

if(NOT RE2_ORIGIN)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(TOOLCONTRACT_RE2_PC QUIET IMPORTED_TARGET re2)
    if(TARGET PkgConfig::TOOLCONTRACT_RE2_PC)
      add_library(re2::re2 INTERFACE IMPORTED)
      set_target_properties(re2::re2 PROPERTIES INTERFACE_LINK_LIBRARIES PkgConfig::TOOLCONTRACT_RE2_PC)
      set(RE2_ORIGIN "pkg-config")
    endif()
  endif()
endif()

if(NOT RE2_ORIGIN)
  find_path(RE2_INCLUDE_DIR re2/re2.h)
  find_library(RE2_LIBRARY re2)
  mark_as_advanced(RE2_INCLUDE_DIR RE2_LIBRARY)
  if(RE2_INCLUDE_DIR AND RE2_LIBRARY)
    find_package(Threads QUIET)
    add_library(re2::re2 UNKNOWN IMPORTED)
    set_target_properties(re2::re2 PROPERTIES
      IMPORTED_LOCATION "${RE2_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${RE2_INCLUDE_DIR}")
    if(TARGET Threads::Threads)
      set_target_properties(re2::re2 PROPERTIES INTERFACE_LINK_LIBRARIES Threads::Threads)
    endif()
    set(RE2_ORIGIN "${RE2_LIBRARY}")
  endif()
endif()

find_package_handle_standard_args(RE2
  REQUIRED_VARS RE2_ORIGIN
  REASON_FAILURE_MESSAGE "install libre2-dev (Debian, Ubuntu), re2-devel (Fedora) or re2 (Homebrew)")
