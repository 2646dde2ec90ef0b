// Paths hop by hop, their SL and VLs, on pristine and damaged fabrics: the cases of torus-2QoS(8) and
// 44, numbered as there. Coordinates are one hexadecimal digit a dimension: 310 is (3,1,0).

#include <gtest/gtest.h>

#include <sstream>

#include "fabric/sub_fabric.h"
#include "torus_walk.h"

namespace rch::engines::torus_2qos {
namespace {

struct PathCase {
  const char* name;
  const char* radices;
  const char* faults;  ///< `310` switch missing, `210-310` all cables between two cut
  std::vector<const char*> paths;
};

const std::vector<PathCase> kPathCases{
    {"c01_c02_pristine",
     "6 5 1",
     "",
     {"110 210 310 320 330; sl 0; vl 0 0 0 0", "330 230 130 120 110; sl 0; vl 0 0 0 0"}},
    {"c03_both_datelines", "6 5 1", "", {"540 040 000; sl 3; vl 1 1"}},
    {"c04_y_dateline", "6 5 1", "", {"400 300 200 100 140; sl 2; vl 0 0 0 1"}},
    {"c05_ties_stay_off_the_dateline",
     "6 5 1",
     "",
     {"000 100 200 300; sl 0; vl 0 0 0", "300 200 100 000; sl 0; vl 0 0 0", "500 400 300 200; sl 0; vl 0 0 0",
      "200 300 400 500; sl 0; vl 0 0 0"}},
    {"c06_c07_link",
     "6 5 1",
     "110-210",
     {"110 010 510 410 310 320 330; sl 0; vl 0 0 0 0 0 0", "510 410 310 210; sl 0; vl 0 0 0",
      "210 310 410 510 010 110; sl 0; vl 0 0 0 0 0", "110 010 510 410 400 440; sl 2; vl 0 0 0 1 1"}},
    {"c08_link",
     "6 5 1",
     "210-310",
     {"110 010 510 410 310 320 330; sl 0; vl 0 0 0 0 0 0",
      "210 110 010 510 410 310 320 330; sl 0; vl 0 0 0 0 0 0 0"}},
    {"c10_c14_switch",
     "6 5 1",
     "310",
     {"110 210 220 320 330; sl 0; vl 0 0 2 0", "010 110 210 200 300 340; sl 2; vl 0 0 1 2 1",
      "510 410 420 320 330; sl 0; vl 0 0 2 0", "210 110 010 510 410; sl 0; vl 0 0 0 0",
      "300 340 330 320; sl 0; vl 0 0 0", "210 200 300; sl 0; vl 0 2", "010 510 410 420; sl 1; vl 1 1 0"}},
    {"c15_switch_and_link_next_row",
     "6 5 1",
     "310 220-320",
     {"110 210 220 120 020 520 420 320 330; sl 0; vl 0 0 2 0 0 0 0 0"}},
    {"c17_dateline_link",
     "6 5 1",
     "500-000",
     {"500 400 300 200 100 000; sl 1; vl 1 1 1 1 1", "400 300 200 100; sl 0; vl 0 0 0"}},
    {"c18_pristine",
     "6 6 1",
     "",
     {"110 210 310 320 330 340; sl 0; vl 0 0 0 0 0", "110 210 310 410 420 430; sl 0; vl 0 0 0 0 0"}},
    {"c19_c22_two_switches_as_z",
     "6 1 6",
     "301 302",
     {"101 201 202 203 303 304; sl 0; vl 0 0 0 2 0", "502 402 403 303 304 305; sl 0; vl 0 0 2 0 0"}},
    {"c20_two_switches_as_yz", "1 6 6", "031 032", {"011 021 022 023 033 034; sl 0; vl 0 0 0 2 0"}},
    {"c21_two_switches_as_y",
     "6 6 1",
     "310 320",
     {"110 210 220 230 330 340; sl 0; vl 0 0 0 2 0", "300 350 340 330; sl 0; vl 0 0 0"}},
    {"c24_radix_4",
     "4 4 4",
     "",
     {"000 100 200 210 220 221 222; sl 0; vl 0 0 0 0 0 0",
      "222 122 022 012 002 001 000; sl 0; vl 0 0 0 0 0 0", "301 001 031 032; sl 3; vl 1 1 0",
      "333 033 003 000; sl 7; vl 1 1 1"}},
    {"c25_cube",
     "5 5 5",
     "",
     {"000 400 440 444; sl 7; vl 1 1 1", "000 100 200 240 230 231; sl 2; vl 0 0 1 1 0"}},
    {"c26_c28_switch_in_cube",
     "5 5 5",
     "222",
     {"022 122 123 223 224; sl 0; vl 0 0 2 0", "212 213 223; sl 0; vl 0 2",
      "422 322 332 232 242; sl 0; vl 0 0 2 0", "221 220 224 223; sl 0; vl 0 0 0"}},
    {"c29_two_in_column",
     "5 5 5",
     "222 223",
     {"022 122 123 124 224; sl 0; vl 0 0 0 2", "221 220 224; sl 4; vl 1 1"}},
    {"c30_whole_column", "5 5 5", "220 221 222 223 224", {"022 122 132 232 233 234; sl 0; vl 0 0 2 0 0"}},
    {"c34_three_links",
     "5 4 3",
     "100-200 200-210 220-221",
     {"000 400 300 200 230 220 222 221; sl 0; vl 0 0 0 0 0 0 0"}},
    {"c35_large",
     "16 16 16",
     "",
     {"c38 d38 e38 f38 038 138 238 228 218 208 2f8 2e8 2e7 2e6 2e5 2e4 2e3 2e2 2e1 2e0; sl 3; "
      "vl 1 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0"}},
    {"c36_radix_3_link", "3 3 1", "000-100", {"000 200 100; sl 0; vl 0 0", "010 210; sl 1; vl 1"}},
    {"c37_radix_2_3_4", "2 3 4", "", {"123 023 003 000; sl 6; vl 0 1 1"}},
    {"c39_long",
     "8 3 1",
     "",
     {"600 700 000 100; sl 1; vl 1 1 1", "700 600 500 400 300; sl 0; vl 0 0 0 0",
      "300 400 500 600 700; sl 0; vl 0 0 0 0"}},
    {"c40_switch_beside_radix_2", "7 2 1", "300", {"000 100 200 210 310; sl 0; vl 0 0 0 2"}},
    {"c41_two_switches_far_apart",
     "8 8 1",
     "220 660",
     {"020 120 130 230 240 250; sl 0; vl 0 0 2 0 0", "560 570 670 600; sl 2; vl 1 2 1"}},
    {"c43_mesh", "6m 5m 1", "", {"000 100 200 300 400 500; sl 0; vl 0 0 0 0 0"}},
    {"c44_mesh_corner", "5m 5m 1", "000", {"100 110 010; sl 0; vl 0 2"}},
    {"c66_two_by_two", "2 2 1", "100", {"000 010 110; sl 0; vl 0 2"}},
    {"c66_four_by_two", "4 2 1", "200", {"300 310 210; sl 0; vl 0 2"}},
    {"one_dimension", "1 1 6", "", {"000 001 002 003; sl 0; vl 0 0 0", "005 000 001; sl 4; vl 1 1"}},
    {"c67_one_switch", "1 1 1", "", {"000; sl 0; vl"}},
};

test::GridSpec with_faults(test::GridSpec spec, const std::string& faults) {
  std::istringstream in(faults);
  for (std::string fault; in >> fault;) {
    if (fault.size() == 3) {
      spec.missing.push_back(test::at_of(fault));
    } else {
      spec.cut.emplace_back(test::at_of(fault), test::at_of(fault.substr(4)));
    }
  }
  return spec;
}

class TorusPaths : public testing::TestWithParam<PathCase> {};

TEST_P(TorusPaths, AreAsSpecified) {
  const test::Grid grid(with_faults(test::grid_spec(GetParam().radices), GetParam().faults));
  const auto tables = route(fabric::SubFabric(grid.fabric()), grid.options());
  ASSERT_TRUE(tables) << tables.error().rule << ": " << tables.error().message;
  for (const std::string path : GetParam().paths) {
    const std::string hops = path.substr(0, path.find(';'));
    EXPECT_EQ(test::path_text(grid, *tables, test::at_of(hops.substr(0, 3)),
                              test::at_of(hops.substr(hops.size() - 3))),
              path);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, TorusPaths, testing::ValuesIn(kPathCases),
                         [](const auto& param) { return std::string(param.param.name); });

struct RefusedCase {
  const char* name;
  const char* radices;
  const char* faults;
  const char* rule;
  const char* message;
};

const std::vector<RefusedCase> kRefusedCases{
    {"c09_both_links_of_a_switch", "6 5 1", "210-310 310-410", "ring-disjoint",
     "1 ring is broken in more than one place: the x ring at y=1 in 2 segments: (3,1,0) and "
     "(4,1,0)..(2,1,0)"},
    {"c16_switch_and_link_same_ring", "6 5 1", "310 010-110", "ring-disjoint",
     "1 ring is broken in more than one place: the x ring at y=1 in 2 segments: (1,1,0)..(2,1,0) and "
     "(4,1,0)..(0,1,0)"},
    {"c23_two_switches_beside", "6 6 1", "310 410", "credit-loop",
     "routes around the missing switches at (3,1,0) (4,1,0) would close a credit loop "
     "over 10 links: (2,0,0) (3,0,0) (4,0,0) (5,0,0) (5,1,0) (5,2,0) (4,2,0) (3,2,0) (2,2,0) (2,1,0)"},
    {"c31_two_gaps_in_column", "5 5 5", "221 223", "ring-disjoint",
     "1 ring is broken in more than one place: the z ring at x=2, y=2 in 2 segments: (2,2,2) and "
     "(2,2,4)..(2,2,0)"},
    {"c32_two_in_y", "5 5 5", "222 232", "credit-loop",
     "routes around the missing switches at (2,2,2) (2,3,2) would close a credit loop "
     "over 10 links: (2,1,1) (2,2,1) (2,3,1) (2,4,1) (2,4,2) (2,4,3) (2,3,3) (2,2,3) (2,1,3) (2,1,2)"},
    {"c32_two_in_x", "5 5 5", "222 322", "credit-loop",
     "routes around the missing switches at (2,2,2) (3,2,2) would close a credit loop "
     "over 10 links: (1,2,1) (2,2,1) (3,2,1) (4,2,1) (4,2,2) (4,2,3) (3,2,3) (2,2,3) (1,2,3) (1,2,2)"},
    {"c33_both_x_links", "6 5 3", "211-311 311-411", "ring-disjoint",
     "1 ring is broken in more than one place: the x ring at y=1, z=1 in 2 segments: (3,1,1) and "
     "(4,1,1)..(2,1,1)"},
    {"c38_radix_2_pair", "2 3 3", "011-111", "ring-disjoint",
     "1 ring is broken in more than one place: the x ring at y=1, z=1 in 2 segments: (0,1,1) and (1,1,1)"},
    {"c42_unroutable", "5 5 5", "222 234", "unroutable",
     "20 pairs of switches have no route around the missing switches at (2,2,2) (2,3,4): (0,1,4) to "
     "(2,3,2) among them, from `sw_0_1_4` (0x0000000000100048) to `sw_2_3_2` (0x0000000000100218)"},
    {"c45_mesh_interior", "5m 5m 1", "220", "ring-disjoint",
     "2 rows are broken: the x row at y=2 in 2 segments: (0,2,0)..(1,2,0) and "
     "(3,2,0)..(4,2,0); the y row at x=2 in 2 segments: (2,0,0)..(2,1,0) and (2,3,0)..(2,4,0)"},
    {"c45_mesh_link", "5m 5m 1", "220-320", "ring-disjoint",
     "1 row is broken: the x row at y=2 in 2 segments: (0,2,0)..(2,2,0) and "
     "(3,2,0)..(4,2,0)"},
    {"c45_mesh_border", "5m 5m 1", "200", "ring-disjoint",
     "1 row is broken: the x row at y=0 in 2 segments: (0,0,0)..(1,0,0) and "
     "(3,0,0)..(4,0,0)"},
};

class TorusRefused : public testing::TestWithParam<RefusedCase> {};

TEST_P(TorusRefused, SaysWhatWasSeen) {
  const test::Grid grid(with_faults(test::grid_spec(GetParam().radices), GetParam().faults));
  const auto tables = route(fabric::SubFabric(grid.fabric()), grid.options());
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().rule, GetParam().rule);
  EXPECT_EQ(tables.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Cases, TorusRefused, testing::ValuesIn(kRefusedCases),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace rch::engines::torus_2qos
