#include "sa/path_search.h"

#include <algorithm>

#include "sa/gid.h"
#include "sa/partition.h"
#include "sa/path_terms.h"
#include "sa/path_walk.h"
#include "sa/qos_ports.h"

namespace rch::sa {
namespace {

using policy::qos::Level;

bool carries(std::uint16_t usable, std::uint8_t sl) { return (usable >> sl & 1U) != 0; }

/// One pair of end ports.
class Search {
 public:
  Search(const Snapshot& snapshot, const PathWish& wish, const PathEnd& from, const PathEnd& to,
         ManyWays* ways)
      : snapshot_(snapshot), fabric_(snapshot.fabric()), wish_(wish), from_(from), to_(to), ways_(ways) {
    if (snapshot.qos)
      level_ = &snapshot.qos->level(from.port, to.port, wish.service_id, wish.qos_class, wish.pkey);
    restricts_path_bits_ = restricts_path_bits();
    pkey_ = choose_pkey();
  }

  void run(std::vector<std::uint8_t>& records);

 private:
  bool has_path_bits(Lid slid) const {
    const unsigned offset = slid.value - fabric_.port(from_.port).lid.value;
    return !restricts_path_bits_ || level_->path_bits.contains(offset);
  }
  bool restricts_path_bits() const;
  std::optional<std::uint16_t> choose_pkey() const;
  std::optional<std::uint8_t> choose_sl(std::uint16_t usable, Lid to) const;
  void limit_beyond(std::uint8_t& mtu, std::uint8_t& rate) const;
  BothWays ways(Lid slid, Lid dlid) const;
  std::optional<PathTerms> terms(Lid slid, Lid dlid) const;
  void append(Lid slid, Lid dlid, std::uint8_t preference, std::vector<std::uint8_t>& records);

  const Snapshot& snapshot_;
  const fabric::Fabric& fabric_;
  const PathWish& wish_;
  const PathEnd &from_, &to_;
  ManyWays* const ways_;
  const Level* level_ = nullptr;  ///< null: no QoS policy
  bool restricts_path_bits_ = false;
  std::optional<std::uint16_t> pkey_;
  unsigned found_ = 0;
};

/// A port that has no LID with one of the path bits of the level is not restricted by them: one without LMC
/// would have no path.
bool Search::restricts_path_bits() const {
  if (level_ == nullptr || level_->path_bits.empty()) return false;
  const unsigned lids = 1U << fabric_.port(from_.port).lmc;
  for (unsigned offset = 0; offset < lids; ++offset)
    if (level_->path_bits.contains(offset)) return true;
  return false;
}

/// 8.2.6: the P_Key that is asked, else the lowest that the QoS level names, else any in common. A level that
/// names some allows no other.
std::optional<std::uint16_t> Search::choose_pkey() const {
  if (level_ == nullptr || level_->pkeys.empty())
    return common_pkey(snapshot_, from_.port, to_.port, wish_.pkey);
  std::optional<std::uint16_t> best;
  for (const std::uint16_t ours : snapshot_.pkeys(from_.port)) {
    if (!level_->pkeys.contains(ours & kBasePKey)) continue;
    if (wish_.pkey && (ours & kBasePKey) != (*wish_.pkey & kBasePKey)) continue;
    const auto common = common_pkey(snapshot_, from_.port, to_.port, ours);
    if (common && (!best || (*common & kBasePKey) < (*best & kBasePKey))) best = common;
  }
  return best;
}

/// 8.2.7. `usable`: levels that the links of the path carry.
std::optional<std::uint8_t> Search::choose_sl(std::uint16_t usable, Lid to) const {
  std::uint8_t sl = 0;
  if (wish_.sl) {
    if (level_ != nullptr && level_->sl != *wish_.sl) return std::nullopt;
    sl = *wish_.sl;
  } else if (level_ != nullptr) {
    sl = level_->sl;
  } else if (to_.beyond && snapshot_.plan.options.inter_subnet.sl != 0) {
    sl = snapshot_.plan.options.inter_subnet.sl;
  } else if (const auto* partition = snapshot_.partition(*pkey_); partition != nullptr) {
    sl = partition->sl;
  }
  NodeId node = fabric_.port(from_.port).node;
  if (!fabric_.is_switch(node) && !fabric_.port(from_.port).peer.is_none())
    node = fabric_.port(fabric_.port(from_.port).peer).node;
  if (const auto sw = fabric_.switch_id(node); sw && from_.port != to_.port) {
    const auto routed = fabric::path_sl_for(fabric_, *snapshot_.plan.tables, *sw, to, sl);
    if (!routed) return std::nullopt;
    sl = *routed;
  }
  if ((wish_.sl && sl != *wish_.sl) || !carries(usable, sl)) return std::nullopt;
  return sl;
}

/// Limits MTU and rate of a path to another subnet, whatever is behind the router.
void Search::limit_beyond(std::uint8_t& mtu, std::uint8_t& rate) const {
  using Options = policy::InterSubnetOptions;
  const Options& options = snapshot_.plan.options.inter_subnet;
  if (options.mtu != Options::kOfPath) mtu = std::min(mtu, options.mtu);
  if (options.rate != Options::kOfPath) rate = slower(rate, options.rate);
}

BothWays Search::ways(Lid slid, Lid dlid) const {
  if (ways_ == nullptr) return walk_both(snapshot_, {from_.port, slid}, {to_.port, dlid});
  return {ways_->to(dlid), ways_->back(to_.port, slid)};
}

std::optional<PathTerms> Search::terms(Lid slid, Lid dlid) const {
  const auto [path, back] = ways(slid, dlid);
  if (!path) return std::nullopt;
  const auto sl = choose_sl(path->usable, dlid);
  if (!sl) return std::nullopt;
  // Packets that return keep the SL.
  const bool reversible = back && carries(back->usable, *sl);
  if (wish_.reversible && !reversible) return std::nullopt;

  std::uint8_t mtu = path->mtu, rate = path->rate;
  if (to_.beyond) limit_beyond(mtu, rate);
  std::uint8_t life = from_.port == to_.port ? std::uint8_t{0} : snapshot_.plan.options.ports.subnet_timeout;
  if (level_ != nullptr) {
    if (level_->mtu_limit) mtu = std::min(mtu, *level_->mtu_limit);
    if (level_->rate_limit) rate = slower(rate, *level_->rate_limit);
    if (level_->packet_life && life != 0) life = *level_->packet_life;
  }
  const auto met_mtu = wish_.mtu ? meet_mtu(mtu, *wish_.mtu) : mtu;
  const auto met_rate = wish_.rate ? meet_rate(rate, *wish_.rate) : rate;
  const auto met_life = wish_.life ? meet_life(life, *wish_.life) : life;
  if (!met_mtu || !met_rate || !met_life) return std::nullopt;
  const auto gid = [&](const PathEnd& end) {
    return end.beyond.value_or(make_gid(snapshot_.prefix(), end.alias.value_or(fabric_.port(end.port).guid)));
  };
  constexpr std::uint8_t kWithinSubnet = 0, kAnyHops = 255;
  const policy::InterSubnetOptions beyond =
      to_.beyond ? snapshot_.plan.options.inter_subnet : policy::InterSubnetOptions{};
  return PathTerms{.source = gid(from_),
                   .destination = gid(to_),
                   .slid = slid,
                   .dlid = dlid,
                   .pkey = *pkey_,
                   .sl = *sl,
                   .mtu = *met_mtu,
                   .rate = *met_rate,
                   .life = *met_life,
                   .reversible = reversible,
                   .hop_limit = to_.beyond ? kAnyHops : kWithinSubnet,
                   .traffic_class = wish_.traffic_class.value_or(beyond.traffic_class),
                   .flow_label = wish_.flow_label.value_or(beyond.flow_label)};
}

void Search::append(Lid slid, Lid dlid, std::uint8_t preference, std::vector<std::uint8_t>& records) {
  auto terms = this->terms(slid, dlid);
  if (!terms) return;
  terms->preference = preference;
  append_path(*terms, wish_, records);
  ++found_;
}

/// Paths that share neither LID come first, then the other pairs of LIDs (8.3).
void Search::run(std::vector<std::uint8_t>& records) {
  constexpr std::uint8_t kBest = 0, kSharesLid = 2;
  if (!pkey_) return;
  const Lids from = lids_of(fabric_, from_), to = lids_of(fabric_, to_);
  if (from.first == 0 || to.first == 0) return;
  const auto pair = [&](unsigned i, unsigned j, std::uint8_t preference) {
    const Lid slid(static_cast<std::uint16_t>(from.first + i));
    if (found_ < wish_.most && has_path_bits(slid))
      append(slid, Lid(static_cast<std::uint16_t>(to.first + j)), preference, records);
  };
  const unsigned straight = std::min(from.count, to.count);
  for (unsigned i = 0; i < straight; ++i) pair(i, i, kBest);
  for (unsigned i = 0; i < from.count; ++i)
    for (unsigned j = 0; j < to.count; ++j)
      if (i != j) pair(i, j, kSharesLid);
}

}  // namespace

Lids lids_of(const fabric::Fabric& fabric, const PathEnd& end) {
  if (end.lid != kUnassignedLid) return {end.lid.value, 1};
  const fabric::Port& port = fabric.port(end.port);
  return {port.lid.value, static_cast<std::uint16_t>(1U << port.lmc)};
}

void find_paths(const Snapshot& snapshot, const PathWish& wish, const PathEnd& from, const PathEnd& to,
                std::vector<std::uint8_t>& records, ManyWays* ways) {
  Search(snapshot, wish, from, to, ways).run(records);
}

}  // namespace rch::sa
