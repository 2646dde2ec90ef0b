#include "base/repair.h"

#include <algorithm>
#include <map>

namespace rch {
namespace {

/// Edits of one text by where they begin; none meets another.
using Edits = std::map<std::uint32_t, const Edit*>;

/// Two insertions at one place meet, too: their order would be a guess.
bool meets(const Edits& taken, const Edit& edit) {
  const auto next = taken.lower_bound(edit.span.begin);
  if (next != taken.end() && (next->first < edit.span.end || next->first == edit.span.begin)) return true;
  if (next == taken.begin()) return false;
  return std::prev(next)->second->span.end > edit.span.begin;
}

std::string apply(std::string_view text, const Edits& edits) {
  std::string out;
  std::size_t copied = 0;
  for (const auto& [begin, edit] : edits) {
    out += text.substr(copied, begin - copied);
    out += edit->text;
    copied = edit->span.end;
  }
  return out += text.substr(copied);
}

}  // namespace

std::vector<RepairedText> repair(const Diagnostics& diagnostics, const SourceSet& sources) {
  std::map<SourceId, Edits> taken;
  std::map<SourceId, std::vector<const Diagnostic*>> repairs;
  for (const Diagnostic& d : diagnostics.all()) {
    const auto free = [&](const Edit& edit) { return !meets(taken[edit.span.source], edit); };
    if (d.fixes.empty() || !std::all_of(d.fixes.begin(), d.fixes.end(), free)) continue;
    for (const Edit& edit : d.fixes) taken[edit.span.source].emplace(edit.span.begin, &edit);
    repairs[d.fixes.front().span.source].push_back(&d);
  }
  std::vector<RepairedText> repaired;
  for (const auto& [source, edits] : taken)
    if (!edits.empty())
      repaired.push_back({source, apply(sources.at(source).text(), edits), repairs[source]});
  return repaired;
}

}  // namespace rch
