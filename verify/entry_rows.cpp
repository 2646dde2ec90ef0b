#include "verify/entry_rows.h"

#include <algorithm>

#include "base/parallel.h"

namespace rch::verify {
namespace {

/// LIDs with entries that a step left to earlier ones.
IdSet<Lid> lids_with_holes(const fabric::RoutingTables& tables) {
  IdSet<Lid> lids(std::size_t{0x10000});
  for (const fabric::RoutedStep& step : tables.steps)
    for (const std::uint64_t hole : step.holes) lids.insert(Lid(static_cast<std::uint16_t>(hole)));
  return lids;
}

}  // namespace

EntryRows::EntryRows(const fabric::RoutingTables& tables, const Wiring& wiring,
                     std::span<const Destination> run, const ForwardingLoops& loops)
    : run_(run),
      height_(wiring.switch_count()),
      pitch_(run.size()),
      bytes_(std::make_unique_for_overwrite<std::uint8_t[]>(height_ * pitch_)),
      proper_(run.size()),
      differs_(run.size()) {
  gather(tables.lfts);
  take_out(loops);
  group(tables);
}

void EntryRows::gather(const fabric::ForwardingTables& lfts) {
  std::vector<std::uint16_t> lids;
  for (const Destination& d : run_) lids.push_back(d.lid.value);
  const bool complete = std::ranges::all_of(lids, [&](std::uint16_t lid) { return lid < lfts.stride(); });
  parallel_ranges(height_, 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t sw = first; sw < last; ++sw) {
      std::uint8_t* to = row(sw);
      const SwitchId id(static_cast<std::uint32_t>(sw));
      if (complete && sw < lfts.switch_count()) {
        const std::uint8_t* from = lfts.row(id).data();
        for (std::size_t i = 0; i < lids.size(); ++i) to[i] = from[lids[i]];
      } else {
        for (std::size_t i = 0; i < lids.size(); ++i) to[i] = entry(lfts, id, Lid(lids[i]));
      }
      hand_over(sw);
    }
  });
}

/// Entries of `sw` for its own hosts.
void EntryRows::hand_over(std::size_t sw) {
  const SwitchId own(static_cast<std::uint32_t>(sw));
  const auto first = std::ranges::lower_bound(run_, own, {}, [](const Destination& d) { return d.owner.sw; });
  for (auto at = first; at != run_.end() && at->owner.sw == own; ++at) {
    const Destination& d = *at;
    const auto i = static_cast<std::size_t>(at - run_.begin());
    proper_[i] = row(sw)[i] == d.owner.attach.value;
    if (proper_[i] != 0) row(sw)[i] = 0;
  }
}

void EntryRows::take_out(const ForwardingLoops& loops) {
  if (loops.empty()) return;
  for (std::size_t i = 0; i < run_.size(); ++i)
    if (const auto found = loops.find(run_[i].lid); found != loops.end())
      for (const SwitchId sw : found->second) row(sw.index())[i] = kNoPath;
}

/// Compares the destinations [first, last) with those before them, up to where all are known to differ.
void EntryRows::mark_new_columns(std::size_t first, std::size_t last) {
  constexpr std::size_t kRows = 64;
  for (std::size_t top = 0; top < height_; top += kRows) {
    for (std::size_t sw = top; sw < std::min(top + kRows, height_); ++sw) {
      const std::uint8_t* at = row(sw);
      for (std::size_t i = first; i < last; ++i)
        differs_[i] = static_cast<std::uint8_t>(differs_[i] | (at[i] ^ at[i - 1]));
    }
    const auto begin = differs_.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::find(begin, begin + static_cast<std::ptrdiff_t>(last - first), 0) ==
        begin + static_cast<std::ptrdiff_t>(last - first))
      return;
  }
}

void EntryRows::group(const fabric::RoutingTables& tables) {
  differs_[0] = 1;
  parallel_ranges(run_.size() - 1, 1024,
                  [&](std::size_t first, std::size_t last) { mark_new_columns(first + 1, last + 1); });
  const IdSet<Lid> holed = lids_with_holes(tables);
  const auto same_steps = [&](Lid one, Lid other) {
    return !holed.contains(one) && !holed.contains(other) &&
           std::ranges::all_of(tables.steps, [&](const fabric::RoutedStep& step) {
             return step.lids.contains(one) == step.lids.contains(other);
           });
  };
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < run_.size(); ++i) {
    const bool joins = differs_[i] == 0 && proper_[i] != 0 && proper_[i - 1] != 0 &&
                       run_[i].owner.sw == run_[i - 1].owner.sw && same_steps(run_[i - 1].lid, run_[i].lid);
    if (joins) {
      std::span<const Destination>& members = columns_.back().members;
      members = {members.data(), members.size() + 1};
      continue;
    }
    kept.push_back(static_cast<std::uint32_t>(i));
    columns_.push_back({run_.subspan(i, 1), proper_[i] != 0});
  }
  if (kept.size() < run_.size()) compact(kept);
}

void EntryRows::compact(std::span<const std::uint32_t> kept) {
  parallel_ranges(height_, 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t sw = first; sw < last; ++sw)
      for (std::size_t i = 0; i < kept.size(); ++i) row(sw)[i] = row(sw)[kept[i]];
  });
}

}  // namespace rch::verify
