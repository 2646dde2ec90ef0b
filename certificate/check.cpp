#include <atomic>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "certificate/walk.h"

namespace rch::certificate {
namespace {

/// Two channels that a packet takes one after the other. Channel 0, of a port 0, is none.
using Step = std::pair<std::size_t, std::size_t>;

Result<void> descends(const Tables& of, const Walk& walk, const Step& step) {
  const auto name = [&](Channel channel) {
    const fabric::Port& port = of.fabric.port(channel.port);
    return fmt::format("`{}` port {} VL {}", of.fabric.node(port.node).name(), port.number, channel.vl);
  };
  return fail(ErrorKind::forbidden,
              fmt::format("packets take {} and then {}, which does not stand behind it in the certificate",
                          name(walk.channel(step.first)), name(walk.channel(step.second))));
}

Result<void> check_count(std::uint64_t seen, std::uint64_t certified, std::string_view what) {
  if (seen == certified) return {};
  return fail(ErrorKind::forbidden, fmt::format("{} {}, and the certificate says {}", seen, what, certified));
}

}  // namespace

Result<void> check(const Tables& tables, const Certificate& certificate) {
  const fabric::Fabric& fabric = tables.fabric;
  if (certificate.fabric != fabric.fingerprint())
    return fail(ErrorKind::forbidden, "the certificate is of another fabric");
  if (!tables.tables.adaptive.empty())
    return fail(ErrorKind::forbidden, "the tables have groups of ports, of which a certificate says nothing");
  if (certificate.packets == Packets::path_sls && !tables.knows_lanes)
    return fail(ErrorKind::forbidden,
                "the certificate is for service levels of paths, which are not known here");
  Walk walk(tables, certificate.packets);
  std::vector<std::uint32_t> place(walk.channel_count());  // of each channel; 0: it is not listed
  for (std::uint32_t i = 0; i < certificate.order.size(); ++i)
    place[walk.index(certificate.order[i])] = i + 1;
  // By LID, and behind the last one of multicast groups: the first step that does not ascend.
  std::vector<Step> descents(fabric.max_lid().index() + 2);
  const auto watch = [&](Step& descent) {
    return [&](std::size_t a, std::size_t b) {
      if (descent == Step() && (place[a] == 0 || place[a] >= place[b])) descent = {a, b};
    };
  };
  const bool to_switches = certificate.to_switches && knows_sls_to_switches(tables, certificate.packets);
  std::atomic<std::uint64_t> lost = 0;
  tbb::enumerable_thread_specific<Walk> walks([&] { return Walk(tables, certificate.packets); });
  tbb::parallel_for(std::size_t{1}, descents.size() - 1, [&](std::size_t l) {
    const Lid lid(static_cast<std::uint16_t>(l));
    const auto owner = fabric.lid_owner(lid);
    const bool of_switch = owner && fabric.is_switch(fabric.port(*owner).node);
    if (!owner || (of_switch && !to_switches)) return;
    const std::uint64_t missing = walks.local().to_lid(lid, watch(descents[l]));
    if (!of_switch) lost += missing;
  });
  std::uint64_t lost_members = 0;
  for (const fabric::MulticastGroup& group : tables.tables.groups) {
    const auto missing = walk.to_group(group, watch(descents.back()));
    if (!missing) return tl::unexpected(missing.error());
    lost_members += *missing;
  }
  for (const Step& descent : descents)
    if (descent != Step()) return descends(tables, walk, descent);
  if (auto same = check_count(lost, certificate.lost_pairs, "pairs have no path"); !same) return same;
  return check_count(lost_members, certificate.lost_members, "members of groups are not reached");
}

}  // namespace rch::certificate
