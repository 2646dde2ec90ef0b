#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "chain_fixture.h"
#include "chains/plan_file.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using testing::HasSubstr;
using testing::StartsWith;

/// A plan that has something in every field: a torus under a minhop step, a failure, a finding.
Plan sample() {
  Fabric fabric = test::golden_fabric("torus2d-6x5/torus-2QoS");
  test::Chain chain(fabric);
  chain.step(1, "torus-2QoS").torus = test::torus_options(test::golden_text("conf/torus2d-6x5.conf"));
  chain.step(2, "torus-2QoS", 1);
  chain.fallback(3, 2, "minhop", 1);
  chain.topology(1, test::ports_of(fabric, {0, 1, 2}));
  ChainRun run = chain.good_run();

  verify::Verdict verdict;
  verdict.pairs = 870;
  verify::Finding finding{};
  finding.kind = verify::FindingKind::credit_loop;
  finding.message = "a cycle";
  finding.witness = {{SwitchId(3), PortNum(1), PortNum(2), 1, PortId(7), Lid(9), 2}};
  finding.accepted = true;
  verdict.findings.push_back(finding);

  run.tables.sl2vl_of_options = true;
  std::vector<fabric::Sl2VlTables::MapId> own(fabric.ports().size(), fabric::Sl2VlTables::kNoMap);
  own[7] = run.tables.sl2vl.intern({3, 2, 1});
  run.tables.sl2vl.set_own(std::move(own));
  run.tables.arbitration = fabric::ArbitrationTables(fabric.ports().size());
  run.tables.arbitration.set(PortId(5), run.tables.arbitration.intern({7, {{0, 4}}, {{1, 2}, {14, 255}}}));
  run.tables.rate_limits = fabric::RateLimitTables(fabric.ports().size());
  run.tables.rate_limits.set(PortId(5), run.tables.rate_limits.intern({0, 2500, 1U << 19U}));
  Plan plan{.fabric = std::make_shared<const Fabric>(fabric),
            .tables = std::make_shared<const fabric::RoutingTables>(std::move(run.tables)),
            .steps = std::move(run.steps),
            .degraded = true,
            .verdict = std::move(verdict),
            .configuration = {{"opensm.conf", "00112233445566778899aabbccddeeff"}},
            .options = {},
            .joined = {Lid(0xC001)},
            .channels = nullptr};
  plan.options.chain.routing_engine = {"chain"};
  plan.options.manager.sm_key = 0xFFFFFFFFFFFFFFFF;
  plan.options.qos.enabled = true;
  const std::vector<fabric::CableEntry> cables{
      {Guid{0x11}, PortNum(1), Guid{0x12}, PortNum(2)},
      {Guid{0x12}, PortNum(3), Guid{}, PortNum(0), fabric::ListedState::no_discover}};
  plan.cables = std::make_shared<const fabric::CablePolicy>(cables, std::set<Guid>{Guid{0x13}});
  return plan;
}

TEST(Plan, ReadsBackWhatWasWritten) {
  const Plan plan = sample();
  const test::ScratchFolder folder;
  ASSERT_TRUE(write_plan(folder.file("a.plan"), plan));
  const auto read = read_plan(folder.file("a.plan"));
  ASSERT_TRUE(read) << read.error().message;

  EXPECT_EQ(read->fabric->fingerprint(), plan.fabric->fingerprint());
  EXPECT_TRUE(read->tables->lfts == plan.tables->lfts);
  ASSERT_TRUE(read->cables);
  EXPECT_TRUE(*read->cables == *plan.cables);
  EXPECT_EQ(read->tables->steps[0].engine, "torus-2QoS");
  EXPECT_EQ(read->tables->steps[1].switches, plan.tables->steps[1].switches);
  EXPECT_EQ(read->tables->steps[1].holes, plan.tables->steps[1].holes);
  EXPECT_EQ(read->tables->sl2vl.at(SwitchId(4), PortNum(1), PortNum(3)),
            plan.tables->sl2vl.at(SwitchId(4), PortNum(1), PortNum(3)));
  EXPECT_EQ(read->tables->sl2vl.end_port(PortId(7)), (fabric::Sl2VlMap{3, 2, 1}));
  EXPECT_FALSE(read->tables->sl2vl.has_own(PortId(8)));
  EXPECT_EQ(*read->tables->arbitration.at(PortId(5)), *plan.tables->arbitration.at(PortId(5)));
  EXPECT_EQ(read->tables->arbitration.at(PortId(6)), nullptr);
  EXPECT_EQ(*read->tables->rate_limits.at(PortId(5)), *plan.tables->rate_limits.at(PortId(5)));
  EXPECT_EQ(read->tables->rate_limits.at(PortId(6)), nullptr);
  EXPECT_EQ(test::outline(read->steps), "1 routed, 2 failed, 3 routed");
  EXPECT_EQ(read->steps[1].failure->rule, "torus-config-absent");
  EXPECT_EQ(read->verdict.findings[0].witness[0].destination, Lid(9));
  EXPECT_TRUE(read->degraded);
  EXPECT_EQ(read->joined, plan.joined);
  EXPECT_EQ(read->options.manager.sm_key, 0xFFFFFFFFFFFFFFFF);
  EXPECT_EQ(read->options.chain.routing_engine, std::vector<std::string>{"chain"});
  EXPECT_EQ(read->configuration[0].hash, "00112233445566778899aabbccddeeff");
  // Nothing is lost: the same bytes come out again.
  EXPECT_EQ(encode_plan(*read), encode_plan(plan));
}

TEST(Plan, TablesArePacked) {
  const Plan plan = sample();
  EXPECT_EQ(encode_plan(plan), encode_plan(sample()));
  EXPECT_THAT(encode_plan(plan), StartsWith("rch-plan"));
}

TEST(Plan, OtherFilesAreRefused) {
  const auto read = decode_plan("switchguid=0x1");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::usage);
  EXPECT_EQ(read.error().message, "no usable plan: it does not begin like one");
  EXPECT_FALSE(read_plan("/no/such/file.plan"));
  EXPECT_EQ(decode_plan("rch-plan").error().message, "no usable plan: it is truncated");
}

TEST(Plan, EveryTruncationIsRefused) {
  const std::string bytes = encode_plan(sample());
  for (std::size_t n = 0; n < bytes.size(); n += n < 64 ? 1 : 37) {
    const auto read = decode_plan(std::string_view(bytes).substr(0, n));
    ASSERT_FALSE(read) << n;
    EXPECT_EQ(read.error().kind, ErrorKind::usage);
  }
}

TEST(Plan, EveryFlippedBitIsRefused) {
  std::string bytes = encode_plan(sample());
  for (std::size_t n = 0; n < bytes.size(); n += n < 64 ? 1 : 11) {
    const auto bit = static_cast<char>(1 << n % 8);
    bytes[n] = static_cast<char>(bytes[n] ^ bit);
    EXPECT_FALSE(decode_plan(bytes)) << n;
    bytes[n] = static_cast<char>(bytes[n] ^ bit);
  }
  EXPECT_TRUE(decode_plan(bytes));
}

TEST(Plan, TrailingBytesAreRefused) { EXPECT_FALSE(decode_plan(encode_plan(sample()) + '\0')); }

/// Replaces the checksum by the one that fits.
std::string signed_again(std::string bytes) {
  XXH128_canonical_t sum;
  XXH128_canonicalFromHash(&sum, XXH3_128bits(bytes.data(), bytes.size() - sizeof sum));
  std::memcpy(bytes.data() + bytes.size() - sizeof sum, &sum, sizeof sum);
  return bytes;
}

// A forged checksum gets past the first guard; whatever is behind it must hold, too.
TEST(Plan, DamageUnderAValidChecksumDoesNoHarm) {
  const std::string good = encode_plan(sample());
  std::size_t refused = 0, tried = 0;
  for (std::size_t n = 8; n + 16 < good.size(); n += 5) {
    std::string bytes = good;
    bytes[n] = static_cast<char>(bytes[n] ^ 1 << n % 8);
    const auto read = decode_plan(signed_again(std::move(bytes)));
    ++tried;
    if (!read) ++refused;
  }
  EXPECT_GT(refused, tried / 2);
  std::string other_version = good;
  other_version[8] = 2;
  EXPECT_EQ(decode_plan(signed_again(other_version)).error().message,
            "no usable plan: it has version 2, this rch reads version 8");
}

}  // namespace
}  // namespace rch::chains
