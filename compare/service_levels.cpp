#include "compare/service_levels.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/parallel.h"
#include "fabric/difference.h"

namespace rch::compare {
namespace {

constexpr std::uint8_t kUnknownSl = verify::GivenSls::kUnknown;

/// Hosts that have the same service levels on each side: those of one switch where rules give them, else one.
struct SlSources {
  PortId before, after;  ///< of the first
  std::uint32_t sw_before = 0, sw_after = 0;
  std::vector<PortId> hosts{};  ///< after
};

/// Service levels of one side to one LID.
class SlsTo {
 public:
  explicit SlsTo(const Side& side) : side_(side) {}

  void set(Lid lid) {
    lid_ = lid;
    if (!side_.given_sls) fabric::path_sls_to(*side_.fabric, *side_.tables, lid, by_switch_);
  }
  std::uint8_t from(PortId host, std::uint32_t sw) const {
    if (!side_.given_sls) return by_switch_[sw];
    return side_.given_sls->knows(host, lid_) ? side_.given_sls->at(host, lid_) : kUnknownSl;
  }

 private:
  const Side& side_;
  Lid lid_;
  std::vector<std::uint8_t> by_switch_;
};

std::vector<SlSources> sl_sources(const Side& before, const verify::Wiring& wiring_before, const Side& after,
                                  const verify::Wiring& wiring_after) {
  std::vector<std::uint32_t> switch_after(after.fabric->ports().size(), Matching::kNone);
  for (const verify::Source& source : wiring_after.sources())
    switch_after[source.port.index()] = source.sw.value;
  const bool each = before.given_sls || after.given_sls;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
  std::vector<SlSources> sources;
  for (const verify::Source& source : wiring_before.sources()) {
    const auto now = fabric::counterpart(*after.fabric, *before.fabric, before.fabric->port(source.port));
    if (!now || switch_after[now->index()] == Matching::kNone) continue;
    const std::pair at(source.sw.value, switch_after[now->index()]);
    const auto [place, is_new] = known.try_emplace(at, sources.size());
    if (is_new || each) {
      place->second = sources.size();
      sources.push_back({source.port, *now, at.first, at.second});
    }
    sources[place->second].hosts.push_back(*now);
  }
  return sources;
}

/// Counts of some destinations.
struct SlCounts {
  std::uint64_t pairs = 0, unknown = 0, changed = 0;
};

/// All pairs to the LIDs of a word of the sets, which no other thread writes.
class SlWord {
 public:
  SlWord(const Side& before, const Side& after, const std::vector<SlSources>& sources,
         std::vector<SlChange>& changes)
      : after_(after), sources_(sources), changes_(changes), sls_before_(before), sls_after_(after) {}

  void take(const LidPair& lids) {
    const auto owner = after_.fabric->lid_owner(lids.after);
    if (!lids.is_one_port || !owner || after_.fabric->is_switch(after_.fabric->port(*owner).node)) return;
    sls_before_.set(lids.before);
    sls_after_.set(lids.after);
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const SlSources& from = sources_[s];
      const bool has_own = std::ranges::binary_search(changes_[s].hosts, *owner);
      const std::uint64_t pairs = from.hosts.size() - (has_own ? 1 : 0);
      const std::uint8_t was = sls_before_.from(from.before, from.sw_before);
      const std::uint8_t is = sls_after_.from(from.after, from.sw_after);
      if (was == kUnknownSl || is == kUnknownSl) {
        counts_.unknown += pairs;
        continue;
      }
      counts_.pairs += pairs;
      if (was == is || pairs == 0) continue;
      counts_.changed += pairs;
      changes_[s].lids.insert(lids.after);
    }
  }
  const SlCounts& counts() const { return counts_; }

 private:
  const Side& after_;
  const std::vector<SlSources>& sources_;
  std::vector<SlChange>& changes_;
  SlsTo sls_before_, sls_after_;
  SlCounts counts_;
};

bool of_one_level(const Side& before, const Side& after) {
  if (before.given_sls || after.given_sls) return false;
  const auto was = fabric::common_path_sl(*before.tables), is = fabric::common_path_sl(*after.tables);
  return was && is && *was == *is;
}

/// Hosts with a pair of their own: a LID of the host itself is none.
std::uint64_t changed_hosts(const fabric::Fabric& fabric, const SlChange& change) {
  const std::size_t lids = change.lids.count();
  std::uint64_t hosts = 0;
  for (const PortId host : change.hosts) {
    const fabric::Port& port = fabric.port(host);
    std::size_t own = 0;
    for (unsigned k = 0; k < 1U << port.lmc; ++k)
      own += change.lids.contains(Lid(static_cast<std::uint16_t>(port.lid.value + k)));
    hosts += lids > own;
  }
  return hosts;
}

}  // namespace

ServiceLevels compare_service_levels(const Side& before, const verify::Wiring& wiring_before,
                                     const Side& after, const verify::Wiring& wiring_after,
                                     const Matching& matching) {
  ServiceLevels result;
  std::uint64_t lids = 0;
  std::vector<LidPair> by_lid(matching.lids.size());
  for (const LidPair& pair : matching.lids)
    if (pair.is_one_port) {
      if (by_lid.size() <= pair.after.index()) by_lid.resize(pair.after.index() + 1);
      by_lid[pair.after.index()] = pair;
      const auto owner = after.fabric->lid_owner(pair.after);
      if (owner && !after.fabric->is_switch(after.fabric->port(*owner).node)) ++lids;
    }
  if (of_one_level(before, after)) {
    result.pairs = matching.common_hosts == 0 ? 0 : lids * (matching.common_hosts - 1);
    return result;
  }
  const std::vector<SlSources> sources = sl_sources(before, wiring_before, after, wiring_after);
  for (const SlSources& from : sources) {
    SlChange& change = result.changes.emplace_back();
    change.hosts = from.hosts;
    std::ranges::sort(change.hosts);
    change.lids = IdSet<Lid>(std::size_t{0x10000});
  }
  std::vector<SlCounts> counts((by_lid.size() + 63) / 64);
  parallel_ranges(counts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t word = begin; word < end; ++word) {
      SlWord taker(before, after, sources, result.changes);
      for (std::size_t l = word * 64; l < std::min(by_lid.size(), (word + 1) * 64); ++l)
        taker.take(by_lid[l]);
      counts[word] = taker.counts();
    }
  });
  for (const SlCounts& of_word : counts) {
    result.pairs += of_word.pairs;
    result.unknown += of_word.unknown;
    result.changed += of_word.changed;
  }
  std::erase_if(result.changes, [](const SlChange& change) { return change.lids.empty(); });
  for (const SlChange& change : result.changes) result.hosts += changed_hosts(*after.fabric, change);
  return result;
}

}  // namespace rch::compare
