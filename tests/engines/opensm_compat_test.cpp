// Compat tables against a live OpenSM on ibsim, entry for entry: fabrics, options and control files are
// drawn. RCH_OPENSM_RUNS says how many for each engine, RCH_OPENSM_SEED where to start
// (tests/lab/compare_engines).

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "engines/dor/dor.h"
#include "engines/file/file.h"
#include "engines/minhop/minhop.h"
#include "engines/updn/updn.h"
#include "opensm_situation.h"
#include "support/golden_case.h"

namespace rch::engines {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

EngineResult routed(std::string_view engine, const fabric::SubFabric& view, const updn::Options& options) {
  if (engine == "updn") return updn::route(view, options);
  if (engine == "dnup") return updn::route_dnup(view, {options.connect_roots, options.ports});
  if (engine == "dor") return dor::route(view, {options.ports});
  return minhop::route(view, {options.ports});
}

class OpenSmCompat : public testing::TestWithParam<std::string> {};

TEST_P(OpenSmCompat, TablesAreEqual) {
  const std::string& engine = GetParam();
  test::OpenSmLab lab(testing::TempDir() + "opensm_compat_" + engine);
  const std::uint64_t first = from_environment("RCH_OPENSM_SEED", 1);
  for (std::uint64_t seed = first; seed < first + from_environment("RCH_OPENSM_RUNS", 5); ++seed) {
    const test::OpenSmSituation situation = lab.draw(engine, seed);
    SCOPED_TRACE(fmt::format("{}, seed {}: {}", engine, seed, test::to_string(situation)));
    lab.run(engine, situation);
    const fabric::Fabric fabric = lab.fabric();
    const fabric::SubFabric view(fabric);
    auto ours = routed(engine, view, situation.options);
    if (!ours) {  // OpenSM gives up too, and falls back
      EXPECT_EQ(ours.error().rule, "no-roots");
      ours = routed("minhop", view, situation.options);
    }
    EXPECT_EQ(test::difference(fabric, ours->lfts, lab.tables(fabric)), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, OpenSmCompat, testing::Values("minhop", "updn", "dnup", "dor"),
                         [](const auto& param) { return param.param; });

/// Keeps a file of the last run from being overwritten by the next.
std::string keep(const test::OpenSmLab& lab, const std::string& name) {
  std::filesystem::rename(lab.folder() + "/" + name, lab.folder() + "/before." + name);
  return lab.folder() + "/before." + name;
}

template <class Dump>
Dump read(const std::string& path, std::optional<Dump> (*reader)(const SourceSet&, SourceId, Diagnostics&)) {
  SourceSet sources;
  Diagnostics diagnostics;
  auto dump = reader(sources, sources.add(path, test::text_of(path)), diagnostics);
  if (!dump) throw std::runtime_error(render(diagnostics.all().front(), sources));
  return std::move(*dump);
}

/// Dumps of one engine, loaded by `file` on the same fabric with another LMC, so that LIDs move.
TEST(OpenSmCompatFile, TablesAreEqual) {
  test::OpenSmLab lab(testing::TempDir() + "opensm_compat_file");
  const std::uint64_t first = from_environment("RCH_OPENSM_SEED", 1);
  for (std::uint64_t seed = first; seed < first + from_environment("RCH_OPENSM_RUNS", 5); ++seed) {
    test::OpenSmSituation situation = lab.draw("updn", seed);
    SCOPED_TRACE(fmt::format("file, seed {}: {}", seed, test::to_string(situation)));
    lab.run("updn", situation);
    const std::string lfts = keep(lab, "opensm-lfts.dump"), hops = keep(lab, "opensm-lid-matrix.dump");
    const bool with_lfts = seed % 3 != 0, with_hops = seed % 3 != 1;
    if (with_lfts && seed % 2 == 0) situation.lmc = situation.lmc == 0 ? 2 : 0;
    lab.run("file", situation,
            (with_lfts ? fmt::format("lfts_file {}\n", lfts) : "") +
                (with_hops ? fmt::format("lid_matrix_dump_file {}\n", hops) : ""));
    const auto lft_dump = read(lfts, fabric::read_lft_dump);
    const auto hop_dump = read(hops, fabric::read_hop_dump);
    const fabric::Fabric fabric = lab.fabric();
    const auto ours = file::route(fabric::SubFabric(fabric), {.lfts = with_lfts ? &lft_dump : nullptr,
                                                              .hops = with_hops ? &hop_dump : nullptr,
                                                              .ports = situation.options.ports});
    ASSERT_TRUE(ours) << ours.error().message;
    EXPECT_EQ(test::difference(fabric, ours->lfts, lab.tables(fabric)), "");
  }
}

}  // namespace
}  // namespace rch::engines
