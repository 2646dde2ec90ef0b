#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "policy/build/chain/steps.h"
#include "policy/lint/rules/chain.h"

namespace rch::policy {
namespace {

using Drafts = std::vector<StepDraft>;

/// `drafts` are by ascending id.
const StepDraft* find(const Drafts& drafts, StepId id) {
  const auto at = std::lower_bound(drafts.begin(), drafts.end(), id,
                                   [](const StepDraft& d, StepId sought) { return d.step.id < sought; });
  return at == drafts.end() || at->step.id != id ? nullptr : &*at;
}

const StepDraft* target_of(const Drafts& drafts, const StepDraft& draft) {
  return draft.step.fallback_to ? find(drafts, *draft.step.fallback_to) : nullptr;
}

using Cycle = std::vector<const StepDraft*>;

/// All cycles of fallbacks, each from its lowest step on. A step has one target, so a walk meets at most one
/// cycle.
std::vector<Cycle> find_cycles(const Drafts& drafts) {
  std::vector<std::size_t> walk_of(drafts.size());  // number of the walk that came by, 0 none
  const auto walk = [&](const StepDraft* at) -> std::size_t& {
    return walk_of[static_cast<std::size_t>(at - drafts.data())];
  };
  std::vector<Cycle> cycles;
  for (std::size_t start = 0; start < drafts.size(); ++start) {
    const StepDraft* at = &drafts[start];
    for (; at != nullptr && walk(at) == 0; at = target_of(drafts, *at)) walk(at) = start + 1;
    if (at == nullptr || walk(at) != start + 1) continue;
    Cycle cycle{at};
    for (const StepDraft* next = target_of(drafts, *at); next != at; next = target_of(drafts, *next))
      cycle.push_back(next);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

bool contains(const std::vector<StepId>& ids, StepId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Reports each cycle at its lowest step; returns the steps that are in one.
std::vector<StepId> report_cycles(const Drafts& drafts, Diagnostics& diagnostics) {
  std::vector<StepId> in_cycle;
  for (const Cycle& cycle : find_cycles(drafts)) {
    const StepDraft& lowest = *cycle.front();
    std::string ids;
    for (const StepDraft* step : cycle) {
      in_cycle.push_back(step->step.id);
      ids += fmt::format("{} -> ", step->step.id);
    }
    const bool alone = cycle.size() == 1;
    Diagnostic& d =
        diagnostics.add(kFallbackCycle, lowest.written->fallback_to->span,
                        alone ? fmt::format("step {} falls back to itself", lowest.step.id)
                              : fmt::format("steps fall back to each other: {}{}", ids, lowest.step.id));
    for (std::size_t i = 1; i < cycle.size(); ++i)
      d.labels.push_back(
          {cycle[i]->written->fallback_to->span,
           fmt::format("step {} falls back to step {}", cycle[i]->step.id, *cycle[i]->step.fallback_to)});
  }
  return in_cycle;
}

void report_topology(const StepDraft& fallback, const StepDraft& target, Diagnostics& diagnostics) {
  if (fallback.step.topology == target.step.topology) return;
  const Span span = fallback.written->topology ? fallback.written->topology->span : fallback.step.span;
  diagnostics
      .add(kFallbackTopology, span,
           fmt::format("step {} works on topology {}, the step it stands in for on topology {}",
                       fallback.step.id, fallback.step.topology, target.step.topology))
      .labels.push_back({target.step.span, fmt::format("step {}", target.step.id)});
}

/// False, reported, if the step can never run: there is no step to stand in for, or that one is a fallback
/// itself.
bool check_target(const Drafts& drafts, const StepDraft& draft, bool ids_complete, Diagnostics& diagnostics) {
  const Span span = draft.written->fallback_to->span;
  const StepDraft* target = find(drafts, *draft.step.fallback_to);
  if (target == nullptr) {
    if (ids_complete)
      diagnostics.add(
          kFallbackToNothing, span,
          fmt::format("there is no step {}; step {} never runs", *draft.step.fallback_to, draft.step.id));
    return false;
  }
  if (target->step.fallback_to) {
    diagnostics
        .add(kFallbackToFallback, span,
             fmt::format("step {} is a fallback itself; step {} never runs", target->step.id, draft.step.id))
        .labels.push_back({target->written->fallback_to->span, "here"});
    return false;
  }
  report_topology(draft, *target, diagnostics);
  return true;
}

/// Says in which order fallbacks run where that is not plain; `settled` steps are left out.
void report_order(const Drafts& drafts, const std::vector<StepId>& settled, Diagnostics& diagnostics) {
  std::map<StepId, std::vector<const StepDraft*>> by_target;
  for (const StepDraft& draft : drafts)
    if (draft.step.fallback_to && !contains(settled, draft.step.id))
      by_target[*draft.step.fallback_to].push_back(&draft);
  for (const auto& [target, fallbacks] : by_target) {
    if (fallbacks.size() > 1) {
      std::vector<StepId> ids;
      for (const StepDraft* f : fallbacks) ids.push_back(f->step.id);
      diagnostics.add(kFallbackOrder, fallbacks[1]->written->fallback_to->span,
                      fmt::format("fallbacks of step {} are tried in the order {}, until one routes", target,
                                  fmt::join(ids, ", ")));
    }
    for (const StepDraft* f : fallbacks)
      if (f->step.id < target)
        diagnostics.add(
            kFallbackOrder, f->written->fallback_to->span,
            fmt::format("step {} runs in the place of step {}, behind lower ids", f->step.id, target));
  }
}

bool same_work(const Step& a, const Step& b) { return a.topology == b.topology && a.path_bit == b.path_bit; }

std::string config_of(const StepDraft& draft) {
  return draft.written->config ? draft.written->config->text : "";
}

}  // namespace

void check_fallbacks(Drafts& drafts, bool ids_complete, Diagnostics& diagnostics) {
  std::vector<StepId> settled = report_cycles(drafts, diagnostics);
  const StepDraft& first = drafts.front();
  if (ids_complete && first.step.fallback_to && !contains(settled, first.step.id)) {
    diagnostics.add(kFirstStepFallback, first.written->fallback_to->span,
                    fmt::format("step {} is the first and a fallback", first.step.id));
    settled.push_back(first.step.id);
  }
  std::vector<StepId> skipped;
  for (const StepDraft& draft : drafts) {
    if (!draft.step.fallback_to || contains(settled, draft.step.id)) continue;
    if (!check_target(drafts, draft, ids_complete, diagnostics)) skipped.push_back(draft.step.id);
  }
  std::erase_if(drafts, [&](const StepDraft& d) { return contains(skipped, d.step.id); });
  report_order(drafts, settled, diagnostics);
}

void check_first_step(const Drafts& drafts, Diagnostics& diagnostics) {
  const StepDraft& first = drafts.front();
  if (first.step.topology != TopologyId(0))
    diagnostics
        .add(kFirstStepTopology, first.written->topology->span,
             fmt::format("step {} is the first and works on topology {}", first.step.id, first.step.topology))
        .hint = "the first step must cover the whole fabric, topology 0";
  for (const StepDraft& draft : drafts) {
    const bool stands_in = &draft == &first || draft.step.fallback_to == first.step.id;
    if (stands_in && draft.written->path_bit && draft.written->path_bit->high != 0)
      diagnostics.add(
          kFirstStepPathBit, draft.written->path_bit->span,
          fmt::format("step {} {} routes every path bit", draft.step.id,
                      &draft == &first ? "is the first and" : "stands in for the first step and"));
  }
}

void check_overlaps(const Drafts& drafts, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (drafts[i].step.fallback_to) continue;
    for (std::size_t j = i + 1; j < drafts.size(); ++j) {
      const StepDraft& later = drafts[j];
      if (later.step.fallback_to || !same_work(drafts[i].step, later.step)) continue;
      const bool equal =
          drafts[i].step.engine == later.step.engine && config_of(drafts[i]) == config_of(later);
      if (equal)
        diagnostics
            .add(kEqualSteps, later.step.span,
                 fmt::format("steps {} and {} do the same", drafts[i].step.id, later.step.id))
            .labels.push_back({drafts[i].step.span, "the other step"});
      else
        diagnostics
            .add(kOverwrittenStep, drafts[i].step.span,
                 fmt::format("step {} replaces every entry that step {} makes", later.step.id,
                             drafts[i].step.id))
            .labels.push_back({later.step.span, "the later step"});
      break;
    }
  }
}

}  // namespace rch::policy
