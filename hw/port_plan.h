#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bitset.h"
#include "fabric/routing_tables.h"
#include "hw/fdr10.h"
#include "hw/image.h"
#include "hw/key_source.h"
#include "hw/live_fabric.h"

namespace rch::hw {

/// The finding that links in use have to be reset, which `--accept` names.
inline constexpr std::string_view kLinkReset = "link-reset";

/// `force_link_…`: bits of what ports may use. All bits: what they support. 0: as it is.
struct LinkOptions {
  static constexpr std::uint8_t kSupportedSpeed = 15, kSupportedSpeedExt = 31, kSupportedWidth = 255;
  static constexpr std::uint8_t kSupportedSpeedExt2 = 7, kNoSpeedExt2 = 6;
  static constexpr std::uint8_t kNoSpeedExt = 30;

  std::uint8_t speed = kSupportedSpeed;
  std::uint8_t speed_ext = kSupportedSpeedExt;
  std::uint8_t speed_ext2 = kSupportedSpeedExt2;
  std::uint8_t width = kSupportedWidth;
};

/// What a subnet manager puts into PortInfo and SwitchInfo. Names and defaults are those of opensm.conf.
struct SubnetOptions {
  KeySource keys{};  ///< without keys, lease and protection are not written
  std::uint16_t m_key_lease_period = 0;
  std::uint8_t m_key_protection_level = 0;
  std::uint64_t subnet_prefix = 0xFE80000000000000;
  std::uint8_t subnet_timeout = 18;
  std::uint8_t packet_life_time = 0x12;
  std::uint8_t head_of_queue_lifetime = 0x12;
  std::uint8_t leaf_head_of_queue_lifetime = 0x10;
  std::uint8_t vl_stall_count = 7;
  std::uint8_t leaf_vl_stall_count = 7;
  std::uint8_t max_op_vls = 5;
  std::uint8_t max_neighbor_mtu = 0;  ///< code; 0: no limit
  std::uint8_t sm_sl = 0;
  std::uint8_t local_phy_errors_threshold = 8;
  std::uint8_t overrun_errors_threshold = 8;
  LinkOptions link{};
  Fdr10 fdr10 = Fdr10::enable;
  bool reregister_clients = true;  ///< not `no_clients_rereg`, nor `client_rereg_mode 0`
  bool asks_all_clients = false;   ///< to register again, not only those of ports that came
  /// Hosts that are not in it are asked, too, though their ports stayed up; null: not known. Must outlive.
  const fabric::Fabric* known_clients = nullptr;
  /// The manager before us: what hosts registered with it is known; LID 0: of none.
  Lid followed_sm{};
  bool use_multicast_top = true;  ///< `use_mfttop`
  /// Traps about P_Keys of multicast packets, of end ports that can leave them out; not set: as it is.
  std::optional<bool> suppresses_multicast_traps{};
  /// Ports whose link is not reset now: MTU and VLs stay as they are. Null: none. Must outlive.
  const IdSet<PortId>* later_resets = nullptr;
};

/// The Sets that bring ports into the target state, each list one barrier, in this order
/// (OpenSM's osm_state_mgr.c and IBA 14.2.5.6).
///
/// An M_Key that differs makes an end port or a port 0 differ, with a key also its lease and protection. They
/// are not compared with the answer: an agent may hide them. Compared fields (LID, LMC, SM LID, prefix, MTU,
/// VLs, head-of-queue life and partition enforcement of switch ports) decide whether a port is written, and
/// are compared with the answer. SubnetTimeout, VLStallCount and the high limit of VL arbitration make a port
/// differ too, but are not compared with the answer: some agents forget them (ibsim's umad2sim.c). So do
/// speeds and widths that are forced and that the port supports; they hold from the next training of the
/// link. The others (SM SL, thresholds, speeds and widths that are not forced) are written along; alone they
/// do not make a port differ.
struct PortPlan {
  /// The nearer end of each link whose MTU or VLs must change while it is up, the farthest first: a link that
  /// is down must not cut the way to the next.
  std::vector<Image> resets;
  std::vector<Image> end_ports;     ///< LIDs and everything else of CA and router ports and switch ports 0
  std::vector<Image> switch_ports;  ///< parameters of cabled switch ports, which become ARMED with them
  std::vector<Image> activate;      ///< both ends of every link, to ACTIVE
  std::size_t arm_count = 0;        ///< the first so many of them become ARMED before
  std::size_t armed_with_parameters = 0;  ///< so many of `switch_ports`

  bool empty() const {
    return end_ports.empty() && resets.empty() && switch_ports.empty() && activate.empty();
  }
};

/// Takes the link of a port down.
Image link_down(const LiveFabric& live, PortId port);

/// `fabric` is live.fabric with the target LIDs (fabric::with_lids); the SM LID is that of live.local. An end
/// port without a LID there is left alone. With `whole`, fields that agents may forget count as differences
/// too.
///
/// `enforcement`: TargetPKeys::enforcement.
PortPlan plan_ports(const LiveFabric& live, const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                    std::span<const fabric::PartitionEnforcement> enforcement, const SubnetOptions& options,
                    bool whole);

}  // namespace rch::hw
