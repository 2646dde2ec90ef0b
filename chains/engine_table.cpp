#include <array>

#include "chains/chain.h"
#include "chains/engine_inputs.h"
#include "engines/dfsssp/dfsssp.h"
#include "engines/dor/dor.h"
#include "engines/file/file.h"
#include "engines/ftree/ftree.h"
#include "engines/minhop/minhop.h"
#include "engines/pqft/pqft.h"
#include "engines/torus_2qos/torus_2qos.h"
#include "engines/updn/updn.h"

namespace rch::chains {
namespace {

using engines::EngineFailure;
using engines::EngineResult;
using fabric::SubFabric;
using policy::Step;
using policy::StepFiles;

EngineResult minhop(const SubFabric& view, const Step& step, const StepFiles& files) {
  return engines::minhop::route(view, {.ports = port_options(step, files)});
}

EngineResult updn(const SubFabric& view, const Step& step, const StepFiles& files) {
  return engines::updn::route(view, {.roots = updn_roots(files),
                                     .connect_roots = step.options.connect_roots,
                                     .ids = switch_numbers(files),
                                     .ports = port_options(step, files)});
}

EngineResult dnup(const SubFabric& view, const Step& step, const StepFiles& files) {
  return engines::updn::route_dnup(
      view, {.connect_roots = step.options.connect_roots, .ports = port_options(step, files)});
}

EngineResult dor(const SubFabric& view, const Step& step, const StepFiles& files) {
  return engines::dor::route(view, {.ports = port_options(step, files)});
}

EngineResult ftree(const SubFabric& view, const Step& step, const StepFiles& files) {
  return engines::ftree::route(view, {.lists = tree_lists(files),
                                      .max_reverse_hops = step.options.max_reverse_hops,
                                      .connect_roots = step.options.connect_roots,
                                      .quasi_indexing = step.options.quasi_ftree_indexing,
                                      .compat = step.mode == policy::EngineMode::compat});
}

EngineResult pqft(const SubFabric& view, const Step& step, const StepFiles& files) {
  return engines::pqft::route(view, {.lists = tree_lists(files), .structure = step.options.pqft_structure});
}

EngineResult file(const SubFabric& view, const Step& step, const StepFiles& files) {
  return engines::file::route(
      view, {.lfts = files.lfts.get(), .hops = files.hops.get(), .ports = port_options(step, files)});
}

EngineResult dfsssp(const SubFabric& view, const Step& step, const StepFiles& files) {
  return engines::dfsssp::route(view, dfsssp_options(step, files));
}

EngineResult sssp(const SubFabric& view, const Step& step, const StepFiles& files) {
  return engines::dfsssp::route_sssp(view, dfsssp_options(step, files));
}

EngineResult torus_2qos(const SubFabric& view, const Step& step, const StepFiles&) {
  if (!step.torus)
    return tl::unexpected(
        EngineFailure{.rule = "torus-config-absent",
                      .message = fmt::format("step {} has no torus-2QoS configuration", step.id),
                      .guids = {}});
  return engines::torus_2qos::route(view, *step.torus);
}

constexpr std::array kEngines{
    EngineEntry{"minhop", "shortest paths, links balanced; not free of credit loops on fabrics with cycles",
                minhop},
    EngineEntry{"updn", "up towards the roots, then down: no credit loops on any fabric", updn},
    EngineEntry{"dnup", "away from the switches with hosts, then towards them: no credit loops on any fabric",
                dnup},
    EngineEntry{"ftree",
                "fat trees: up, then down, every shift of all hosts without a shared cable; no credit loops",
                ftree},
    EngineEntry{"dor",
                "shortest paths, one dimension after the other: no credit loops on hypercubes and meshes",
                dor},
    EngineEntry{"torus-2QoS",
                "dimension order with datelines on 1-3 dimensional tori and meshes, two QoS levels",
                torus_2qos},
    EngineEntry{"pqft", "parallel and quasi fat trees by a formula, damaged ones too: no credit loops", pqft},
    EngineEntry{"dfsssp",
                "any fabric: shortest paths, loads balanced, on as many virtual lanes as keep them free of "
                "credit loops",
                dfsssp},
    EngineEntry{"sssp", "the paths of dfsssp on one virtual lane; not free of credit loops", sssp},
    EngineEntry{"file", "tables or hop counts from dump files; as free of credit loops as the file", file},
};

}  // namespace

std::span<const EngineEntry> engine_table() { return kEngines; }

}  // namespace rch::chains
