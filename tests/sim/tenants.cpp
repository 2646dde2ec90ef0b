#include "sim/tenants.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "hw/attributes.h"

namespace rch::sim::test {
namespace {

namespace pi = hw::port_info;

constexpr std::uint16_t kFull = 0x8000, kDefault = 0x7FFF;
/// Tenants have the P_Keys 1, 2, ...
constexpr std::uint64_t kTenants = 3;
constexpr std::uint16_t kEntries = 32;

std::uint16_t partition(std::uint16_t key) { return key & kDefault; }
bool is_of_tenant(std::uint16_t key) { return partition(key) != 0 && partition(key) != kDefault; }

/// IBA 10.9.3: the same partition, and one of the two is a full member.
bool match(std::uint16_t a, std::uint16_t b) {
  return partition(a) == partition(b) && ((a | b) & kFull) != 0;
}

}  // namespace

Tenants::Tenants(const fabric::Fabric& fabric, SimulatedFabric& simulated, fabric::Random& draw)
    : fabric_(fabric), simulated_(simulated), draw_(draw) {
  for (const auto& end : fabric.end_ports())
    if (!fabric.is_switch(fabric.port(end.port).node)) hosts_.push_back(end.port);
  oldest_.resize(hosts_.size());
  versions_.emplace_back(hosts_.size());
  for (auto& key : versions_.back()) key = draw_key();
}

std::uint16_t Tenants::draw_key() {
  const auto tenant = static_cast<PKey>(draw_.below(kTenants + 1));
  return tenant != 0 && draw_.below(3) != 0 ? tenant | kFull : tenant;
}

void Tenants::change() {
  Version next = versions_.back();
  for (std::uint64_t moves = 1 + draw_.below(next.size()); moves > 0; --moves)
    next[draw_.below(next.size())] = draw_key();
  versions_.push_back(std::move(next));
}

PortId Tenants::restart_host() {
  const PortId host = hosts_[draw_.below(hosts_.size())];
  std::erase_if(simulated_.pkeys, [&](const auto& block) { return block.first.first == host; });
  set(simulated_.pkeys[{host, 0}], hw::Field{0, 0, 16}, kDefault | kFull);
  simulated_.pull(host, true);
  simulated_.plug(host, true);
  return host;
}

std::string Tenants::file() const {
  std::string text = "Default=0x7fff, ipoib: ALL=full;\n";
  for (PKey tenant = 1; tenant <= kTenants; ++tenant) {
    std::string members;
    for (std::size_t h = 0; h < hosts_.size(); ++h)
      if (const PKey key = versions_.back()[h]; partition(key) == tenant)
        members += fmt::format("{}{}={}", members.empty() ? "" : ", ", fabric_.port(hosts_[h]).guid,
                               (key & kFull) != 0 ? "full" : "limited");
    if (!members.empty()) text += fmt::format("tenant{0}=0x{0:x}: {1};\n", tenant, members);
  }
  return text;
}

void Tenants::on_update(std::size_t version) {
  for (std::size_t& oldest : oldest_) oldest = std::min(oldest, version);
}

void Tenants::on_installed(const fabric::Fabric& installed, std::size_t version) {
  for (std::size_t h = 0; h < hosts_.size(); ++h)
    if (installed.find_port(fabric_.port(hosts_[h]).guid)) oldest_[h] = version;
}

std::vector<std::uint16_t> Tenants::keys_of(PortId port) const {
  std::vector<PKey> keys;
  for (auto block = simulated_.pkeys.lower_bound({port, 0});
       block != simulated_.pkeys.end() && block->first.first == port; ++block)
    for (std::uint16_t i = 0; i < kEntries; ++i)
      if (const auto key =
              static_cast<PKey>(get(block->second, hw::Field{static_cast<std::uint16_t>(2 * i), 0, 16}));
          key != 0)
        keys.push_back(key);
  return keys;
}

std::string Tenants::two_tenants(PortId port) const {
  std::set<PKey> tenants;
  for (const PKey key : keys_of(port))
    if (is_of_tenant(key)) tenants.insert(partition(key));
  return tenants.size() < 2 ? ""
                            : fmt::format("port {} holds the P_Keys {:#x} and {:#x} of two tenants",
                                          port.value, *tenants.begin(), *tenants.rbegin());
}

/// Whether the switch port of a host lets a packet with that P_Key go by.
bool Tenants::lets_pass(PortId host, PKey key, hw::Field enforcement) const {
  const PortId peer = fabric_.port(host).peer;
  if (get(simulated_.port_info[peer.index()], enforcement) == 0) return true;
  const auto keys = keys_of(peer);
  return std::ranges::any_of(keys, [&](PKey other) { return match(key, other); });
}

bool Tenants::can_send(PortId from, PortId to) const {
  const auto receiver = keys_of(to);
  return std::ranges::any_of(keys_of(from), [&](PKey key) {
    return is_of_tenant(key) &&
           std::ranges::any_of(receiver, [&](PKey other) { return match(key, other); }) &&
           lets_pass(from, key, pi::kPartitionEnforcementIn) &&
           lets_pass(to, key, pi::kPartitionEnforcementOut);
  });
}

/// In a version that one of them may hold.
bool Tenants::may_send(std::size_t from, std::size_t to) const {
  const std::size_t oldest = std::min(oldest_[from], oldest_[to]);
  return std::any_of(versions_.begin() + static_cast<std::ptrdiff_t>(oldest), versions_.end(),
                     [&](const Version& version) {
                       return is_of_tenant(version[from]) && match(version[from], version[to]);
                     });
}

std::string Tenants::describe(std::size_t host) const {
  std::string present, given;
  for (const PKey key : keys_of(hosts_[host])) present += fmt::format(" {:#x}", key);
  for (std::size_t v = oldest_[host]; v < versions_.size(); ++v)
    given += fmt::format(" {:#x} in {}", versions_[v][host], v);
  return fmt::format("host {} (has{}; is given{})", hosts_[host].value, present, given);
}

std::string Tenants::fault(const Traffic& traffic) const {
  for (const PortId host : hosts_)
    for (const PortId port : {host, fabric_.port(host).peer})
      if (auto fault = two_tenants(port); !fault.empty()) return fault;
  for (std::size_t from = 0; from < hosts_.size(); ++from) {
    const std::vector<bool> joined = traffic.active_piece_of(hosts_[from]);
    for (std::size_t to = 0; to < hosts_.size(); ++to)
      if (from != to && joined[fabric_.port(hosts_[to]).node.index()] && !may_send(from, to) &&
          can_send(hosts_[from], hosts_[to]))
        return fmt::format("packets of one tenant go from {} to {}", describe(from), describe(to));
  }
  return "";
}

std::string Tenants::unassigned(const fabric::Fabric& installed) const {
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const Guid guid = fabric_.port(hosts_[h]).guid;
    if (!installed.find_port(guid)) continue;
    std::vector<PKey> expected{kDefault | kFull};
    if (versions_.back()[h] != 0) expected.push_back(versions_.back()[h]);
    if (keys_of(hosts_[h]) != expected) return fmt::format("{} does not hold its P_Keys", guid);
  }
  return "";
}

}  // namespace rch::sim::test
