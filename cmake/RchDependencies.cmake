# Third-party packages, all from Debian; scripts/packages.txt names the same set.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)            # text formatting, and what spdlog formats with
find_package(spdlog REQUIRED)         # the log of the long-running parts
find_package(TBB REQUIRED)            # parallel loops over table rows
find_package(nlohmann_json REQUIRED)  # JSON for findings, timings, plans
find_package(yaml-cpp REQUIRED)       # rch.yaml
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)      # tables inside a plan file
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)         # what browsers unpack: tables in the page of a report
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)  # fabric fingerprint, digests
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)           # thousands of expressions of port groups at once
# Its -pthread, which Threads::Threads stands for, would keep the precompiled headers out.
set_property(TARGET PkgConfig::RE2 PROPERTY INTERFACE_COMPILE_OPTIONS "")
pkg_check_modules(IBUMAD REQUIRED IMPORTED_TARGET libibumad)  # management datagrams to the fabric
pkg_check_modules(MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd)  # metrics and status of the manager
# Header-only packages without a usable CMake file: tl-expected (Result), CLI11 (flags), PEGTL (grammars).
find_path(TL_EXPECTED_INCLUDE tl/expected.hpp REQUIRED)
find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
find_path(PEGTL_INCLUDE tao/pegtl.hpp REQUIRED)
