// Descriptors against the engines: an option changes what an engine makes exactly where its descriptor says
// that the engine reads it.

#include <algorithm>
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/dumps.h"
#include "chains/engine_inputs.h"
#include "engines/registry.h"
#include "fabric/fabric_builder.h"
#include "fabric/table_dumps.h"
#include "policy/model/option_table.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using policy::Step;

/// Four leaves of four hosts below two spines with a host each, cabled out of order, and other links between
/// switches. All links run at 4xQDR, the first one at 1xQDR.
Fabric storage_tree(std::initializer_list<test::Cable> others, std::uint8_t lmc) {
  test::Shape shape{
      .hosts = {4, 4, 4, 4, 1, 1},
      .cables = {{2, 4}, {0, 5}, {3, 5}, {3, 4}, {1, 4}, {0, 4}, {2, 5}, {1, 5}, {1, 4}, {0, 5}}};
  shape.cables.insert(shape.cables.end(), others);
  shape.lmc = lmc;
  const Fabric plain = test::build(shape);
  fabric::FabricBuilder builder(plain);
  for (const fabric::Node& node : plain.nodes())
    for (fabric::PortSpec& port : builder.node(*builder.find(node.guid)).ports) {
      port.width = fabric::LinkWidth::x4;
      port.speed = fabric::LinkSpeed::qdr;
    }
  const PortId slow = plain.port_id(SwitchId(2), PortNum(5));
  for (const PortId end : {slow, plain.port(slow).peer})
    builder.node(*builder.find(plain.node(plain.port(end).node).guid))
        .ports[plain.port(end).number.index()]
        .width = fabric::LinkWidth::x1;
  return *std::move(builder).build();
}

/// Trees, others with links inside a rank, and random ones. An option matters on some of them.
std::vector<Fabric> fabrics() {
  std::vector<Fabric> made;
  for (const std::uint8_t lmc : {std::uint8_t{0}, std::uint8_t{1}}) {
    made.push_back(storage_tree({}, lmc));
    made.push_back(storage_tree({{0, 1}, {1, 2}, {2, 3}}, lmc));
    made.push_back(storage_tree({{0, 1}, {0, 1}, {2, 3}, {2, 3}, {4, 5}}, lmc));
  }
  for (std::uint64_t seed = 1; seed <= 20; ++seed) made.push_back(test::build(test::random_shape(seed, 12)));
  return made;
}

Guid guid_of(const Fabric& fabric, std::uint32_t sw) {
  return fabric.node(SwitchId(sw % static_cast<std::uint32_t>(fabric.switch_count()))).guid;
}

std::vector<policy::ListMember> switches(const Fabric& fabric, std::initializer_list<std::uint32_t> chosen) {
  std::vector<policy::ListMember> list;
  for (std::uint32_t sw : chosen) list.push_back({guid_of(fabric, sw), {}, {}});
  return list;
}

/// Ports of the hosts on switches [first, last).
std::vector<policy::ListMember> hosts(const Fabric& fabric, std::uint32_t first, std::uint32_t last) {
  std::vector<policy::ListMember> list;
  for (const fabric::EndPort& end : fabric.end_ports())
    if (end.sw.value >= first && end.sw.value < last) list.push_back({fabric.port(end.port).guid, {}, {}});
  return list;
}

/// What the rest of a step is, so that the option matters, and the option itself.
struct Case {
  std::string_view key;
  std::function<void(const Fabric&, Step&)> set;
  std::function<void(const Fabric&, Step&)> before = {};
};

void tree_lists(const Fabric& fabric, Step& step) {
  step.files.roots = switches(fabric, {4, 5});
  step.files.compute_nodes = hosts(fabric, 0, 4);
}

const Case kCases[] = {
    {"connect_roots", [](const Fabric&, Step& step) { step.routing.connect_roots = true; }, tree_lists},
    {"quasi_ftree_indexing", [](const Fabric&, Step& step) { step.routing.quasi_ftree_indexing = true; },
     tree_lists},
    {"max_reverse_hops", [](const Fabric&, Step& step) { step.routing.max_reverse_hops = 2; },
     [](const Fabric& fabric, Step& step) {
       tree_lists(fabric, step);
       step.files.io_nodes = hosts(fabric, 4, 6);
     }},
    {"pqft_structure",
     [](const Fabric&, Step& step) {
       step.routing.pqft_structure = {.quasi = false, .children = {9}, .parents = {1}, .cables = {1}};
     },
     tree_lists},
    {"torus_config", [](const Fabric&, Step& step) { step.torus.emplace(); }},
    {"guid_routing_order_no_scatter",
     [](const Fabric&, Step& step) { step.routing.guid_routing_order_no_scatter = true; },
     [](const Fabric& fabric, Step& step) {
       step.routing.scatter_ports = 8;
       step.files.routing_order = hosts(fabric, 0, 4);
     }},
    {"scatter_ports", [](const Fabric&, Step& step) { step.routing.scatter_ports = 8; }},
    {"port_shifting", [](const Fabric&, Step& step) { step.routing.port_shifting = true; }},
    {"port_profile_switch_nodes",
     [](const Fabric&, Step& step) { step.routing.port_profile_switch_nodes = true; }},
    {"avoid_throttled_links", [](const Fabric&, Step& step) { step.routing.avoid_throttled_links = true; }},
    {"root_guid_file", [](const Fabric& fabric, Step& step) { step.files.roots = switches(fabric, {4}); }},
    {"cn_guid_file", [](const Fabric& fabric, Step& step) { step.files.compute_nodes = hosts(fabric, 2, 4); },
     [](const Fabric& fabric, Step& step) {
       step.files.roots = switches(fabric, {4, 5});
     }},
    {"io_guid_file", [](const Fabric& fabric, Step& step) { step.files.io_nodes = hosts(fabric, 2, 6); },
     [](const Fabric& fabric, Step& step) {
       step.files.compute_nodes = hosts(fabric, 0, 2);
       step.routing.max_reverse_hops = 2;
     }},
    {"ids_guid_file",
     [](const Fabric& fabric, Step& step) {
       step.files.ids = {{guid_of(fabric, 1), 0xFFFFFFFF, {}}};
     },
     [](const Fabric& fabric, Step& step) { step.files.roots = switches(fabric, {4}); }},
    {"guid_routing_order_file",
     [](const Fabric& fabric, Step& step) { step.files.routing_order = hosts(fabric, 3, 4); }},
    {"hop_weights_file",
     [](const Fabric& fabric, Step& step) {
       step.files.hop_weights = {{guid_of(fabric, 0), 5, 9, {}}};
     }},
    {"port_search_ordering_file",
     [](const Fabric& fabric, Step& step) {
       step.files.port_orders = {{guid_of(fabric, 0), {7, 6, 5}, {}}};
     }},
    {"port_prof_ignore_file",
     [](const Fabric& fabric, Step& step) {
       step.files.ignored_ports = {{guid_of(fabric, 0), 5, {}}};
     }},
    {"lfts_file", [](const Fabric&, Step& step) { step.files.lfts = std::make_shared<fabric::LftDump>(); }},
    {"lid_matrix_dump_file",
     [](const Fabric&, Step& step) { step.files.hops = std::make_shared<fabric::HopDump>(); }},
};

/// Everything an engine gives back, as text.
std::string outcome(const engines::Descriptor& engine, const Fabric& fabric, const Step& step) {
  policy::QosOptions qos;
  qos.enabled = true;
  const auto made = engine.route(fabric::SubFabric(fabric), engine_inputs(engine, step, step.files, qos));
  if (!made) return made.error().message;
  std::string text;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const auto row = made->lfts.row(SwitchId(s));
    text.append(row.begin(), row.end());
  }
  for (const std::string& remark : made->remarks) text += remark + '\n';
  return text;
}

/// A way of running an engine in which options may have no effect.
struct Mode {
  const char* name;
  engines::Setup setup;
};
const Mode kModes[] = {{"best", {}}, {"compat", {.compat = true}}, {"tables", {.tables = true}}};

/// Fabrics with the dumps of one routing, which the engine `file` loads.
struct Routed {
  Fabric fabric;
  std::shared_ptr<const fabric::LftDump> lfts;
  std::shared_ptr<const fabric::HopDump> hops;
};

Routed routed(Fabric fabric) {
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const test::ScratchFolder folder;
  EXPECT_TRUE(dump_final(folder.path(), fabric, chain.good_run()));
  SourceSet sources;
  Diagnostics diagnostics;
  const auto load = [&](const char* name) { return *sources.load(folder.file(name)); };
  auto lfts = fabric::read_lft_dump(sources, load("opensm-lfts.dump"), diagnostics);
  auto hops = fabric::read_hop_dump(sources, load("opensm-lid-matrix.dump"), diagnostics);
  return {std::move(fabric), std::make_shared<const fabric::LftDump>(std::move(*lfts)),
          std::make_shared<const fabric::HopDump>(std::move(*hops))};
}

std::vector<Routed> routed_fabrics() {
  std::vector<Routed> all;
  for (Fabric& fabric : fabrics()) all.push_back(routed(std::move(fabric)));
  return all;
}

class Modes : public testing::TestWithParam<Mode> {};

TEST_P(Modes, NameTheOptionsThatMatter) {
  const engines::Setup setup = GetParam().setup;
  const std::vector<Routed> all = routed_fabrics();
  for (const Case& with : kCases)
    for (const engines::Descriptor* engine : engines::all_engines()) {
      const bool loads = engine->reads_option("lfts_file");
      const bool is_dump = with.key == "lfts_file" || with.key == "lid_matrix_dump_file";
      if (setup.tables && (!loads || is_dump)) continue;  // both files together: LoadedDumps
      const bool matters = std::ranges::any_of(all, [&](const Routed& on) {
        Step step{};
        step.mode = setup.compat ? policy::EngineMode::compat : policy::EngineMode::best;
        if (setup.tables) step.files.lfts = on.lfts;
        if (loads && !setup.tables) step.files.hops = on.hops;
        if (with.key != "root_guid_file") step.files.roots = switches(on.fabric, {4, 5});
        if (with.before) with.before(on.fabric, step);
        const std::string without = outcome(*engine, on.fabric, step);
        with.set(on.fabric, step);
        return outcome(*engine, on.fabric, step) != without;
      });
      EXPECT_EQ(matters, engine->heeds_option(with.key, setup)) << engine->name << " " << with.key;
    }
}
INSTANTIATE_TEST_SUITE_P(Descriptors, Modes, testing::ValuesIn(kModes),
                         [](const auto& test) { return std::string(test.param.name); });

/// Those that rch accepts without effect, and those that chains read themselves, are left out.
TEST(Descriptors, HaveACaseForEveryOption) {
  for (const engines::Descriptor* engine : engines::all_engines())
    for (const auto keys : engine->reads)
      for (std::string_view key : keys) {
        if (!policy::find_option(key)->has_effect() || key == "offsweep_balancing_enabled" ||
            key == "offsweep_balancing_window" ||
            std::ranges::find(engines::kAdaptiveKeys, key) != std::end(engines::kAdaptiveKeys))
          continue;
        EXPECT_NE(std::ranges::find(kCases, key, &Case::key), std::end(kCases)) << key;
      }
}

}  // namespace
}  // namespace rch::chains
