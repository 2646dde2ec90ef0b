// ibdmchk itself on OpenSM's dump files, beside our verdict on the same. It crashes at the end of every run,
// so its text counts and not its exit status (ibdmchk(1)).

#include <gmock/gmock.h>

#include "golden.h"
#include "support/golden_case.h"
#include "unpacked.h"
#include "verify/verify.h"

namespace rch::verify {
namespace {

using test::Unpacked;
using testing::HasSubstr;

constexpr const char* kIbdmchk = "ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs ";

constexpr const char* kFree = "-I- no credit loops found";
constexpr const char* kLoop = "-E- credit loops in routing";

/// Our verdict on a case in ibdmchk's words.
std::string our_words(const std::string& case_name, bool with_path_sls) {
  const fabric::Fabric fabric = test::golden_fabric(case_name);
  fabric::RoutingTables tables = test::golden_tables({case_name, "torus-2QoS", false, {}}, fabric);
  if (!with_path_sls) tables.steps.front().sl = {};
  const Verdict verdict = verify(fabric, tables);
  if (verdict.clean()) return kFree;
  return verdict.findings.front().kind == FindingKind::credit_loop ? kLoop : "something else";
}

class TorusByIbdmchk : public testing::TestWithParam<const char*> {};

TEST_P(TorusByIbdmchk, FreeWithPathSlsOnly) {
  const std::string name = GetParam();
  const Unpacked files(name);
  const std::string converter = std::string("python3 ") + RCH_LAB +
                                "/to_ibdmchk.py --subnet opensm-subnet.lst --sl2vl opensm-sl2vl.dump"
                                " --torus opensm-torus.dump --out-psl psl.txt --out-slvl slvl.txt";
  EXPECT_EQ(files.run(converter), "");
  EXPECT_EQ(our_words(name, true), kFree);
  EXPECT_THAT(files.run(std::string(kIbdmchk) + "-c psl.txt -d slvl.txt"), HasSubstr(kFree));
  EXPECT_EQ(our_words(name, false), kLoop);
  EXPECT_THAT(files.run(std::string(kIbdmchk) + "-d slvl.txt"), HasSubstr(kLoop));
}

INSTANTIATE_TEST_SUITE_P(Golden, TorusByIbdmchk,
                         testing::Values("torus2d-6x5/torus-2QoS", "torus2d-6x5-badswitch/torus-2QoS",
                                         "torus2d-5x5-par3/torus-2QoS"));

TEST(Ibdmchk, SeesTheSameWithoutServiceLevels) {
  for (const auto& [name, words] : {std::pair{"torus2d-6x5/minhop", kLoop},
                                    {"torus2d-6x5/updn", kFree},
                                    {"hcube4/minhop", kLoop},
                                    {"rand20-s7/updn", kFree}}) {
    EXPECT_EQ(our_words(name, false), words) << name;
    EXPECT_THAT(Unpacked(name).run(kIbdmchk), HasSubstr(words)) << name;
  }
}

}  // namespace
}  // namespace rch::verify
