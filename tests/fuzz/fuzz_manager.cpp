// The whole manager on a fabric whose answers an enemy disturbs. The first bytes draw the fabric. The rest
// says what becomes of each datagram that arrives: lost, doubled, altered, cut off, late, reported as
// undeliverable, and what arrives that nobody asked for.
//
// Entries are written only if a plan with a clean verdict has them. When the input is used up, the manager
// must bring the fabric up within five minutes of its clock.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "chains/plan.h"
#include "fabric_target.h"
#include "hostile_port.h"
#include "hw/driver.h"
#include "policy/build/front_end.h"
#include "sim/traffic.h"
#include "sm/manager.h"
#include "support/small_fabrics.h"

namespace rch::sim::test {
namespace {

using hw::Milliseconds;

constexpr std::chrono::minutes kBound{5};
constexpr std::size_t kMostSteps = 200000;
constexpr std::uint64_t kSmKey = 0x5EC2E7;  // see HostilePort

std::shared_ptr<const policy::Policy> make_policy(const std::string& engine) {
  const auto sources = std::make_shared<SourceSet>();
  Diagnostics diagnostics;
  sources->provide("opensm.conf", "routing_engine " + engine + "\nsweep_interval 5\npacket_life_time 14\n");
  auto policy = std::move(*policy::load("opensm.conf", *sources, diagnostics)->policy);
  policy.texts = sources;
  return std::make_shared<const policy::Policy>(std::move(policy));
}

fabric::Fabric draw_fabric(std::uint8_t shape) {
  const auto draw = [&](unsigned bit, unsigned most) { return 1U + (shape >> bit) % most; };
  return rch::test::build(rch::test::clos(1 + draw(0, 4), draw(2, 2), draw(3, 2), draw(4, 2)));
}

/// A host of the fabric.
PortId first_host(const fabric::Fabric& fabric) {
  for (const auto& end : fabric.end_ports())
    if (!fabric.is_switch(fabric.port(end.port).node)) return end.port;
  return PortId::none();
}

class Siege {
 public:
  explicit Siege(std::span<const std::uint8_t> bytes)
      : input_(bytes),
        fabric_(draw_fabric(input_.next())),
        policy_(input_.next() % 2 == 0 ? updn_ : minhop_),
        simulated_(fabric_, first_host(fabric_)),
        port_(simulated_, first_host(fabric_), input_),
        driver_(port_, {.timeout = Milliseconds{50}, .retries = 1}),
        manager_(driver_, [this](const auto& live, const sm::Known& known) { return plan(live, known); },
                 settings(),
                 {.manager = note, .chains = [this](const chains::Event& event) { note_plan(event); }}),
        task_(manager_.run()) {
    simulated_.after_set = [this](const Visit& visit) { check(visit); };
  }

  void run() {
    task_.start();
    // Noise may let time pass without taking the input: it ends then.
    go_on([this] { return input_.empty(); }, driver_.now() + kBound);
    while (!input_.empty()) input_.next();
    manager_.sweep();
    go_on([this] { return is_up(); }, driver_.now() + kBound);
    if (!is_up()) tell();
    require(is_up());
  }

 private:
  static sm::ManagerSettings settings() {
    return {.install = {.manager = {.sm_key = kSmKey, .poll_every = Milliseconds{2000}},
                        .accept_reset = true,
                        .accept_path_sls = true,
                        .accept_switch_lids = true},
            .heals = true,
            .sweep_every = Milliseconds{5000}};
  }
  Result<chains::Plan> plan(const fabric::Fabric& live, const sm::Known& known) {
    Diagnostics diagnostics;
    const chains::PlanRequest request{.installed = known.installed,
                                      .joined = &known.joined,
                                      .settings = {},
                                      .lids = &known.lids,
                                      .lids_of_fabric_first = known.after_standby,
                                      .may_reassign = known.first,
                                      .repairs = known.repairs,
                                      .regroups = known.regroups};
    auto made = chains::plan(policy_, live, request, diagnostics, {});
    if (made && made->verdict.clean()) proven_.push_back(made->tables);
    return made;
  }
  /// The entries of a block are those of one switch of a proven plan, or lead nowhere, or were there, or were
  /// there by what an answer said: updates are judged with those.
  void check(const Visit& visit) {
    if (visit.attribute != hw::Attribute::linear_table) return;
    hw::SmpData& before = installed_[{visit.node, visit.modifier}];
    if (before == hw::SmpData{}) before.fill(kNoPath);
    bool is_proven = false;
    for (const auto& tables : proven_)
      for (std::uint32_t s = 0; s < tables->lfts.switch_count() && !is_proven; ++s)
        is_proven = fits(tables->lfts.row(SwitchId(s)), visit, before);
    require(is_proven);
    before = visit.data;
  }
  bool fits(std::span<const std::uint8_t> row, const Visit& visit, const hw::SmpData& before) {
    for (std::size_t i = 0; i < visit.data.size(); ++i) {
      const std::size_t lid = 64U * visit.modifier + i;
      const std::uint8_t target = lid < row.size() ? row[lid] : kNoPath;
      if (visit.data[i] == target || visit.data[i] == kNoPath || visit.data[i] == before[i]) continue;
      if (std::ranges::find(port_.said(visit.modifier), visit.data[i], [i](const hw::SmpData& data) {
            return data[i];
          }) == port_.said(visit.modifier).end())
        return false;
    }
    return true;
  }
  void note_plan(const chains::Event& event) {
    if (const auto* round = std::get_if<chains::LinkRoundBegins>(&event)) proven_.push_back(round->tables);
    const auto* seen = std::get_if<chains::FabricSeen>(&event);
    if (seen == nullptr || std::getenv("RCH_VERBOSE") == nullptr) return;
    for (const auto& part : seen->quarantine)
      std::fprintf(stderr, "left out: %s: %s\n", part.place.c_str(), part.reason.c_str());
  }
  static void note(const sm::ManagerEvent& event) {
    static const bool verbose = std::getenv("RCH_VERBOSE") != nullptr;
    if (!verbose) return;
    if (const auto* sweep = std::get_if<sm::SweepBegan>(&event))
      std::fprintf(stderr, "sweep: %s\n", std::string(sweep->reason).c_str());
    if (const auto* state = std::get_if<sm::StateChanged>(&event))
      std::fprintf(stderr, "state %d: %s\n", static_cast<int>(state->state), state->why.c_str());
    if (const auto* degraded = std::get_if<sm::Degraded>(&event))
      std::fprintf(stderr, "degraded: %s\n", degraded->error.message.c_str());
    if (std::holds_alternative<sm::SubnetUp>(event)) std::fprintf(stderr, "subnet up\n");
  }
  void tell() const {
    const sm::Status& status = manager_.status();
    const auto lost = Traffic(fabric_, simulated_).unreachable(first_host(fabric_));
    std::fprintf(stderr, "not up: state %d, %s, degraded: %s, %zu pairs lost\n",
                 static_cast<int>(status.state), status.proven ? "proven" : "not proven",
                 status.degraded.value_or("no").c_str(), lost.size());
  }
  bool is_up() const {
    const sm::Status status = manager_.status();
    const bool holds_plan = status.proven || !status.accepted.empty();
    return holds_plan && status.state == hw::SmState::master &&
           Traffic(fabric_, simulated_).unreachable(first_host(fabric_)).empty();
  }
  template <class Over>
  void go_on(Over over, hw::TimePoint until) {
    for (std::size_t steps = 0; steps < kMostSteps && driver_.now() < until && !over(); ++steps) {
      driver_.carry_out();
      require(!task_.done());
      simulated_.gets.clear();
      simulated_.sets.clear();
      driver_.receive(until);
    }
  }

  static inline const std::shared_ptr<const policy::Policy> updn_ = make_policy("updn"),
                                                            minhop_ = make_policy("minhop,updn");

  Bytes input_;
  fabric::Fabric fabric_;
  std::shared_ptr<const policy::Policy> policy_;
  std::vector<std::shared_ptr<const fabric::RoutingTables>> proven_;
  std::map<std::pair<NodeId, std::uint32_t>, hw::SmpData> installed_;
  SimulatedFabric simulated_;
  HostilePort port_;
  hw::Driver driver_;
  sm::Manager manager_;
  hw::Task<Result<void>> task_;
};

}  // namespace
}  // namespace rch::sim::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rch::sim::test::Siege({data, size}).run();
  return 0;
}
