# Compiler settings and the one way to declare a folder of the architecture.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")  # hot libraries: -O3
include(GNUInstallDirs)

find_program(RCH_CCACHE ccache)
if(RCH_CCACHE)
  # Precompiled headers are cached too, and clones at other places share what they compile.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=/ CCACHE_NOHASHDIR=1
      "${RCH_CCACHE}")
endif()

add_library(rch_flags INTERFACE)
target_compile_options(rch_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
# g++ 12 misjudges `"text" + string` at -O3 (GCC bug 105651, fixed in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(rch_flags INTERFACE -Wno-restrict)
endif()
# Files that are compiled as one take more memory, and g++ less time if it looks for what it can free later: from 1 GiB on.
if(RCH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(rch_flags INTERFACE "SHELL:--param ggc-min-heapsize=1048576")
endif()
# In files that are compiled as one, g++ 12 takes a coroutine with a lambda for a type of a header that uses a file-local one.
if(RCH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(rch_flags INTERFACE -Wno-subobject-linkage)
endif()
# There clang takes a local name for one that hides a file-local name of another file.
if(RCH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(rch_flags INTERFACE -Wno-shadow)
endif()
if(RCH_SANITIZE)
  target_compile_options(rch_flags INTERFACE -fsanitize=${RCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(rch_flags INTERFACE -fsanitize=${RCH_SANITIZE})
  # g++ 12 takes what the sanitizers add for a use of an std::optional that is empty.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(rch_flags INTERFACE -Wno-maybe-uninitialized)
  elseif(RCH_SANITIZE MATCHES "undefined")
    # clang 14 cannot give coroutines the types that this check compares (LLVM issue 49689).
    target_compile_options(rch_flags INTERFACE -fno-sanitize=function)
  endif()
endif()
if(RCH_FUZZ)
  target_compile_options(rch_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# rch_precompiled(NAME LINK library... HEADERS header...): headers that are read once for all targets that rch_precompile()
# gives them. The libraries are those whose definitions the headers see.
function(rch_precompiled name)
  cmake_parse_arguments(ARG "" "" "LINK;HEADERS" ${ARGN})
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" CONTENT "")
  add_library(${name} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} rch_flags)
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# rch_precompile(TARGET NAME). g++ 12 forgets that precompiled headers are the system's and warns of what it misjudges in
# them: it compiles without those warnings. clang keeps all of its own.
function(rch_precompile target name)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# rch_library(NAME [FOLDER path] SOURCES file... LINK library... [HOT | COLD])
#
# One folder = one library. Headers are reached as "FOLDER/header.h" (default: NAME) through an include root that
# holds this folder alone, so a header of a folder that is not in LINK (directly or through it)
# does not compile. With RCH_UNITY a dozen files are compiled as one, so file-local names are unique in a folder; the
# `debug` preset compiles each file apart and so sees that it includes what it needs. HOT: compiled with -O3, where bench/
# shows that it pays. COLD: not optimised where sanitizers are on. It compiles in half the time, and its tests take little of it.
function(rch_library name)
  cmake_parse_arguments(ARG "HOT;COLD" "FOLDER" "SOURCES;LINK" ${ARGN})
  set(folder "${name}")
  if(ARG_FOLDER)
    set(folder "${ARG_FOLDER}")
  endif()
  set(root "${CMAKE_BINARY_DIR}/include/${name}")
  cmake_path(GET folder PARENT_PATH parent)
  file(MAKE_DIRECTORY "${root}/${parent}")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${root}/${folder}" SYMBOLIC)
  add_library(rch_${name} STATIC ${ARG_SOURCES})
  set_target_properties(rch_${name} PROPERTIES UNITY_BUILD ${RCH_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  target_include_directories(rch_${name} PUBLIC "${root}")
  target_link_libraries(rch_${name} PUBLIC ${ARG_LINK} PRIVATE rch_flags)
  if(ARG_HOT)
    target_compile_options(rch_${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  endif()
  if(ARG_COLD AND RCH_SANITIZE)
    target_compile_options(rch_${name} PRIVATE -O0)
    rch_precompile(rch_${name} rch_cold_headers)
  else()
    rch_precompile(rch_${name} rch_headers)
  endif()
endfunction()
