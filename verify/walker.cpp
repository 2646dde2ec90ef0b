#include "verify/walker.h"

namespace rch::verify {
Injection::Injection(const Wiring& wiring, const Lanes& lanes) {
  first_.push_back(0);
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw)
    for (unsigned out = 0; out <= wiring.num_ports(sw); ++out) {
      const std::size_t first = entries_.size();
      if (wiring.exit(sw, static_cast<std::uint8_t>(out)).kind == Exit::Kind::to_switch)
        for (const Source& source : wiring.sources_of(sw))
          add(first, lanes.map_id(wiring.cell(sw, source.attach.index(), out)),
              lanes.unsendable(wiring.data_vls(source.port)));
      first_.push_back(static_cast<std::uint32_t>(entries_.size()));
    }
}

void Injection::add(std::size_t first, std::uint16_t map, SlSet unsendable) {
  std::size_t at = first;
  while (at < entries_.size() && entries_[at].map != map) ++at;
  if (at == entries_.size()) entries_.push_back({map, 0, 0});
  entries_[at].sent = static_cast<SlSet>(entries_[at].sent | ~unsendable);
  entries_[at].unsent = static_cast<SlSet>(entries_[at].unsent | unsendable);
}

template <std::size_t N>
bool Walker<N>::walk(const Group& group, std::span<const std::uint8_t> sls) {
  group_ = &group;
  sls_ = sls;
  clean_ = true;
  std::fill(load_.begin(), load_.end(), LaneLoad<N>{});
  tree_.build(group.column);
  if (tree_.has_circle()) clean_ = false;
  for (const std::uint32_t sw : tree_.leaves_first()) {
    if (tree_.next(sw) == InTree::kNowhere) {
      const bool end = group.proper && sw == group.sw().value;
      if (!end && !ground_.wiring.sources_of(sw).empty()) clean_ = false;
      continue;
    }
    if (!group.proper && sw == group.sw().value)
      inject_all_but(sw, group.members.front()->owner.port);
    else
      inject(sw);
    push(sw);
  }
  if (group.proper) deliver_locally();
  return clean_;
}

/// Packets of the hosts of `sw`, onto the cable it sends to.
template <std::size_t N>
void Walker<N>::inject(std::uint32_t sw) {
  const SlSet sl = sl_bit(sls_[sw]);
  for (const Injection::Entry& entry : ground_.injection.at(ground_.wiring.slot(sw, group_->column[sw]))) {
    if ((sl & entry.unsent) != 0) clean_ = false;
    add(sw, ground_.lanes.map(entry.map), sl & entry.sent);
  }
}

/// The same at the destination switch when it sends its own host's packets elsewhere: that host is no source.
template <std::size_t N>
void Walker<N>::inject_all_but(std::uint32_t sw, PortId owner) {
  clean_ = false;
  const SlSet sl = sl_bit(sls_[sw]);
  for (const Source& source : ground_.wiring.sources_of(sw)) {
    const SlSet unsendable = ground_.lanes.unsendable(ground_.wiring.data_vls(source.port));
    if (source.port == owner || (sl & unsendable) != 0) continue;
    add(sw, ground_.lanes.at(ground_.wiring.cell(sw, source.attach.index(), group_->column[sw])), sl);
  }
}

/// Puts packets on the lanes of the cable that `sw` sends to.
template <std::size_t N>
void Walker<N>::add(std::uint32_t sw, const LaneMap& map, SlSet sls) {
  if ((sls & map.drops) != 0) clean_ = false;
  add_load(load_[sw], map, sls);
}

/// Takes all packets on the cable of `sw` one switch further; they are all there, as `sw` comes after its
/// feeders.
template <std::size_t N>
void Walker<N>::push(std::uint32_t sw) {
  const LaneLoad<N>& load = load_[sw];
  const SlSet sls = all_sls(load);
  if (sls == 0) return;
  const Wiring& wiring = ground_.wiring;
  dependencies_.use(wiring.slot(sw, group_->column[sw]), lanes_in(load));

  const std::uint32_t to = tree_.next(sw);
  if (!tree_.leads_on(to)) return arrive(to, tree_.in(sw), sls);
  const std::size_t cell = wiring.cell(to, tree_.in(sw), group_->column[to]);
  const LaneMap& map = ground_.lanes.at(cell);
  add(to, map, sls);
  dependencies_.add_crossing(cell, load, map);
}

/// Packets reach the switch where their way ends.
template <std::size_t N>
void Walker<N>::arrive(std::uint32_t sw, std::uint8_t in, SlSet sls) {
  if (!group_->proper || sw != group_->sw().value) {
    clean_ = false;
    return;
  }
  for (const Destination* member : group_->members) {
    if (member->owner.attach.value == in) continue;  // no port sends to itself
    const std::size_t cell = ground_.wiring.cell(sw, in, member->owner.attach.index());
    if ((ground_.lanes.at(cell).drops & sls) != 0) clean_ = false;
  }
}

/// Hosts of the destination switch among themselves: no cable between switches, but a lane all the same.
template <std::size_t N>
void Walker<N>::deliver_locally() {
  const std::uint32_t sw = group_->sw().value;
  const SlSet sl = sl_bit(sls_[sw]);
  for (const Source& source : ground_.wiring.sources_of(sw)) {
    if ((ground_.lanes.unsendable(ground_.wiring.data_vls(source.port)) & sl) != 0) clean_ = false;
    arrive(sw, source.attach.value, sl);
  }
}

template <std::size_t N>
SlSet Walker<N>::crossing(std::size_t sw, std::uint8_t out, std::size_t lane, std::uint8_t next_out,
                          std::size_t next_lane) const {
  if (!tree_.leads_on(sw) || group_->column[sw] != out) return 0;
  const std::uint32_t next = tree_.next(sw);
  if (!tree_.leads_on(next) || group_->column[next] != next_out) return 0;
  const std::size_t cell = ground_.wiring.cell(next, tree_.in(sw), next_out);
  return static_cast<SlSet>(load_[sw][lane] & ground_.lanes.at(cell).on_lane[next_lane]);
}

template class Walker<1>;
template class Walker<2>;
template class Walker<4>;
template class Walker<8>;
template class Walker<16>;

}  // namespace rch::verify
