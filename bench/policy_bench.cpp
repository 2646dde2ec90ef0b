// Configuration: text to syntax for each dialect, and 10,000 port groups laid on a fabric of 48,000 LIDs.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "fabrics.h"
#include "parsers/enhanced_qos/enhanced_qos.h"
#include "parsers/opensm_conf/opensm_conf.h"
#include "parsers/port_groups/port_groups.h"
#include "parsers/qos_policy/qos_policy.h"
#include "parsers/routing_chains/routing_chains.h"
#include "parsers/topologies/topologies.h"
#include "parsers/torus_conf/torus_conf.h"
#include "policy/bind/bind.h"
#include "policy/build/groups/groups.h"
#include "policy/build/qos/build_qos.h"

namespace rch::bench {
namespace {

constexpr std::size_t kGroups = 10'000;

/// One group of each form in turn: GUID lists of hosts and of switches with ports, ranges, host names,
/// anchored and unanchored expressions (all different), unions and differences.
std::string group_rule(const fabric::Fabric& fabric, std::size_t i) {
  const std::size_t switches = fabric.switch_count(), hosts = fabric.nodes().size() - switches;
  const auto host = [&](std::size_t n) { return fabric.nodes()[switches + n % hosts].guid; };
  const std::size_t at = i * 37;
  switch (i % 8) {
    case 0: {
      std::string list = fmt::format("port-guid: {}", host(at));
      for (std::size_t n = 1; n < 16; ++n) list += fmt::format(", {}", host(at + n * 101));
      return list;
    }
    case 1:
      return fmt::format("port-guid: {}@1-12/14/16, {}", fabric.nodes()[at % switches].guid,
                         fabric.nodes()[(at + 1) % switches].guid);
    case 2:
      return fmt::format("port-guid-range: {}-{}", host(at), Guid(host(at).value + 4 * 64));
    case 3:
      return fmt::format("port-name: hostname=host{:05}, hostname=host{:05}; port=1; hca_idx=1", at % hosts,
                         (at + 7) % hosts);
    case 4:
      return fmt::format("port-regexp: ^host{:04}[0-9] HCA-[12]$:1", i % (hosts / 10));
    case 5:
      return fmt::format("port-regexp: ({:03}|{:03})[02468].*HCA", i / 8 % 1000, (i / 8 + 500) % 1000);
    case 6:
      return fmt::format("union-rule: g{}, g{}", i - 1, i - 6);
    default:
      return fmt::format("subtract-rule: g{}, g{}", i - 1, i - 4);
  }
}

const std::string& groups_text() {
  static const std::string text = [] {
    std::string written;
    for (std::size_t i = 0; i < kGroups; ++i)
      written += fmt::format("port-group\n  name: g{}\n  use: group {} of many\n  {}\nend-port-group\n", i, i,
                             group_rule(fat_tree56().fabric, i));
    return written;
  }();
  return text;
}

/// `count` copies of a text, numbered where it has `{}`.
std::string many(std::size_t count, const std::string& pattern) {
  std::string text;
  for (std::size_t i = 1; i <= count; ++i) {
    std::string copy = pattern;
    for (std::size_t at; (at = copy.find("{}")) != std::string::npos;) copy.replace(at, 2, std::to_string(i));
    text += copy;
  }
  return text;
}

std::string topologies_text() {
  return many(10'000, "topology\n  id: {}\n  sw-grp: switches-{}\n  hca-grp: hosts-{}\nend-topology\n");
}
std::string chain_text() {
  return many(10'000,
              "unicast-step\n  id: {}\n  engine: minhop\n  topology: {}\n  path-bit: 1\n  use: part {}\n"
              "  fallback-to: {}\nend-unicast-step\n");
}
std::string options_text() {
  return many(
      10'000,
      "# comment {}\nqos TRUE\nlmc 1\nsm_priority 3   # behind a value\nlog_file \"/var/log/a {}\"\n");
}
std::string torus_text() {
  return "torus 16 16 16\n" +
         many(10'000,
              "xp_link 0x0002c90200400000 0x0002c90200400{}\nyp_link 0x0002c90200400000 0x0002c90200410{}\n"
              "x_dateline -{}\nnext_seed\n");
}

std::string qos_text() {
  return "port-groups\n" +
         many(10'000,
              "port-group\n  name: group {}\n  port-guid: 0x2c900000{}, 0x2c910000{}-0x2c920000{}\n"
              "  port-name: \"host{} HCA-1/P1\"\nend-port-group\n") +
         "end-port-groups\nqos-levels\nqos-level\nname: DEFAULT\nsl: 0\nend-qos-level\nend-qos-levels\n"
         "qos-match-rules\n" +
         many(10'000,
              "qos-match-rule\n  source: group {}\n  service-id: {}, 0x10000{}\n  qos-class: 7-9,11\n"
              "  qos-level-name: default\nend-qos-match-rule\n") +
         "end-qos-match-rules\nqos-ulps\n" +
         many(10'000, "  any, service-id 0x2000{} : 3\n  srp, target-port-guid 0x2c9{} : 4\n") +
         "end-qos-ulps\n";
}
std::string rates_text() {
  return "BW_NAMES\n" + many(10'000, "  rate{} = {}\n") + "BW_RULES\n" +
         many(10'000, "  0x2c900000{} = all:rate{}, 4:rate{}\n");
}

void parse(benchmark::State& state, auto parser, const std::string& text) {
  for (auto _ : state) {
    SourceSet sources;
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(parser(sources, sources.add("bench.conf", text), diagnostics));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text.size()));
}
void parse_port_groups(benchmark::State& state) { parse(state, parsers::port_groups::parse, groups_text()); }
void parse_topologies(benchmark::State& state) {
  parse(state, parsers::topologies::parse, topologies_text());
}
void parse_chain(benchmark::State& state) { parse(state, parsers::routing_chains::parse, chain_text()); }
void parse_options(benchmark::State& state) { parse(state, parsers::opensm_conf::parse, options_text()); }
void parse_qos_policy(benchmark::State& state) { parse(state, parsers::qos_policy::parse, qos_text()); }
void parse_enhanced_qos(benchmark::State& state) { parse(state, parsers::enhanced_qos::parse, rates_text()); }
void parse_torus_conf(benchmark::State& state) { parse(state, parsers::torus_conf::parse, torus_text()); }

/// Parsed groups to a policy: names resolved.
void build_groups(benchmark::State& state) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto syntax =
      parsers::port_groups::parse(sources, sources.add("groups.conf", groups_text()), diagnostics);
  for (auto _ : state) {
    policy::Symbols symbols;
    policy::GroupTable table(symbols);
    table.add(syntax, diagnostics);
    table.resolve(diagnostics);
    benchmark::DoNotOptimize(table.take());
  }
}

void bind_groups(benchmark::State& state) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto syntax =
      parsers::port_groups::parse(sources, sources.add("groups.conf", groups_text()), diagnostics);
  policy::Symbols symbols;
  policy::GroupTable table(symbols);
  table.add(syntax, diagnostics);
  table.resolve(diagnostics);
  const auto policy = std::make_shared<policy::Policy>();
  policy->groups = table.take();
  const auto fabric = std::make_shared<const fabric::Fabric>(fat_tree56().fabric);
  std::size_t ports = 0;
  for (auto _ : state) {
    Diagnostics found;
    const auto bound = policy::bind(policy, fabric, found);
    ports = 0;
    for (const auto& group : bound.groups) ports += group.count();
    state.counters["findings"] = static_cast<double>(found.all().size());
  }
  state.counters["ports"] = static_cast<double>(ports);
  if (diagnostics.has_errors()) state.SkipWithError(diagnostics.all().front().message.c_str());
}

/// Parsed QoS policy to a typed one: names resolved, every rule compared with those before it.
void build_qos_policy(benchmark::State& state) {
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add("qos-policy.conf", qos_text());
  const auto syntax = parsers::qos_policy::parse(sources, source, diagnostics);
  policy::FileReader files(sources, diagnostics);
  for (auto _ : state) {
    policy::Symbols symbols;
    const policy::BuildContext context{files, diagnostics, symbols};
    benchmark::DoNotOptimize(policy::qos::build_qos(syntax, source, nullptr, context));
  }
  if (!diagnostics.all().empty()) state.SkipWithError(diagnostics.all().front().message.c_str());
}

BENCHMARK(parse_port_groups)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_topologies)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_chain)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_options)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_qos_policy)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_enhanced_qos)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_torus_conf)->Unit(benchmark::kMillisecond);
BENCHMARK(build_qos_policy)->Unit(benchmark::kMillisecond);
BENCHMARK(build_groups)->Unit(benchmark::kMillisecond);
BENCHMARK(bind_groups)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rch::bench
