#include "cli/live.h"

#include <algorithm>
#include <array>

#include "cli/key_file.h"
#include "cli/lid_file.h"
#include "hw/discovery.h"
#include "hw/fdr10.h"
#include "hw/live_tables.h"

namespace rch::cli {

hw::SmpOptions smp_options(const policy::Options& options, bool as_manager, hw::KeyOptions keys) {
  return {.timeout = hw::Milliseconds(options.transport.transaction_timeout),
          .retries = options.transport.transaction_retries,
          .window = std::clamp(options.transport.max_wire_smps, 1U, hw::SmpClient::kMaxWindow),
          .window2 = std::min(options.transport.max_wire_smps2, hw::SmpClient::kMaxWindow),
          .stuck_after = std::chrono::microseconds(options.transport.max_smps_timeout),
          .per_node = options.transport.max_wire_smps_per_device,
          .keys = std::move(keys),
          .sets_follow = as_manager};
}

namespace {

/// The port of option `guid`, where the command names none.
hw::PortName port_of(hw::PortName port, const policy::Options& options) {
  const bool named = port.guid || !port.ca.empty() || port.port != 0;
  const auto chosen = std::ranges::find_if(options.manager.guid, [](Guid guid) { return guid != Guid{}; });
  if (!named && chosen != options.manager.guid.end()) port.guid = *chosen;
  return port;
}

}  // namespace

Result<Connection> connect(const hw::PortName& port, const policy::Options& options, bool as_manager,
                           hw::KeyOptions keys) {
  auto transport =
      hw::UmadTransport::open(port_of(port, options), as_manager ? hw::Serves::manager : hw::Serves::nothing);
  if (!transport) return tl::unexpected(transport.error());
  Connection connection{.transport = std::move(*transport), .driver = nullptr};
  keys.local = connection.transport->port_guid();
  connection.driver =
      std::make_unique<hw::Driver>(*connection.transport, smp_options(options, as_manager, std::move(keys)));
  return connection;
}

Result<Connection> connect(const hw::PortName& port, const policy::Options& options) {
  hw::KeyOptions keys{.own = key_source(options.manager)};
  SourceSet sources;
  Diagnostics ignored;  // the manager tells of them
  if (const std::string file = cable_file(default_lid_file(options.manager)); keys.own.per_port)
    if (const auto source = sources.load(file))
      keys.cables = fabric::read_neighbors(sources, *source, ignored);
  return connect(port, options, false, std::move(keys));
}

Result<Discovered> discover_live(const hw::PortName& port, const policy::Options& options, bool strict,
                                 std::shared_ptr<const fabric::CablePolicy> cables) {
  auto connection = connect(port, options);
  if (!connection) return tl::unexpected(connection.error());
  connection->driver->admit(std::move(cables));
  auto live = connection->driver->wait(hw::discover(*connection->driver, {.strict = strict}));
  if (!live) return tl::unexpected(live.error());
  if (auto speeds = connection->driver->wait(hw::read_active_fdr10(*connection->driver, *live)); !speeds)
    return tl::unexpected(speeds.error());
  return Discovered{std::move(live->fabric), std::move(live->quarantine), std::move(live->own_cable),
                    std::move(live->absent)};
}

namespace {

/// OperationalVLs; a port that shows no code may use all.
std::uint8_t operational_vls(const hw::PortInfo& info) {
  constexpr std::array<std::uint8_t, 6> kVls{15, 1, 2, 4, 8, 15};
  return info.oper_vls < kVls.size() ? kVls[info.oper_vls] : kVls[0];
}

/// A port that was not seen tells nothing.
dumps::LinkSettings settings_of(const hw::LiveFabric& live) {
  const auto code = [](std::uint8_t value) { return value <= 5 ? value : std::uint8_t{0}; };
  dumps::LinkSettings settings;
  settings.ports.resize(live.fabric.ports().size());
  for (std::uint32_t p = 0; p < settings.ports.size(); ++p) {
    const fabric::Port& port = live.fabric.port(PortId(p));
    const hw::PortInfo& info = live.info(PortId(p));
    if (!port.peer.is_none())
      settings.ports[p] = {port.width, port.speed, code(info.neighbor_mtu), code(info.oper_vls)};
  }
  return settings;
}

}  // namespace

Result<LiveTables> read_live_tables(const hw::PortName& port, bool with_pkeys,
                                    const policy::Options& options) {
  auto connection = connect(port, options);
  if (!connection) return tl::unexpected(connection.error());
  auto live = connection->driver->wait(hw::discover(*connection->driver));
  if (!live) return tl::unexpected(live.error());
  std::optional<isolation::InstalledPKeys> pkeys;
  auto tables = connection->driver->wait(
      hw::read_live_tables(*connection->driver, *live, with_pkeys ? &pkeys : nullptr));
  if (!tables) return tl::unexpected(tables.error());
  std::vector<std::uint8_t> data_vls;
  for (const hw::PortInfo& info : live->port_info) data_vls.push_back(operational_vls(info));
  const auto sm = live->fabric.lid_owner(live->info(live->local).master_sm_lid);
  dumps::LinkSettings settings = settings_of(*live);
  return LiveTables{{std::move(live->fabric), std::move(live->quarantine)},
                    std::move(*tables),
                    std::move(data_vls),
                    std::move(pkeys),
                    sm.value_or(PortId::none()),
                    std::move(settings)};
}

}  // namespace rch::cli
