#pragma once

#include <string_view>

namespace rch::policy {

/// A word that `routing_engine` or `engine:` may carry (config-files 1.2, 4).
struct EngineName {
  std::string_view name;
  bool implemented = false;  ///< chains::engine_table() has it
};

/// Adding an engine changes its line here.
inline constexpr EngineName kEngineNames[] = {
    {"minhop", true}, {"torus-2QoS", true},
    {"updn", true},   {"dnup", true},
    {"ftree", true},  {"dor", true},
    {"pqft", true},   {"dfp"},
    {"dfp2"},         {"ar_minhop"},
    {"ar_updn"},      {"ar_ftree"},
    {"ar_dor"},       {"ar_torus"},
    {"kdor-hc"},      {"kdor-ghc"},
    {"auto"},         {"lash"},
    {"file", true},   {"nue"},
    {"dfsssp", true}, {"sssp", true},
};

/// Engines that the manuals of NVIDIA SM do not allow in a routing chain (config-files 4).
inline constexpr std::string_view kOutsideChains[] = {"lash", "file", "nue", "dfsssp", "sssp"};

/// Words of `routing_engine` that are no engine.
inline constexpr std::string_view kPseudoEngines[] = {"chain", "none", "no_fallback"};

}  // namespace rch::policy
