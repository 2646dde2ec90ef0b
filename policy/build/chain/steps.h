#pragma once

#include <vector>

#include "parsers/routing_chains/routing_chains.h"
#include "policy/build/chain/step_configs.h"
#include "policy/build/topologies/topologies.h"

namespace rch::policy {

/// What a chain file is read against. Null parts were not given, and what needs them is not checked.
struct ChainContext {
  const OptionFile* main = nullptr;
  TopologyTable* topologies = nullptr;
  StepConfigs& configs;
  Diagnostics& diagnostics;
  Symbols& symbols;
};

/// The steps of a chain file by ascending id, those that can never run left out (docs/keywords.md).
std::vector<Step> build_chain(const parsers::routing_chains::Syntax& syntax, const ChainContext& context);

/// `routing_engine a b` as a chain: step 1 with engine a, step 2 with engine b as its fallback. No engine is
/// minhop.
std::vector<Step> build_engine_list(const OptionFile& main, const ChainContext& context);

/// A step as written beside what it means.
struct StepDraft {
  const parsers::routing_chains::Step* written;
  Step step;
};

/// Rules about several steps at once; `drafts` by ascending id, at least one. check_fallbacks removes steps
/// that can never run; the first step stays.
void check_fallbacks(std::vector<StepDraft>& drafts, bool ids_complete, Diagnostics& diagnostics);
void check_first_step(const std::vector<StepDraft>& drafts, Diagnostics& diagnostics);
void check_overlaps(const std::vector<StepDraft>& drafts, Diagnostics& diagnostics);

}  // namespace rch::policy
