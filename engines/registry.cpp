#include "engines/registry.h"

namespace rch::engines {
namespace {

constexpr const Descriptor* kEngines[] = {
    &kMinhop, &kUpdn, &kDnup,     &kFtree,  &kDor,     &kTorus2Qos, &kPqft,    &kDfsssp,
    &kSssp,   &kFile, &kArMinhop, &kArUpdn, &kArFtree, &kArDor,     &kArTorus,
};

// Options of engines that rch does not have (docs/side-files.md).
constexpr std::string_view kDfp[] = {"dfp_max_cas_on_spine", "dfp_find_roots_color_algorithm",
                                     "dfp_down_up_turns_mode"};
constexpr std::string_view kLash[] = {"do_mesh_analysis", "lash_start_vl"};
constexpr std::string_view kNue[] = {"nue_max_num_vls", "nue_include_switches"};

constexpr Descriptor absent(std::string_view name, Descriptor::Keys own = {}, Descriptor::Keys shared = {}) {
  return {.name = name, .summary = {}, .reads = {own, shared}};
}
constexpr Descriptor absent_from_chains(std::string_view name, Descriptor::Keys own) {
  return {.name = name, .summary = {}, .reads = {own}, .in_nvidia_chains = false};
}

constexpr Descriptor kAbsent[] = {
    absent("dfp", kDfp),
    absent("dfp2", kDfp),
    absent("kdor-hc"),
    absent("kdor-ghc"),
    absent("auto"),
    absent_from_chains("lash", kLash),
    absent_from_chains("nue", kNue),
};

struct Substitute {
  std::string_view absent, present;
};
constexpr Substitute kSubstitutes[] = {
    {"lash", "dfsssp"}, {"nue", "dfsssp"},     {"dfp", "dfsssp"},
    {"dfp2", "dfsssp"}, {"kdor-hc", "dfsssp"}, {"kdor-ghc", "dfsssp"},
};

}  // namespace

std::string_view substitute_for(std::string_view absent) {
  for (const Substitute& substitute : kSubstitutes)
    if (substitute.absent == absent) return substitute.present;
  return {};
}

std::span<const Descriptor* const> all_engines() { return kEngines; }
std::span<const Descriptor> absent_engines() { return kAbsent; }

const Descriptor* find_engine(std::string_view name) {
  for (const Descriptor* engine : kEngines)
    if (engine->name == name) return engine;
  for (const Descriptor& engine : kAbsent)
    if (engine.name == name) return &engine;
  return nullptr;
}

const Descriptor* first_reader(std::string_view key) {
  for (const Descriptor* engine : kEngines)
    if (engine->reads_option(key)) return engine;
  for (const Descriptor& engine : kAbsent)
    if (engine.reads_option(key)) return &engine;
  return nullptr;
}

}  // namespace rch::engines
