#pragma once

#include <memory>

#include "base/result.h"
#include "cli/target.h"
#include "dumps/link_settings.h"
#include "fabric/routing_tables.h"
#include "hw/driver.h"
#include "hw/live_fabric.h"
#include "hw/umad_transport.h"
#include "isolation/installed_pkeys.h"
#include "policy/model/policy.h"

namespace rch::cli {

/// An open way to the fabric behind a local port.
struct Connection {
  std::unique_ptr<hw::UmadTransport> transport;
  std::unique_ptr<hw::Driver> driver;
};

/// How requests are sent, as a configuration asks. `as_manager`: by who will write to ports.
hw::SmpOptions smp_options(const policy::Options& options, bool as_manager, hw::KeyOptions keys);

/// `as_manager`: also take the requests that a subnet manager answers.
Result<Connection> connect(const hw::PortName& port, const policy::Options& options, bool as_manager,
                           hw::KeyOptions keys);
/// For commands that only read: with the M_Keys of the configuration.
Result<Connection> connect(const hw::PortName& port, const policy::Options& options);

/// A fabric, and what it was seen without.
struct Discovered {
  fabric::Fabric fabric;
  std::vector<fabric::Quarantined> quarantine;
  std::optional<fabric::Quarantined> own_cable{};
  std::vector<Guid> absent{};  ///< hw::LiveFabric::absent
};
/// Discovers the fabric behind `port` and closes the port again. With `strict`, fails when a part of it does
/// not answer. `cables`: Exchange::admit().
Result<Discovered> discover_live(const hw::PortName& port, const policy::Options& options, bool strict,
                                 std::shared_ptr<const fabric::CablePolicy> cables = nullptr);

/// A fabric and the tables its switches hold.
struct LiveTables {
  Discovered seen;
  fabric::RoutingTables tables;
  std::vector<std::uint8_t> data_vls;  ///< by PortId: VLs in operation
  std::optional<isolation::InstalledPKeys> pkeys;
  PortId sm = PortId::none();  ///< that our port has for its subnet manager; none: it has none
  dumps::LinkSettings settings;
};
/// `with_pkeys`: LiveTables::pkeys, too.
Result<LiveTables> read_live_tables(const hw::PortName& port, bool with_pkeys,
                                    const policy::Options& options = {});

}  // namespace rch::cli
