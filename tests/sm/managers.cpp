#include "sm/managers.h"

#include <algorithm>
#include <optional>

#include "fabric/fabric_builder.h"
#include "hw/simple_routing.h"

namespace rch::sm::test {

chains::Plan plan_by_ports(const fabric::Fabric& live, bool high) {
  const auto lids = hw::test::simple_lids(live, 0);
  const auto fabric = std::make_shared<const fabric::Fabric>(*fabric::with_lids(live, lids));
  auto tables = std::make_shared<fabric::RoutingTables>(hw::test::simple_tables(*fabric, false, high));
  chains::Plan plan;
  plan.fabric = fabric;
  plan.tables = std::move(tables);
  return plan;
}

void Managers::add(PortId origin, const ApplyOptions& options, const Planner& planner) {
  starts_.push_back({origin, options, planner});
  passes_.emplace_back();
}

void Managers::run(const Next& next) {
  next_ = next;
  fabric_.on_receive = [this](std::size_t client, bool waits) {
    if (client >= manager_of_client_.size()) return;
    const std::size_t m = manager_of_client_[client];
    if (m >= passes_.size()) return;
    hand_over(m, waits);
    wait_for_turn(m);
  };
  turn_ = next_(0, false);
  std::vector<std::thread> threads;
  for (std::size_t m = 0; m < starts_.size(); ++m) threads.emplace_back([this, m] { body(m); });
  for (std::thread& thread : threads) thread.join();
  fabric_.on_receive = [](std::size_t, bool) {};
}

void Managers::body(std::size_t m) {
  wait_for_turn(m);
  {
    hw::test::FakePort port(fabric_, starts_[m].origin);
    manager_of_client_.resize(port.client() + 1, starts_.size());
    manager_of_client_[port.client()] = m;
    hw::Driver driver(port, {});
    passes_[m].result = apply(driver, starts_[m].planner, starts_[m].options);
  }
  passes_[m].done = true;
  if (std::ranges::all_of(passes_, &Pass::done)) return;
  hand_over(m, true);
}

void Managers::wait_for_turn(std::size_t m) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return turn_ == m; });
  ++passes_[m].rounds;
}

/// To the chosen one, or the next that is not done.
void Managers::hand_over(std::size_t last, bool waits) {
  const std::lock_guard lock(mutex_);
  turn_ = next_(last, waits) % passes_.size();
  while (passes_[turn_].done) turn_ = (turn_ + 1) % passes_.size();
  if (turn_ != last) changed_.notify_all();
}

}  // namespace rch::sm::test
