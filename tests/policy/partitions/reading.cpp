#include "reading.h"

#include <arpa/inet.h>

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "fabric/formats.h"
#include "parsers/opensm_conf/opensm_conf.h"
#include "policy/build/partitions/build_partitions.h"

namespace rch::policy::partitions {
namespace {

std::string describe(const Partition& partition, const MulticastGroup& g) {
  char mgid[INET6_ADDRSTRLEN];
  inet_ntop(AF_INET6, g.mgid.data(), mgid, sizeof mgid);
  return fmt::format("group {} pkey={:#06x} mtu={} rate={} sl={} qkey={:#010x} tclass={} flow={} hop={}",
                     mgid, partition.pkey.value | kMembershipBit, g.mtu, g.rate, g.sl, g.q_key, g.tclass,
                     g.flow_label, g.hop_limit);
}

}  // namespace

Reading::Reading(std::string text, std::optional<std::string> options) {
  std::optional<OptionFile> main;
  if (options) {
    const auto conf =
        parsers::opensm_conf::parse(sources_, sources_.add("opensm.conf", *options), diagnostics_);
    main = read_main_options(conf, nullptr, sources_, diagnostics_);
  }
  syntax_ =
      parsers::partitions::parse(sources_, sources_.add("partitions.conf", std::move(text)), diagnostics_);
  FileReader files(sources_, diagnostics_);
  GroupTable groups(symbols_);  // no port group file is named, so there are none but the predefined ones
  partitions_ = build_partitions(syntax_, {.files = files,
                                           .diagnostics = diagnostics_,
                                           .symbols = symbols_,
                                           .main = main ? &*main : nullptr,
                                           .groups = main ? &groups : nullptr});
  diagnostics_.sort_by_place();
}

std::string Reading::rules() const {
  std::string names;
  for (const Diagnostic& d : diagnostics_.all())
    names += (names.empty() ? "" : " ") + std::string(d.rule->name);
  return names;
}

std::string Reading::report() const {
  std::string text;
  for (const Diagnostic& d : diagnostics_.all()) text += render(d, sources_);
  return text;
}

const fabric::Fabric& lab_fabric() {
  static const fabric::Fabric fabric = [] {
    SourceSet sources;
    Diagnostics diagnostics;
    const auto source = sources.load(RCH_TEST_DATA "/partitions/fabric.net");
    return *fabric::read_fabric(sources, *source, diagnostics);
  }();
  return fabric;
}

std::string laid_out(const Partitions& partitions) {
  const fabric::Fabric& fabric = lab_fabric();
  const PKeyTables tables = lay_out(partitions, {fabric, *fabric.origin(), {}});
  std::vector<std::string> lines;
  std::set<std::uint16_t> in_table;
  for (std::size_t i = 0; i < tables.ports.size(); ++i) {
    auto keys = tables.of(i);
    while (!keys.empty() && keys.back() == 0) keys = keys.first(keys.size() - 1);
    std::string line = fmt::format("{}:", fabric.port(tables.ports[i]).guid);
    for (const std::uint16_t key : keys) {
      line += fmt::format(" {:#06x}", key);
      in_table.insert(key & 0x7FFF);
    }
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  std::vector<std::string> groups;
  for (const Partition& partition : partitions.all)
    if (in_table.contains(partition.pkey.value))  // one without a port on the fabric is removed
      for (const MulticastGroup& group : partition.groups) groups.push_back(describe(partition, group));
  std::sort(groups.begin(), groups.end());
  return fmt::format("{}\n{}{}", fmt::join(lines, "\n"), fmt::join(groups, "\n"), groups.empty() ? "" : "\n");
}

}  // namespace rch::policy::partitions
