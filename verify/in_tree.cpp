#include "verify/in_tree.h"

namespace rch::verify {

InTree::InTree(const Wiring& wiring)
    : wiring_(&wiring),
      order_(wiring.switch_count() + 1),
      next_(wiring.switch_count()),
      in_(wiring.switch_count()),
      pending_(wiring.switch_count()) {}

void InTree::build(std::span<const std::uint8_t> column) {
  const std::size_t n = next_.size();
  std::fill(pending_.begin(), pending_.end(), 0U);
  for (std::size_t s = 0; s < n; ++s) {
    const Exit& exit = wiring_->exit(s, column[s]);
    const bool on = exit.kind == Exit::Kind::to_switch;
    next_[s] = on ? exit.to : kNowhere;
    in_[s] = exit.in;
    if (on) ++pending_[exit.to];
  }
  // Written before it is known whether it counts: no branch to mispredict. order_ has one element to spare.
  std::size_t tail = 0;
  for (std::uint32_t s = 0; s < n; ++s) {
    order_[tail] = s;
    tail += pending_[s] == 0;
  }
  for (std::size_t head = 0; head < tail; ++head) {
    const std::uint32_t to = next_[order_[head]];
    if (to == kNowhere) continue;
    order_[tail] = to;
    tail += --pending_[to] == 0;
  }
  ordered_ = tail;
}

}  // namespace rch::verify
