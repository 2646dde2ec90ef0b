#include "cli/live_path_sls.h"

#include <fmt/format.h>

#include "cli/stop_signals.h"
#include "conformance/session.h"
#include "hw/causes.h"

namespace rch::cli {
namespace {

namespace c = conformance;

/// The service levels of one answer, by LID of the destination.
std::vector<std::uint8_t> levels_of(const c::Reply& reply) {
  std::vector<std::uint8_t> levels;
  for (std::size_t i = 0; i < reply.count(); ++i) {
    const auto record = reply.record(i);
    const std::size_t lid = c::number(c::kPathRecord, record, "DLID");
    if (lid >= levels.size()) levels.resize(lid + 1, verify::GivenSls::kUnknown);
    levels[lid] = static_cast<std::uint8_t>(c::number(c::kPathRecord, record, "SL") & 15U);
  }
  return levels;
}

}  // namespace

Result<verify::GivenSls> ask_path_sls(const hw::PortName& port, const fabric::Fabric& fabric) {
  auto transport = hw::UmadTransport::open(port, hw::Serves::reports);
  if (!transport) return tl::unexpected(transport.error());
  c::Client client(**transport, stop_on_signals());
  const auto session = c::Session::begin(client, {});
  if (!session) return tl::unexpected(session.error());
  verify::GivenSls given(fabric.ports().size());
  for (const fabric::EndPort& from : fabric.end_ports()) {
    if (from.lid == kUnassignedLid) continue;
    const c::Reply reply =
        client.ask(c::Fields(c::kPathRecord).set("SLID", from.lid.value).request(c::method::kGetTable));
    if (client.stopped()) return fail(hw::causes::kStopped, "a signal ended the command");
    if (!reply.good())
      return fail(reply.answered ? hw::causes::kRefusedRead : hw::causes::kNoAnswer,
                  fmt::format("subnet administration at LID {} tells no paths from LID {}: {}",
                              session->server(), from.lid, reply.text()));
    given.set(from.port, levels_of(reply));
  }
  return given;
}

}  // namespace rch::cli
