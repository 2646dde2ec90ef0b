#include "policy/build/chain/steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "engines/registry.h"
#include "policy/lint/rules/chain.h"

namespace rch::policy {
namespace {

namespace chain_syntax = parsers::routing_chains;

/// What NVIDIA SM takes at most (docs/keywords.md).
constexpr std::size_t kNvidiaSteps = 50;
constexpr std::uint64_t kNvidiaStepId = 100;

class ChainBuilder {
 public:
  explicit ChainBuilder(const ChainContext& context) : context_(context), diagnostics_(context.diagnostics) {}

  std::vector<Step> build(const chain_syntax::Syntax& file) {
    for (const chain_syntax::Step& written : file.steps) add(written);
    check_limits();
    std::stable_sort(drafts_.begin(), drafts_.end(),
                     [](const StepDraft& a, const StepDraft& b) { return a.step.id < b.step.id; });
    if (drafts_.empty()) return {};
    if (ids_complete_) check_first_step(drafts_, diagnostics_);
    check_fallbacks(drafts_, ids_complete_, diagnostics_);
    for (StepDraft& draft : drafts_) complete(draft);
    if (!diagnostics_.has_errors()) check_overlaps(drafts_, diagnostics_);
    std::vector<Step> steps;
    for (StepDraft& draft : drafts_) steps.push_back(std::move(draft.step));
    return steps;
  }

 private:
  void add(const chain_syntax::Step& written) {
    note_names(written);
    if (written.engine) check_engine_of(written);
    if (written.topology && written.topology->value != 0) check_topology(*written.topology);
    ids_complete_ = ids_complete_ && written.id.has_value();
    if (!written.id) return;
    StepDraft draft{&written, {}};
    Step& step = draft.step;
    step.id = StepId(static_cast<std::uint32_t>(written.id->value));
    step.span = written.id->span;
    if (written.engine) step.engine = written.engine->text;
    if (written.use) step.use = written.use->text;
    if (written.topology) step.topology = TopologyId(static_cast<std::uint32_t>(written.topology->value));
    if (written.fallback_to)
      step.fallback_to = StepId(static_cast<std::uint32_t>(written.fallback_to->value));
    const auto twin = std::find_if(drafts_.begin(), drafts_.end(),
                                   [&](const StepDraft& d) { return d.step.id == step.id; });
    if (twin != drafts_.end()) {
      diagnostics_.add(kDuplicateId, written.id->span, fmt::format("step {} is defined twice", step.id))
          .labels.push_back({twin->step.span, "first here"});
      return;
    }
    if (!drafts_.empty() && step.id < drafts_.back().step.id) report_unsorted(step, drafts_.back().step);
    drafts_.push_back(std::move(draft));
  }

  void note_names(const chain_syntax::Step& written) {
    const auto name = [](const parsers::Number& id) { return fmt::format("{}", id.value); };
    if (written.id) context_.symbols.define(SymbolKind::step, name(*written.id), written.id->span);
    if (written.fallback_to)
      context_.symbols.refer(SymbolKind::step, name(*written.fallback_to), written.fallback_to->span);
  }

  void check_engine_of(const chain_syntax::Step& written) {
    const parsers::Token& engine = *written.engine;
    check_engine(engine, name_of(written), diagnostics_);
    if (const auto* known = engines::find_engine(engine.text); known != nullptr && !known->in_nvidia_chains)
      diagnostics_.add(
          kUndocumentedEngine, engine.span,
          fmt::format("`{}` is outside the engines that NVIDIA SM documents for chains", engine.text));
  }

  static std::string name_of(const chain_syntax::Step& written) {
    return written.id ? fmt::format("step {}", written.id->value) : std::string("a step");
  }

  void report_unsorted(const Step& step, const Step& before) {
    if (unsorted_) return;
    unsorted_ = true;
    diagnostics_.add(kUnsortedSteps, step.span,
                     fmt::format("step {} runs before step {}, which stands above it", step.id, before.id));
  }

  void check_topology(const parsers::Number& id) {
    if (context_.topologies != nullptr) {
      context_.topologies->use(id, diagnostics_);
      return;
    }
    if (context_.main == nullptr) return;
    for (std::string_view key : {"pgrp_policy_file", "topo_policy_file"}) {
      if (context_.main->find(key) != nullptr || without_file_) continue;
      diagnostics_.add(kTopologyWithoutFile, id.span,
                       fmt::format("topology {} needs `{}`, which is not set", id.value, key));
      without_file_ = true;
    }
  }

  void check_limits() {
    if (drafts_.size() > kNvidiaSteps)
      diagnostics_.add(kBeyondNvidiaLimit, drafts_[kNvidiaSteps].step.span,
                       fmt::format("{} steps; NVIDIA SM takes {}", drafts_.size(), kNvidiaSteps));
    for (const StepDraft& draft : drafts_)
      if (draft.step.id.value > kNvidiaStepId)
        diagnostics_.add(
            kBeyondNvidiaLimit, draft.step.span,
            fmt::format("step id {}; NVIDIA SM takes ids up to {}", draft.step.id, kNvidiaStepId));
  }

  void complete(StepDraft& draft) {
    const StepId first = drafts_.front().step.id;
    const bool routes_all = draft.step.id == first || draft.step.fallback_to == first;
    if (!routes_all) draft.step.path_bit = path_bit(draft);
    if (draft.written->engine)
      context_.configs.complete(draft.step, *draft.written->engine, draft.written->config);
  }

  /// The path bit of a step other than the first.
  std::optional<std::uint8_t> path_bit(const StepDraft& draft) {
    const auto& written = draft.written->path_bit;
    const unsigned lmc = context_.main != nullptr ? context_.main->options.lids.lmc : 0;
    if (!written) {
      if (lmc > 0 && draft.written->values_read)
        diagnostics_
            .add(kPathBitImplied, draft.step.span,
                 fmt::format("step {} has no `path-bit`: only base LIDs are rewritten", draft.step.id))
            .hint = "write `path-bit: 0` if that is meant";
      return std::uint8_t{0};
    }
    if (context_.main != nullptr && written->high != 0 && written->high >= (1U << lmc)) {
      diagnostics_.add(
          kPathBitBeyondLmc, written->span,
          fmt::format("path bit {} with lmc {}: a port has {} LIDs", written->high, lmc, 1U << lmc));
      return std::uint8_t{0};
    }
    return written->low == written->high ? static_cast<std::uint8_t>(written->low) : bit_range(*written, lmc);
  }

  /// NVIDIA's header knows a range that may cover all bits; rch takes just that one.
  std::optional<std::uint8_t> bit_range(const chain_syntax::PathBits& written, unsigned lmc) {
    const bool all = context_.main == nullptr || (written.low == 0 && written.high + 1 == (1U << lmc));
    Diagnostic& d =
        diagnostics_.add(kPathBitRange, written.span,
                         fmt::format("a range of path bits, {} to {}", written.low, written.high));
    if (!all) {
      d.severity = Severity::error;
      d.hint = "write one step per path bit, or the range of all of them";
    }
    return std::nullopt;
  }

  const ChainContext& context_;
  Diagnostics& diagnostics_;
  std::vector<StepDraft> drafts_;
  bool ids_complete_ = true;
  bool unsorted_ = false;
  bool without_file_ = false;
};

}  // namespace

std::vector<Step> build_chain(const chain_syntax::Syntax& file, const ChainContext& context) {
  return ChainBuilder(context).build(file);
}

std::vector<Step> build_engine_list(const OptionFile& main, const ChainContext& context) {
  const Setting* setting = main.find("routing_engine");
  std::vector<parsers::Token> engines;
  if (setting != nullptr) engines = split_words(setting->value);
  std::vector<Step> steps;
  std::vector<std::string_view> seen;
  bool refused = false;
  for (const parsers::Token& engine : engines) {
    if (engine.text == "no_fallback" || engine.text == "chain") continue;
    if (std::find(seen.begin(), seen.end(), engine.text) != seen.end()) {
      context.diagnostics.add(kRepeatedEngine, engine.span,
                              fmt::format("engine `{}` is named twice", engine.text));
      continue;
    }
    seen.push_back(engine.text);
    if (!check_engine(engine, "`routing_engine`", context.diagnostics)) {
      refused = true;
      continue;
    }
    Step step;
    step.id = StepId(static_cast<std::uint32_t>(steps.size() + 1));
    step.span = engine.span;
    step.engine = engine.text;
    if (!steps.empty()) step.fallback_to = steps.front().id;
    context.configs.complete(step, engine, std::nullopt);
    steps.push_back(std::move(step));
  }
  if (refused || !steps.empty()) return steps;
  Step step;
  step.id = StepId(1);
  step.engine = engines::all_engines().front()->name;
  step.routing = main.options.routing;
  step.mode = context.configs.mode();
  return {std::move(step)};
}

}  // namespace rch::policy
