// Judged from outside: ibsim loads what write_ibnetdiscover writes, without a word of warning, and what the
// real ibnetdiscover then shows reads back to the same fabric.

#include <unistd.h>

#include <gtest/gtest.h>

#include "base/source.h"
#include "fabric/fabric_builder.h"
#include "fabric/faults.h"
#include "fabric/generator.h"
#include "fabric/lids.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

const std::string kLab = std::string(RCH_LAB) + "/lab_sim";

/// A simulator in a folder of its own, gone at the end of the scope.
class Simulator {
 public:
  explicit Simulator(const Fabric& fabric) {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("rch-fabric-{}", ::getpid());
    std::filesystem::create_directories(folder_);
    EXPECT_TRUE(write_file(folder_ / "net", to_net(fabric)));
    int status = 0;
    const std::string said =
        run(fmt::format("'{0}' start '{1}/net' --dir '{1}/sim' 2>&1", kLab, folder_.string()), &status);
    EXPECT_EQ(status, 0) << said;
  }
  ~Simulator() {
    run(fmt::format("'{}' stop '{}/sim' --rm 2>&1", kLab, folder_.string()));
    std::filesystem::remove_all(folder_);
  }
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  std::string complaints() const { return read_file(folder_ / "sim/ibsim.err").value_or("no error file"); }
  std::string discover() const {
    return run(fmt::format("'{}' run '{}/sim' --timeout 60 -- ibnetdiscover", kLab, folder_.string()));
  }

 private:
  std::filesystem::path folder_;
};

void expect_same_through_ibsim(const Fabric& fabric) {
  const Simulator simulator(fabric);
  EXPECT_EQ(simulator.complaints(), "");
  const Reading seen = read_text(simulator.discover());
  ASSERT_EQ(seen.findings, "");
  EXPECT_EQ(seen.fabric->fingerprint(), fabric.fingerprint());
  EXPECT_EQ(difference(*seen.fabric, fabric, {.capabilities = false}), "");
}

TEST(Ibsim, LoadsAndShowsATorus) {
  expect_same_through_ibsim(generate({.shape = Grid{{{4}, {3}, {2}}}, .hosts = 2, .parallel = 2})->fabric);
}

TEST(Ibsim, LoadsAndShowsADamagedTreeWithLids) {
  GeneratorOptions options{.shape = FatTree{4}};
  options.speed = LinkSpeed::edr;
  const auto damaged =
      remove_parts(generate(options)->fabric, {.random_links = 3, .random_switches = 1, .seed = 5});
  ASSERT_TRUE(damaged) << damaged.error().message;
  const auto plan = plan_lids(damaged->fabric, {.lmc = 1});
  ASSERT_TRUE(plan);
  expect_same_through_ibsim(*with_lids(damaged->fabric, plan->lids));
}

TEST(Ibsim, StartsAtTheOriginAndTakesAnyName) {
  const Reading r = read_text(golden_text("net/speeds.net"));
  ASSERT_TRUE(r.fabric);
  FabricBuilder builder(*r.fabric);
  // ibsim takes a `=` in a port line for a setting.
  builder.node(*builder.find(Guid(0x0002c90200400000))).description = "sw=0 {a} w=9";
  builder.set_origin(*builder.find(Guid(0x0002c90300010010)), PortNum(1));
  // ibsim knows FDR10 at CAs only.
  for (const auto& [guid, port] : {std::pair(0x0002c90300010000, 2), std::pair(0x0002c90200400000, 2)})
    builder.node(*builder.find(Guid(static_cast<std::uint64_t>(guid))))
        .ports[static_cast<std::size_t>(port)]
        .speed = LinkSpeed::qdr;
  const auto fabric = std::move(builder).build();
  ASSERT_TRUE(fabric);
  expect_same_through_ibsim(*fabric);
}

}  // namespace
}  // namespace rch::fabric::test
