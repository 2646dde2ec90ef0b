#include "verify/account.h"

namespace rch::verify {

void Account::add(const Destination& destination, std::span<const std::uint8_t> column,
                  const SourceLevels& sls, Tally& tally) {
  destination_ = &destination;
  column_ = column;
  sls_ = &sls;
  tally_ = &tally;
  std::fill(packets_.begin(), packets_.end(), std::array<std::uint32_t, 16>{});
  tree_.build(column);
  for (std::uint32_t sw = 0; sw < wiring_.switch_count(); ++sw) start(sw);
  for (const std::uint32_t sw : tree_.leaves_first())
    if (tree_.next(sw) != InTree::kNowhere) push(sw);
}

/// Packets of the hosts on `sw` as they meet its table.
void Account::start(std::uint32_t sw) {
  if (wiring_.is_bare(sw) &&
      (destination_->is_switch() || is_unneeded(context_, SwitchId(sw), *destination_)))
    return;
  const bool disconnected = parts_.of[sw] != parts_.of[destination_->owner.sw.index()];
  for (const Source& source : wiring_.sources_of(sw)) {
    if (source.port == destination_->owner.port) continue;
    const std::uint8_t sl = sls_->of(source);
    if (disconnected)
      lose(FindingKind::disconnected, 1);
    else if ((lanes_.unsendable(source.port, wiring_.data_vls(source.port)) & sl_bit(sl)) != 0)
      lose(FindingKind::dropped_by_vl, 1);
    else
      arrive(sw, source.attach.value, sl, 1);
  }
}

/// Packets that leave `sw`, to the next switch.
void Account::push(std::uint32_t sw) {
  for (std::uint8_t sl = 0; sl < 16; ++sl)
    if (packets_[sw][sl] != 0) arrive(tree_.next(sw), tree_.in(sw), sl, packets_[sw][sl]);
}

void Account::arrive(std::uint32_t sw, std::uint8_t in, std::uint8_t sl, std::uint32_t packets) {
  if (tree_.on_cycle(sw)) return lose(FindingKind::loop, packets);
  const bool home = destination_->handed_over(sw, column_[sw]);
  if (home && destination_->is_switch()) return;
  if (!home && wiring_.exit(sw, column_[sw]).kind != Exit::Kind::to_switch)
    return lose(FindingKind::unreachable, packets);
  if ((lanes_.at(sw, in, column_[sw]).drops & sl_bit(sl)) != 0)
    return lose(FindingKind::dropped_by_vl, packets);
  if (!home) packets_[sw][sl] += packets;
}

}  // namespace rch::verify
