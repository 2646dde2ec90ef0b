#include "sim/generations.h"

#include <fmt/format.h>

#include "sa/gid.h"
#include "sa/path_fields.h"

namespace rch::sim::test {
namespace {

namespace pr = sa::path_record;

/// Answers are late by less than this many generations.
constexpr std::size_t kRemembered = 16;

/// True if the tables lead a packet to the port that has the LID.
bool leads(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, PortId from, Lid lid,
           PortId to) {
  PortId out = from;
  for (std::size_t hops = 0; hops <= fabric.switch_count() + 1; ++hops) {
    const PortId in = fabric.port(out).peer;
    if (in == to) return true;
    if (in.is_none() || !fabric.is_switch(fabric.port(in).node)) return false;
    const SwitchId sw(fabric.port(in).node.value);
    const PortNum exit(tables.lfts.at(sw, lid));
    if (exit.value > fabric.node(sw).num_ports) return false;
    out = fabric.port_id(sw, exit);
    if (out == to) return true;
  }
  return false;
}

}  // namespace

void Generations::add(const chains::Plan& plan) {
  last_.push_front({plan.fabric, plan.tables});
  if (last_.size() > kRemembered) last_.pop_back();
}

std::string Generations::fault_in(const Generation& in, Guid from, std::span<const std::uint8_t> record) {
  const fabric::Fabric& fabric = *in.fabric;
  const auto lid = [&](hw::Field field) { return Lid(static_cast<std::uint16_t>(get(record, field))); };
  const Guid to = sa::guid_of(sa::read_gid(record.subspan(pr::kDgid, sizeof(sa::Gid))));
  const Lid source = lid(pr::kSlid), destination = lid(pr::kDlid);
  const std::string path = fmt::format("path from {} (LID {}) to {} (LID {})", from, source, to, destination);
  const auto begin = fabric.find_port(from), end = fabric.find_port(to);
  if (!begin || fabric.lid_owner(source) != begin) return path + ": the source has another LID";
  if (!end || fabric.lid_owner(destination) != end) return path + ": the destination has another LID";
  if (begin == end) return "";
  if (!leads(fabric, *in.tables, *begin, destination, *end)) return path + " does not lead there";
  const PortId peer = fabric.port(*begin).peer;
  if (fabric.is_switch(fabric.port(*begin).node) || !fabric.is_switch(fabric.port(peer).node)) return "";
  const auto sl = get(record, pr::kFields.sl.field);
  const auto planned =
      fabric::path_sl(fabric, *in.tables, SwitchId(fabric.port(peer).node.value), destination);
  return sl == planned ? "" : fmt::format("{} has SL {} instead of {}", path, sl, planned);
}

std::string Generations::fault(Guid from, std::span<const std::uint8_t> records) const {
  if (records.size() % pr::kSize != 0) return "an answer has a part of a record";
  std::string first;
  for (const Generation& generation : last_) {
    std::string fault;
    for (std::size_t at = 0; fault.empty() && at < records.size(); at += pr::kSize)
      fault = fault_in(generation, from, records.subspan(at, pr::kSize));
    if (fault.empty()) return "";
    if (first.empty()) first = fault;
  }
  return "an answer is of no one plan; of the last: " + first;
}

}  // namespace rch::sim::test
