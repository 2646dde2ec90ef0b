// Dump files against OpenSM's own for the same tables (OpenSM's osm_dump.c).

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/dump_set.h"
#include "chains/dumps.h"
#include "engines/minhop/minhop.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"
#include "support/test_name.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::SubFabric;
using test::golden_fabric;
using test::golden_folder;
using test::ScratchFolder;
using test::text_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// Empty when the files are equal, else the first line that differs.
std::string file_difference(const ScratchFolder& ours, const std::string& golden_case,
                            const std::string& name) {
  const std::string a = text_of(ours.file(name)), b = text_of(golden_folder(golden_case) + "/" + name);
  if (a == b) return {};
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto line = [at](const std::string& text) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return begin >= text.size() ? std::string("(end)") : text.substr(begin, text.find('\n', begin) - begin);
  };
  return fmt::format("{} differs at byte {}:\n  ours   {}\n  theirs {}", name, at, line(a), line(b));
}

class MinhopDumps : public testing::TestWithParam<std::string> {};

TEST_P(MinhopDumps, EqualOpenSms) {
  const Fabric fabric = golden_fabric(GetParam());
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const ChainRun run = chain.good_run();
  const ScratchFolder folder;
  ASSERT_TRUE(dump_final(folder.path(), fabric, run));
  for (const char* name : {"opensm-lid-matrix.dump", "opensm-lfts.dump", "opensm.fdbs", "opensm-subnet.lst"})
    EXPECT_EQ(file_difference(folder, GetParam(), name), "");
  EXPECT_EQ(text_of(folder.file("opensm.mcfdbs")), "");
}

/// Two ports of one adapter hang on two switches, whose paths may need two SLs.
TEST(PathSlDump, NamesPortsAndNotNodes) {
  const Fabric fabric = golden_fabric("ibsim-net.2sw2path4hca2port/minhop");
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const ChainRun run = chain.good_run();
  const ScratchFolder folder;
  ASSERT_TRUE(dump_path_sls(folder.path(), fabric, run.tables));
  std::string expected;
  std::size_t second_ports = 0;
  for (const fabric::EndPort& source : fabric.end_ports()) {
    const fabric::Port& from = fabric.port(source.port);
    expected += fmt::format("Channel Adapter {}, base LID {}, port {}\n", from.guid, from.lid, from.number);
    second_ports += from.number == PortNum(2) ? 1 : 0;
    for (std::uint16_t lid = 1; lid <= fabric.max_lid().value; ++lid) {
      const auto owner = fabric.lid_owner(Lid(lid));
      if (!owner || *owner == source.port || fabric.is_switch(fabric.port(*owner).node)) continue;
      expected +=
          fmt::format("0x{:04x} : {}\n", lid, fabric::path_sl(fabric, run.tables, source.sw, Lid(lid)));
    }
  }
  EXPECT_GT(second_ports, 0U);
  EXPECT_EQ(text_of(folder.file("path-sl.dump")), expected);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) { return test::test_name(info.param); }

INSTANTIATE_TEST_SUITE_P(Golden, MinhopDumps, testing::ValuesIn(test::golden_cases("minhop")), test_name);

/// OpenSM's own way, with its order of hosts.
class FtreeDumps : public testing::TestWithParam<std::string> {};

TEST_P(FtreeDumps, EqualOpenSms) {
  const Fabric fabric = golden_fabric(GetParam());
  test::Chain chain(fabric);
  chain.step(1, "ftree").mode = policy::EngineMode::compat;
  const ScratchFolder folder;
  ASSERT_TRUE(dump_final(folder.path(), fabric, chain.good_run()));
  for (const char* name : {"opensm-lid-matrix.dump", "opensm-lfts.dump", "opensm.fdbs", "opensm-subnet.lst",
                           "opensm-ftree-ca-order.dump"})
    EXPECT_EQ(file_difference(folder, GetParam(), name), "");
}

INSTANTIATE_TEST_SUITE_P(Golden, FtreeDumps, testing::ValuesIn(test::golden_cases("ftree")), test_name);

/// Every run, whatever its engine: OpenSM's LFTs fed back.
class FedDumps : public testing::TestWithParam<std::string> {};

std::vector<std::string> cases_of(std::initializer_list<const char*> engines) {
  std::vector<std::string> all;
  for (const char* engine : engines)
    for (std::string& name : test::golden_cases(engine)) all.push_back(std::move(name));
  return all;
}

TEST_P(FedDumps, LftsAndLinksEqualOpenSms) {
  const Fabric fabric = golden_fabric(GetParam());
  const SubFabric whole(fabric);
  const auto lfts = test::opensm_lfts(golden_folder(GetParam()), fabric);
  const ScratchFolder folder;
  const DumpSet set(whole, lfts, nullptr);
  ASSERT_TRUE(dump_lfts(folder.file("opensm-lfts.dump"), set));
  ASSERT_TRUE(dump_subnet(folder.file("opensm-subnet.lst"), set));
  EXPECT_EQ(file_difference(folder, GetParam(), "opensm-lfts.dump"), "");
  EXPECT_EQ(file_difference(folder, GetParam(), "opensm-subnet.lst"), "");
}

INSTANTIATE_TEST_SUITE_P(Golden, FedDumps,
                         testing::ValuesIn(cases_of({"torus-2QoS", "updn", "ftree", "dor", "file"})),
                         test_name);

/// Engines that leave the plain minhop distances in the matrix; `file` is the one with detours, whose lines
/// name the port that the balancer would take.
class FedHops : public testing::TestWithParam<std::string> {};

TEST_P(FedHops, MatrixAndRoutesEqualOpenSms) {
  const Fabric fabric = golden_fabric(GetParam());
  const SubFabric whole(fabric);
  const auto minhop = engines::minhop::route(whole, {});
  ASSERT_TRUE(minhop);
  const auto lfts = test::opensm_lfts(golden_folder(GetParam()), fabric);
  const ScratchFolder folder;
  const DumpSet set(whole, lfts, &*minhop->hops);
  ASSERT_TRUE(dump_fdbs(folder.file("opensm.fdbs"), set));
  ASSERT_TRUE(dump_lid_matrix(folder.file("opensm-lid-matrix.dump"), set));
  EXPECT_EQ(file_difference(folder, GetParam(), "opensm.fdbs"), "");
  EXPECT_EQ(file_difference(folder, GetParam(), "opensm-lid-matrix.dump"), "");
}

INSTANTIATE_TEST_SUITE_P(Golden, FedHops, testing::ValuesIn(cases_of({"file", "dor", "ftree"})), test_name);

/// An engine without distances.
class TorusDumps : public testing::TestWithParam<std::string> {};

TEST_P(TorusDumps, EqualOpenSms) {
  const Fabric fabric = golden_fabric(GetParam());
  const SubFabric whole(fabric);
  const auto lfts = test::opensm_lfts(golden_folder(GetParam()), fabric);
  const ScratchFolder folder;
  const DumpSet set(whole, lfts, nullptr);
  ASSERT_TRUE(dump_fdbs(folder.file("opensm.fdbs"), set));
  ASSERT_TRUE(dump_lid_matrix(folder.file("opensm-lid-matrix.dump"), set));
  EXPECT_EQ(file_difference(folder, GetParam(), "opensm.fdbs"), "");
  EXPECT_EQ(file_difference(folder, GetParam(), "opensm-lid-matrix.dump"), "");
}

INSTANTIATE_TEST_SUITE_P(Golden, TorusDumps, testing::ValuesIn(test::golden_cases("torus-2QoS")), test_name);

class Sl2VlDumps : public testing::TestWithParam<std::string> {};

fabric::Sl2VlTables opensm_maps(const std::string& name, const Fabric& fabric) {
  std::vector<std::uint8_t> ports;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    ports.push_back(fabric.node(SwitchId(s)).num_ports);
  fabric::Sl2VlTables tables(ports, fabric::kIdentitySl2Vl);
  for (const test::Sl2VlRow& row : test::opensm_sl2vl(golden_folder(name), fabric)) {
    const auto id = tables.intern(row.map);
    if (const auto sw = fabric.switch_id(fabric.port(row.port).node))
      tables.set(*sw, row.in, row.out, id);
    else
      tables.set_end_port(id);
  }
  return tables;
}

TEST_P(Sl2VlDumps, EqualOpenSms) {
  const Fabric fabric = golden_fabric(GetParam());
  const ScratchFolder folder;
  ASSERT_TRUE(dump_sl2vl(folder.file("opensm-sl2vl.dump"), fabric, opensm_maps(GetParam(), fabric)));
  EXPECT_EQ(file_difference(folder, GetParam(), "opensm-sl2vl.dump"), "");
}

INSTANTIATE_TEST_SUITE_P(Golden, Sl2VlDumps, testing::ValuesIn([] {
                           auto cases = test::golden_cases("torus-2QoS");
                           cases.emplace_back("clos-6x4-par2/minhop.qos");
                           return cases;
                         }()),
                         test_name);

TEST(StepDumps, EveryExecutedStepLeavesItsSet) {
  const Fabric fabric = test::build(test::clos(4, 2, 4));
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, "torus-2QoS", 1);
  chain.fallback(3, 2, "minhop", 1);
  chain.topology(1, test::ports_of(fabric, {0, 1, 5}));
  const ScratchFolder folder;
  ASSERT_TRUE(chain.run([&](const StepOutcome& outcome) { ASSERT_TRUE(dump_step(folder.path(), outcome)); }));
  EXPECT_THAT(
      folder.names(),
      ElementsAre("opensm-lfts.1.minhop.dump", "opensm-lfts.2.torus-2QoS.dump", "opensm-lfts.3.minhop.dump",
                  "opensm-lid-matrix.1.minhop.dump", "opensm-lid-matrix.2.torus-2QoS.dump",
                  "opensm-lid-matrix.3.minhop.dump", "opensm-subnet.1.minhop.lst",
                  "opensm-subnet.2.torus-2QoS.lst", "opensm-subnet.3.minhop.lst", "opensm.fdbs.1.minhop",
                  "opensm.fdbs.2.torus-2QoS", "opensm.fdbs.3.minhop"));

  const auto count = [&](const std::string& file, std::string_view word) {
    const std::string text = text_of(folder.file(file));
    std::size_t n = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
  };
  // A failed engine has no entry; the sub-topology shows its own three switches and its own links.
  EXPECT_EQ(count("opensm-lfts.2.torus-2QoS.dump", "portguid"), 0U);
  EXPECT_EQ(count("opensm.fdbs.2.torus-2QoS", "UNREACHABLE"), 3U * 22);
  EXPECT_EQ(count("opensm.fdbs.3.minhop", "Switch"), 3U);
  EXPECT_EQ(count("opensm.fdbs.3.minhop", "yes"), 3U * (8 + 3));
  EXPECT_EQ(count("opensm.fdbs.3.minhop", "UNREACHABLE"), 3U * (22 - 11));
  EXPECT_EQ(count("opensm-subnet.3.minhop.lst", "\n"), 2U * (8 + 2));
  EXPECT_EQ(count("opensm-lid-matrix.3.minhop.dump", "portguid"), 9U);
}

TEST(StepDumps, LeavesWithFewerHostsArePadded) {
  test::Shape shape = test::clos(4, 2, 3);
  shape.hosts[1] = 1;
  const Fabric fabric = test::build(shape);
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  chain.step(2, "ftree");
  const ScratchFolder folder;
  const auto run =
      chain.run([&](const StepOutcome& outcome) { ASSERT_TRUE(dump_step(folder.path(), outcome)); });
  ASSERT_TRUE(run);
  const std::string text = text_of(folder.file("opensm-ftree-ca-order.2.ftree.dump"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 12);
  EXPECT_THAT(text, HasSubstr("\thost 3\n0xFFFF\tDUMMY\n0xFFFF\tDUMMY\n0x"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("opensm-ftree-ca-order.1.minhop.dump")));
  // The order is that of the step that routed the whole fabric: minhop has none.
  ASSERT_TRUE(dump_final(folder.path(), fabric, *run));
  EXPECT_FALSE(std::filesystem::exists(folder.file("opensm-ftree-ca-order.dump")));
}

TEST(StepDumps, AFolderThatCannotBeWrittenIsAnError) {
  const Fabric fabric = test::build(test::clos(2, 1, 1));
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  const auto done = dump_final("/proc/no-such-folder", fabric, chain.good_run());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::usage);
  EXPECT_THAT(done.error().message, HasSubstr("/proc/no-such-folder"));
}

}  // namespace
}  // namespace rch::chains
