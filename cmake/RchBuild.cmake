# Compiler settings and the one way to declare a folder of the architecture.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
include(GNUInstallDirs)

find_program(RCH_CCACHE ccache)
if(RCH_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${RCH_CCACHE}")
endif()

add_library(rch_flags INTERFACE)
target_compile_options(rch_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
# g++ 12 misjudges `"text" + string` at -O3 (GCC bug 105651, mended in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(rch_flags INTERFACE -Wno-restrict)
endif()
if(RCH_SANITIZE)
  target_compile_options(rch_flags INTERFACE -fsanitize=${RCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(rch_flags INTERFACE -fsanitize=${RCH_SANITIZE})
  # g++ 12 takes what the sanitizers add for a use of an std::optional that is empty.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(rch_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
if(RCH_FUZZ)
  target_compile_options(rch_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# rch_precompile(TARGET header...): reads the headers once for all files of the target, which halves the time of a build.
# g++ 12 forgets that precompiled headers are the system's and warns of what it misjudges in them: it gets them where
# RCH_LIGHT is set, with -O1, without those warnings. That is for code that takes longer to compile than it
# ever runs.
function(rch_precompile target)
  if(RCH_LIGHT AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> -Wno-array-bounds -Wno-stringop-overflow
                           -Wno-stringop-overread)
  endif()
  if(RCH_LIGHT OR CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_precompile_headers(${target} PRIVATE <algorithm> <filesystem> <functional> <map> <memory> <optional> <set>
                              <span> <string> <variant> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()

# rch_library(NAME SOURCES file... LINK library... [PRECOMPILE header...])
#
# One folder = one library. Headers are reached as "NAME/header.h" through an include root that
# holds this folder alone, so a header of a folder that is not in LINK (directly or through it)
# does not compile.
function(rch_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRECOMPILE" ${ARGN})
  set(root "${CMAKE_BINARY_DIR}/include/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${root}/${name}" SYMBOLIC)
  add_library(rch_${name} STATIC ${ARG_SOURCES})
  target_include_directories(rch_${name} PUBLIC "${root}")
  target_link_libraries(rch_${name} PUBLIC ${ARG_LINK} PRIVATE rch_flags)
  rch_precompile(rch_${name} ${ARG_PRECOMPILE})
endfunction()
