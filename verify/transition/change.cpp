#include "verify/transition/change.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/parallel.h"

namespace rch::verify {
namespace {

IdSet<Lid> differing_lids(const Change& change) {
  IdSet<Lid> lids(std::size_t{0x10000});
  for (const fabric::LftBlock& at : change.blocks) {
    const auto installed = block_of(change.installed, at), target = block_of(change.target, at);
    for (std::size_t i = 0; i < kBlock; ++i)
      if (installed[i] != target[i]) lids.insert(Lid(static_cast<std::uint16_t>(at.block * kBlock + i)));
  }
  return lids;
}

/// An entry of the block that differs sends packets to a switch now.
bool replaces_hops(const Change& change, const Wiring& wiring, const fabric::LftBlock& at) {
  const auto installed = block_of(change.installed, at), target = block_of(change.target, at);
  for (std::size_t i = 0; i < kBlock; ++i)
    if (installed[i] != target[i] && wiring.exit(at.sw.index(), installed[i]).kind == Exit::Kind::to_switch)
      return true;
  return false;
}

bool holds_nothing(const fabric::ForwardingTables& lfts) {
  for (std::uint32_t s = 0; s < lfts.switch_count(); ++s)
    if (std::ranges::any_of(lfts.row(SwitchId(s)), [](std::uint8_t entry) { return entry != kNoPath; }))
      return false;
  return true;
}

bool replaces_hops(const Move& move, const Wiring& wiring) {
  for (std::size_t s = 0; s < move.installed.size(); ++s)
    if (move.installed[s] != move.target[s] &&
        wiring.exit(s, move.installed[s]).kind == Exit::Kind::to_switch)
      return true;
  return false;
}

/// Group of each destination of the run.
std::vector<std::uint32_t> group_of(const Columns& columns) {
  std::vector<std::uint32_t> out(columns.destinations().size());
  for (std::uint32_t g = 0; g < columns.groups().size(); ++g)
    for (const Destination* member : columns.groups()[g].members)
      out[static_cast<std::size_t>(member - columns.destinations().data())] = g;
  return out;
}

}  // namespace

Moves::Moves(const Change& change, const Wiring& wiring) : of_lid_(0x10000, kNone) {
  const IdSet<Lid> differs = differing_lids(change);
  for (const Destination& d : destinations(change.fabric, wiring))
    (differs.contains(d.lid) ? changing_ : others_).push_back(d);
  columns_.reserve(2);
  for (const fabric::RoutingTables* tables : {&change.installed, &change.target})
    columns_.emplace_back(*tables, wiring, changing_);
  group(wiring);
}

void Moves::group(const Wiring& wiring) {
  const std::vector<std::uint32_t> installed = group_of(columns_[0]), target = group_of(columns_[1]);
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, std::uint32_t> known;
  for (std::size_t i = 0; i < changing_.size(); ++i) {
    const Destination& d = changing_[i];
    const auto [at, fresh] = known.try_emplace({installed[i], target[i], d.lid.index() / kBlock},
                                               static_cast<std::uint32_t>(moves_.size()));
    if (fresh) moves_.push_back({{}, columns_[0].of(d), columns_[1].of(d)});
    moves_[at->second].lids.push_back(d.lid);
  }
  std::sort(moves_.begin(), moves_.end(),
            [](const Move& a, const Move& b) { return a.lids.front() < b.lids.front(); });
  parallel_ranges(moves_.size(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t m = first; m < last; ++m) moves_[m].replaces = replaces_hops(moves_[m], wiring);
  });
  for (std::uint32_t m = 0; m < moves_.size(); ++m)
    for (const Lid lid : moves_[m].lids) of_lid_[lid.index()] = m;
}

bool only_adds(const Change& change, const Wiring& wiring) {
  if (holds_nothing(change.installed.lfts)) return true;
  return !change.previous && change.installed.sl2vl.empty() &&
         std::ranges::none_of(change.blocks,
                              [&](const fabric::LftBlock& at) { return replaces_hops(change, wiring, at); });
}

}  // namespace rch::verify
