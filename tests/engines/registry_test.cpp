#include "engines/registry.h"

#include <set>

#include <gtest/gtest.h>

namespace rch::engines {
namespace {

TEST(Registry, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const Descriptor* engine : all_engines())
    EXPECT_TRUE(names.insert(engine->name).second) << engine->name;
  for (const Descriptor& engine : absent_engines())
    EXPECT_TRUE(names.insert(engine.name).second) << engine.name;
}

TEST(Registry, EnginesRouteAndAbsentOnesDoNot) {
  for (const Descriptor* engine : all_engines()) {
    EXPECT_NE(engine->route, nullptr) << engine->name;
    EXPECT_FALSE(engine->summary.empty()) << engine->name;
    EXPECT_EQ(find_engine(engine->name), engine);
  }
  for (const Descriptor& engine : absent_engines()) {
    EXPECT_EQ(engine.route, nullptr) << engine.name;
    EXPECT_EQ(find_engine(engine.name), &engine);
  }
  EXPECT_EQ(find_engine("chain"), nullptr);
}

TEST(Registry, ReadersOfOptions) {
  EXPECT_EQ(first_reader("torus_config"), &kTorus2Qos);
  EXPECT_EQ(first_reader("lash_start_vl"), find_engine("lash"));
  EXPECT_EQ(first_reader("lmc"), nullptr);
}

}  // namespace
}  // namespace rch::engines
