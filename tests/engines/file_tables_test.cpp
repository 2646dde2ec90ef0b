// The engine `file` (docs/engines.md, Tables from files): tables of golden runs loaded again, and files that
// do not fit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/file/file.h"
#include "engines/minhop/minhop.h"
#include "fabric/fabric_builder.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"
#include "support/test_name.h"
#include "table_judge.h"

namespace rch::engines::file {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Dump>
Dump dump_of(const std::string& text, std::optional<Dump> (*read)(const SourceSet&, SourceId, Diagnostics&)) {
  SourceSet sources;
  Diagnostics diagnostics;
  auto dump = read(sources, sources.add("dump", text), diagnostics);
  if (!dump) throw std::runtime_error(render(diagnostics.all().front(), sources));
  return std::move(*dump);
}
fabric::LftDump lft_dump(const std::string& text) { return dump_of(text, fabric::read_lft_dump); }
fabric::HopDump hop_dump(const std::string& text) { return dump_of(text, fabric::read_hop_dump); }

/// What an engine made, as opensm-lfts.dump has it; `owners` false: LIDs without GUIDs.
std::string dumped(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts, bool owners = true) {
  std::string text;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    text += fmt::format("Unicast lids [0-{}] of switch Lid 1 guid {} ('x'):\n", fabric.max_lid(),
                        fabric.node(SwitchId(s)).guid);
    for (std::uint16_t lid = 1; lid <= fabric.max_lid().value; ++lid) {
      const std::uint8_t port = lfts.at(SwitchId(s), Lid(lid));
      if (port == kNoPath) continue;
      const auto owner = fabric.lid_owner(Lid(lid));
      text += fmt::format("0x{:04x} {:03d} #", lid, port);
      if (owner && owners) text += fmt::format(" Switch portguid {}: 'y'", fabric.port(*owner).guid);
      text += "\n";
    }
  }
  return text;
}

fabric::Fabric small() { return test::build(test::clos(3, 2, 2)); }
StepTables by_minhop(const fabric::Fabric& fabric) { return *minhop::route(fabric::SubFabric(fabric), {}); }

EngineResult loaded(const fabric::Fabric& fabric, const std::string& text, bool compat = false) {
  const fabric::LftDump dump = lft_dump(text);
  return route(fabric::SubFabric(fabric), {.lfts = &dump, .ports = {.compat = compat}});
}

class FileGolden : public testing::TestWithParam<const char*> {};

TEST_P(FileGolden, TablesOfTheDump) {
  const std::string folder = test::golden_folder(GetParam());
  const fabric::Fabric fabric = test::opensm_fabric(folder);
  const fabric::LftDump dump = lft_dump(test::text_of(folder + "/opensm-lfts.dump"));
  const auto ours = route(fabric::SubFabric(fabric), {.lfts = &dump});
  ASSERT_TRUE(ours) << ours.error().message;
  EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(folder, fabric)), "");
  EXPECT_THAT(ours->remarks, ElementsAre());
}

TEST_P(FileGolden, HopsOfTheDump) {
  const std::string folder = test::golden_folder(GetParam());
  const fabric::Fabric fabric = test::opensm_fabric(folder);
  const fabric::HopDump dump = hop_dump(test::text_of(folder + "/opensm-lid-matrix.dump"));
  const auto ours = route(fabric::SubFabric(fabric), {.hops = &dump});
  ASSERT_TRUE(ours) << ours.error().message;
  EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(folder, fabric)), "");
}

INSTANTIATE_TEST_SUITE_P(Cases, FileGolden,
                         testing::Values("clos-6x4-par2/updn", "clos-6x4-par2/updn.lmc1", "rand20-s7/updn",
                                         "mesh2d-6x6/minhop", "multi/minhop.lmc1"),
                         [](const auto& param) { return test::test_name(param.param); });

TEST(FileTables, AsOpenSmLoadedThem) {
  const char* const name = "torus2d-6x5-badswitch/file-U";
  const fabric::Fabric fabric = test::golden_fabric(name);
  const fabric::LftDump dump =
      lft_dump(test::golden_text("cases/torus2d-6x5-badswitch/torus-2QoS/opensm-lfts.dump"));
  for (bool compat : {false, true}) {
    const auto ours = route(fabric::SubFabric(fabric), {.lfts = &dump, .ports = {.compat = compat}});
    ASSERT_TRUE(ours) << ours.error().message;
    EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(test::golden_folder(name), fabric)), "");
  }
}

TEST(FileTables, DumpOfInfinibandDiags) {
  const fabric::Fabric fabric = test::golden_fabric("clos-6x4-par2/minhop");
  const auto ours = loaded(fabric, test::golden_text("diags/clos-6x4-par2.dump_lfts.txt"));
  ASSERT_TRUE(ours) << ours.error().message;
  EXPECT_EQ(test::difference(fabric, ours->lfts,
                             test::opensm_lfts(test::golden_folder("clos-6x4-par2/minhop"), fabric)),
            "");
}

TEST(FileTables, EntriesFollowTheOwnersOfLids) {
  const fabric::Fabric before = small();
  std::vector<fabric::LidAssignment> lids;
  for (std::uint32_t p = 0; p < before.ports().size(); ++p)
    if (const fabric::Port& port = before.port(PortId(p)); port.lid != kUnassignedLid)
      lids.push_back(
          {PortId(p), Lid(static_cast<std::uint16_t>(before.max_lid().value + 1 - port.lid.value)), 0});
  const fabric::Fabric after = *fabric::with_lids(before, lids);
  const StepTables made = by_minhop(before);
  const auto ours = loaded(after, dumped(before, made.lfts));
  ASSERT_TRUE(ours) << ours.error().message;
  for (std::uint32_t s = 0; s < before.switch_count(); ++s)
    for (const fabric::LidAssignment& moved : lids)
      EXPECT_EQ(ours->lfts.at(SwitchId(s), moved.lid),
                made.lfts.at(SwitchId(s), before.port(moved.port).lid));
  // Without owners the LIDs stay.
  const auto as_written = loaded(after, dumped(before, made.lfts, false), true);
  ASSERT_TRUE(as_written);
  EXPECT_EQ(test::difference(after, as_written->lfts, made.lfts), "");
}

TEST(FileTables, NoFilesIsRefused) {  // OpenSM routes by minhop then, which nobody declared
  const fabric::Fabric fabric = small();
  for (const bool compat : {false, true}) {
    const auto ours = route(fabric::SubFabric(fabric), {.ports = {.compat = compat}});
    ASSERT_FALSE(ours);
    EXPECT_EQ(ours.error().rule, "files-absent");
  }
}

TEST(FileTables, PortThatASwitchDoesNotHave) {
  const fabric::Fabric fabric = small();
  const std::string text = dumped(fabric, by_minhop(fabric).lfts) + "0x0003 200 #\n";
  for (bool compat : {false, true}) {
    const auto ours = loaded(fabric, text, compat);
    ASSERT_FALSE(ours);
    EXPECT_EQ(ours.error().rule, "port-absent");
    EXPECT_EQ(ours.error().message,
              "`lfts_file` leaves by ports that do not exist: `switch 4` port 200 for LID 3 (line 61)");
    EXPECT_THAT(ours.error().guids, ElementsAre(fabric.node(SwitchId(4)).guid));
  }
}

struct Misfit {
  const char* rule;
  const char* message;
  std::string (*text)(const fabric::Fabric&);
};

const Misfit kMisfits[] = {
    {"switch-unknown", "`lfts_file` has tables of switches that are not in this fabric: 0x0000000000000077",
     [](const fabric::Fabric& fabric) {
       return dumped(fabric, by_minhop(fabric).lfts) +
              "Unicast lids [0-3] of switch Lid 9 guid 0x77 ('gone'):\n";
     }},
    {"switch-missing",
     "`lfts_file` has no table of switches that are in this fabric: `switch 4` (0x0000000000100020)",
     [](const fabric::Fabric& fabric) {
       const std::string text = dumped(fabric, by_minhop(fabric).lfts);
       return text.substr(0, text.rfind("Unicast"));
     }},
    {"port-unlinked", "`lfts_file` leaves by ports without a link: `switch 4` port 4 for LID 6 (line 61)",
     [](const fabric::Fabric& fabric) { return dumped(fabric, by_minhop(fabric).lfts) + "0x0006 004 #\n"; }},
    {"destination-missing", "`lfts_file` lacks entries for end ports: `host 0` (LID 6) from `switch 4`",
     [](const fabric::Fabric& fabric) {
       const std::string text = dumped(fabric, by_minhop(fabric).lfts);
       const std::size_t last = text.rfind("Unicast"), entry = text.find("0x0006", last);
       return text.substr(0, entry) + text.substr(text.find('\n', entry) + 1);
     }},
};

/// Spine 4 has a fourth port without a cable.
fabric::Fabric with_spare_port() {
  const fabric::Fabric plain = small();
  fabric::FabricBuilder builder(plain);
  builder.node(*builder.find(plain.node(SwitchId(4)).guid)).ports.resize(5);
  return *std::move(builder).build();
}

TEST(FileTables, FilesThatDoNotFit) {
  const fabric::Fabric fabric = with_spare_port();
  for (const Misfit& misfit : kMisfits) {
    const auto strict = loaded(fabric, misfit.text(fabric));
    ASSERT_FALSE(strict) << misfit.rule;
    EXPECT_EQ(strict.error().rule, misfit.rule);
    EXPECT_EQ(strict.error().message, misfit.message);
    const auto compat = loaded(fabric, misfit.text(fabric), true);
    ASSERT_TRUE(compat) << compat.error().message;
    ASSERT_FALSE(compat->remarks.empty());
    EXPECT_EQ(compat->remarks.front(), misfit.message);
  }
}

TEST(FileTables, LaterLinesForALidWin) {
  const fabric::Fabric fabric = small();
  const auto ours = loaded(fabric, dumped(fabric, by_minhop(fabric).lfts) + "0x0006 002 #\n");
  ASSERT_TRUE(ours);
  EXPECT_EQ(ours->lfts.at(SwitchId(4), Lid(6)), 2);
  EXPECT_THAT(ours->remarks,
              ElementsAre("1 entry line of `lfts_file` replaced by a later line for the same LID"));
}

/// A step takes what it routes and needs no more.
TEST(FileTables, StepsTakeTheirPart) {
  const fabric::Fabric fabric = small();
  fabric::Scope scope{IdSet<PortId>(fabric.ports().size()), std::uint8_t{0}};
  for (std::uint32_t s : {0U, 1U, 3U})
    for (std::uint8_t p = 0; p <= fabric.node(SwitchId(s)).num_ports; ++p)
      scope.ports.insert(fabric.port_id(SwitchId(s), PortNum(p)));
  for (const fabric::EndPort& host : fabric.end_ports_of(SwitchId(0))) scope.ports.insert(host.port);
  const fabric::SubFabric view(fabric, scope);
  const StepTables made = by_minhop(fabric);
  const fabric::LftDump dump = lft_dump(dumped(fabric, made.lfts));
  const auto ours = route(view, {.lfts = &dump});
  ASSERT_TRUE(ours) << ours.error().message;
  const IdSet<Lid> routed = view.routed_lids();
  for (std::uint32_t s = 0; s < 3; ++s)
    for (std::uint16_t lid = 0; lid <= fabric.max_lid().value; ++lid)
      EXPECT_EQ(
          ours->lfts.at(SwitchId(s), Lid(lid)),
          routed.contains(Lid(lid)) ? made.lfts.at(view.fabric_switch(SwitchId(s)), Lid(lid)) : kNoPath);
}

/// The owner of a row tells where its LID went; OpenSM goes by the LID.
TEST(FileTables, HopRowsFollowTheirOwners) {
  const fabric::Fabric fabric = test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}, {1, 2}, {0, 2}}});
  // From switch 0 the file sends what is for switch 1 (LID 2) the long way; its row bears another LID.
  const std::string text = fmt::format(
      "Switch: guid {}\n0x0001: 00 ff ff ff # portguid {}\n0x0003: 02 ff ff 02 # portguid {}\n",
      fabric.node(SwitchId(0)).guid, fabric.node(SwitchId(0)).guid, fabric.node(SwitchId(1)).guid);
  const fabric::HopDump dump = hop_dump(text);
  const auto ours = route(fabric::SubFabric(fabric), {.hops = &dump});
  const auto compat = route(fabric::SubFabric(fabric), {.hops = &dump, .ports = {.compat = true}});
  ASSERT_TRUE(ours && compat);
  EXPECT_EQ(ours->hops->at(SwitchId(0), SwitchId(1)), 2);
  EXPECT_EQ(ours->lfts.at(SwitchId(0), Lid(2)), 3);
  EXPECT_EQ(ours->lfts.at(SwitchId(0), Lid(3)), kNoPath);
  EXPECT_EQ(compat->lfts.at(SwitchId(0), Lid(2)), kNoPath);
  EXPECT_EQ(compat->lfts.at(SwitchId(0), Lid(3)), 3);
}

}  // namespace
}  // namespace rch::engines::file
