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

EngineResult minhop(const StepInput& in) {
  return engines::minhop::route(in.view, {.ports = keeping_port_options(in)});
}

EngineResult updn(const StepInput& in) {
  return engines::updn::route(in.view, {.roots = updn_roots(in.files),
                                        .connect_roots = in.step.options.connect_roots,
                                        .ids = switch_numbers(in.files),
                                        .ports = keeping_port_options(in)});
}

EngineResult dnup(const StepInput& in) {
  return engines::updn::route_dnup(
      in.view, {.connect_roots = in.step.options.connect_roots, .ports = keeping_port_options(in)});
}

EngineResult dor(const StepInput& in) {
  return engines::dor::route(in.view, {.ports = keeping_port_options(in)});
}

EngineResult ftree(const StepInput& in) {
  return engines::ftree::route(in.view, {.lists = tree_lists(in.files),
                                         .max_reverse_hops = in.step.options.max_reverse_hops,
                                         .connect_roots = in.step.options.connect_roots,
                                         .quasi_indexing = in.step.options.quasi_ftree_indexing,
                                         .compat = in.step.mode == policy::EngineMode::compat,
                                         .installed = in.installed});
}

EngineResult pqft(const StepInput& in) {
  return engines::pqft::route(in.view, {.lists = tree_lists(in.files),
                                        .structure = in.step.options.pqft_structure,
                                        .installed = in.installed});
}

EngineResult file(const StepInput& in) {
  return engines::file::route(
      in.view, {.lfts = in.files.lfts.get(), .hops = in.files.hops.get(), .ports = port_options(in)});
}

EngineResult dfsssp(const StepInput& in) { return engines::dfsssp::route(in.view, dfsssp_options(in)); }

EngineResult sssp(const StepInput& in) { return engines::dfsssp::route_sssp(in.view, dfsssp_options(in)); }

EngineResult torus_2qos(const StepInput& in) {
  if (!in.step.torus)
    return tl::unexpected(
        EngineFailure{.rule = "torus-config-absent",
                      .message = fmt::format("step {} has no torus-2QoS configuration", in.step.id),
                      .guids = {}});
  const policy::Options& options = in.step.options;
  return engines::torus_2qos::route(in.view, {*in.step.torus, options.qos, options.max_op_vls, in.installed});
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
