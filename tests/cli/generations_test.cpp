#include "cli/generations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/source.h"
#include "support/temporary_folder.h"

namespace rch::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class GenerationsOnDisk : public test::TemporaryFolder {
 protected:
  const std::string plan = (folder_ / "rch-plan").string();
  const std::string kept = generations_folder((folder_ / "guid2lid").string());

  /// Installs a plan of so many bytes.
  Result<void> install(std::size_t bytes, const GenerationLimits& limits, const std::string& reason = "why") {
    EXPECT_TRUE(write_file(plan, std::string(bytes, 'p')));
    return keep_generation(kept, plan, {.time = "then", .reason = reason, .accepted = {"credit-loop"}},
                           limits);
  }
  std::vector<std::uint64_t> numbers() const {
    std::vector<std::uint64_t> out;
    const auto generations = generations_in(kept);
    for (const Generation& generation : *generations) out.push_back(generation.number);
    return out;
  }
};

TEST_F(GenerationsOnDisk, AreCountedAndTheOldestGo) {
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(install(10, {.count = 3}));
  EXPECT_THAT(numbers(), ElementsAre(5, 4, 3));
  const auto files = std::distance(std::filesystem::directory_iterator(kept), {});
  EXPECT_EQ(files, 6);  // a note each
}

TEST_F(GenerationsOnDisk, TakeNoMoreRoomThanTheLimitButForTheNewest) {
  constexpr std::size_t kMib = std::size_t{1} << 20U;
  ASSERT_TRUE(install(kMib / 2, {.mib = 1}));
  ASSERT_TRUE(install(kMib / 2, {.mib = 1}));
  EXPECT_THAT(numbers(), ElementsAre(2, 1));
  ASSERT_TRUE(install(kMib / 2, {.mib = 1}));
  EXPECT_THAT(numbers(), ElementsAre(3, 2));
  ASSERT_TRUE(install(3 * kMib, {.mib = 1}));
  EXPECT_THAT(numbers(), ElementsAre(4));
}

TEST_F(GenerationsOnDisk, AreNotKeptWithoutACount) {
  ASSERT_TRUE(install(10, {.count = 0}));
  EXPECT_FALSE(std::filesystem::exists(kept));
}

TEST_F(GenerationsOnDisk, TellWhenAndWhy) {
  ASSERT_TRUE(install(10, {}, "a \"trap\" of `leaf`"));
  const auto generations = *generations_in(kept);
  ASSERT_EQ(generations.size(), 1U);
  EXPECT_EQ(generations[0].note.time, "then");
  EXPECT_EQ(generations[0].note.reason, "a \"trap\" of `leaf`");
  EXPECT_THAT(generations[0].note.accepted, ElementsAre("credit-loop"));
  EXPECT_FALSE(generations[0].note.is_repair);
}

TEST_F(GenerationsOnDisk, StayWhatTheyWereWhenThePlanIsReplaced) {
  ASSERT_TRUE(install(10, {}));
  ASSERT_TRUE(install(20, {}));
  EXPECT_EQ(std::filesystem::file_size((*generations_in(kept))[1].plan), 10U);
  EXPECT_EQ(std::filesystem::hard_link_count(plan), 2U);  // the newest takes no room of its own
}

TEST_F(GenerationsOnDisk, CountWithoutTheirNotesAndNotesWithoutPlanGo) {
  ASSERT_TRUE(install(10, {}));
  ASSERT_TRUE(write_file(kept + "/000001.json", "no JSON"));
  ASSERT_TRUE(write_file(kept + "/000007.json", "{}"));  // the plan was never written
  ASSERT_TRUE(write_file(kept + "/000009.plan.tmp", "cut short"));
  EXPECT_THAT(numbers(), ElementsAre(1));
  EXPECT_THAT((*generations_in(kept))[0].note.reason, IsEmpty());
  ASSERT_TRUE(install(10, {}));
  EXPECT_THAT(numbers(), ElementsAre(2, 1));
  EXPECT_FALSE(std::filesystem::exists(kept + "/000007.json"));
  EXPECT_FALSE(std::filesystem::exists(kept + "/000009.plan.tmp"));
}

TEST_F(GenerationsOnDisk, ThatCannotBeKeptLeaveTheOthers) {
  ASSERT_TRUE(install(10, {}));
  const auto failed = keep_generation(kept, plan + ".gone", {}, {});
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, testing::HasSubstr("cannot keep the plan as"));
  EXPECT_THAT(numbers(), ElementsAre(1));
}

TEST_F(GenerationsOnDisk, AreForTheirUserAlone) {
  ASSERT_TRUE(install(10, {}));
  struct stat info {};
  ASSERT_EQ(::stat(kept.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);
}

}  // namespace
}  // namespace rch::cli
