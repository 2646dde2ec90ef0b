#include "hw/local_ports.h"

#include <endian.h>
#include <infiniband/umad.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/causes.h"

namespace rch::hw {
namespace {

constexpr unsigned kStateActive = 4, kPhysLinkUp = 5;
constexpr std::uint32_t kIsSmDisabled = 1U << 10;  // CapabilityMask of PortInfo

bool is_usable(const LocalPort& port) { return port.infiniband && port.linked; }

std::string_view objection_to(const LocalPort& port) {
  return port.infiniband ? "has no link" : "is an Ethernet port";
}

std::vector<std::string> cas_of(const std::string& ca) {
  if (!ca.empty()) return {ca};
  std::array<char[UMAD_CA_NAME_LEN], UMAD_MAX_DEVICES> names{};
  const int count = umad_get_cas_names(names.data(), static_cast<int>(names.size()));
  std::vector<std::string> cas;
  for (int i = 0; i < count; ++i) cas.emplace_back(names[static_cast<std::size_t>(i)]);
  return cas;
}

LocalPort described(const std::string& ca, const umad_port_t& port) {
  return {.ca = ca,
          .number = port.portnum,
          .guid = Guid(be64toh(port.port_guid)),
          .infiniband = std::string_view(port.link_layer) != "Ethernet",
          .linked = port.phys_state == kPhysLinkUp || port.portnum == 0,  // a switch's own port has no cable
          .active = port.state == kStateActive,
          .sm_disabled = (be32toh(port.capmask) & kIsSmDisabled) != 0};
}

}  // namespace

std::string name_of(const LocalPort& port) { return fmt::format("`{}` port {}", port.ca, port.number); }

Result<LocalPort> choose_port(std::span<const LocalPort> ports) {
  const auto rank = [](const LocalPort& port) {
    return std::tuple(is_usable(port), !port.sm_disabled, port.active);
  };
  const auto best = std::ranges::max_element(ports, {}, rank);  // the first of the best
  if (best != ports.end() && is_usable(*best)) return *best;
  if (ports.empty()) return fail(causes::kNoDevice, "this machine has no InfiniBand port");
  std::vector<std::string> reasons;
  for (const LocalPort& port : ports)
    reasons.push_back(fmt::format("{} {}", name_of(port), objection_to(port)));
  return fail(causes::kNoDevice,
              fmt::format("this machine has no InfiniBand port with a link: {}", fmt::join(reasons, ", ")));
}

std::vector<LocalPort> local_ports(const std::string& ca) {
  std::vector<LocalPort> ports;
  for (const std::string& name : cas_of(ca)) {
    umad_ca_t described_ca{};
    if (umad_get_ca(name.c_str(), &described_ca) != 0) continue;
    for (const umad_port_t* port : described_ca.ports)
      if (port != nullptr) ports.push_back(described(name, *port));
    umad_release_ca(&described_ca);
  }
  return ports;
}

}  // namespace rch::hw
