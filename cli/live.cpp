#include "cli/live.h"

#include <algorithm>

#include "hw/discovery.h"
#include "hw/live_tables.h"

namespace rch::cli {

Result<Connection> connect(const hw::PortName& port, const policy::Options& options, bool as_manager) {
  auto transport = hw::UmadTransport::open(port, as_manager);
  if (!transport) return tl::unexpected(transport.error());
  const hw::SmpOptions smp{
      .timeout = hw::Milliseconds(options.transport.transaction_timeout),
      .retries = options.transport.transaction_retries,
      .window = std::clamp(options.transport.max_wire_smps, 1U, hw::SmpClient::kMaxWindow),
      .m_key = options.manager.m_key};
  Connection connection{.transport = std::move(*transport), .driver = nullptr};
  connection.driver = std::make_unique<hw::Driver>(*connection.transport, smp);
  return connection;
}

Result<Discovered> discover_live(const hw::PortName& port, const policy::Options& options, bool strict) {
  auto connection = connect(port, options, false);
  if (!connection) return tl::unexpected(connection.error());
  auto live = hw::discover(*connection->driver, strict);
  if (!live) return tl::unexpected(live.error());
  return Discovered{std::move(live->fabric), std::move(live->quarantine)};
}

Result<LiveTables> read_live_tables(const hw::PortName& port) {
  auto connection = connect(port, {}, false);
  if (!connection) return tl::unexpected(connection.error());
  auto live = hw::discover(*connection->driver);
  if (!live) return tl::unexpected(live.error());
  auto tables = hw::read_live_tables(*connection->driver, *live);
  if (!tables) return tl::unexpected(tables.error());
  return LiveTables{{std::move(live->fabric), std::move(live->quarantine)}, std::move(*tables)};
}

}  // namespace rch::cli
