#include "cli/confirmed_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "support/temporary_folder.h"

namespace rch::cli {
namespace {

namespace fs = std::filesystem;

class ConfirmedFile : public test::TemporaryFolder {
 protected:
  ConfirmedFile() {
    texts_.add("opensm.conf", "m_key 0x5\n");
    texts_.add("/etc/opensm/partitions.conf", std::string("\xff\0x", 3));
  }

  const std::string path_ = confirmed_file(folder_ / "guid2lid");
  SourceSet texts_;
};

TEST_F(ConfirmedFile, GivesBackWhatWasKept) {
  EXPECT_EQ(path_, folder_ / "rch-confirmed");
  ASSERT_TRUE(keep_confirmed(path_, texts_));
  struct stat seen {};
  ASSERT_EQ(::stat(path_.c_str(), &seen), 0);
  EXPECT_EQ(seen.st_mode & 0777U, 0600U);
  const auto kept = read_confirmed(path_);
  ASSERT_TRUE(kept && *kept);
  ASSERT_EQ((*kept)->size(), texts_.size());
  for (std::uint32_t s = 0; s < texts_.size(); ++s) {
    EXPECT_EQ((**kept)[s].path, texts_.at(SourceId(s)).name());
    EXPECT_EQ(*(**kept)[s].content, texts_.at(SourceId(s)).text());
  }
  ASSERT_TRUE(forget_confirmed(path_));
  const auto none = read_confirmed(path_);
  EXPECT_TRUE(none && !*none);
}

TEST_F(ConfirmedFile, ADamagedFileIsNeverTakenForNone) {
  ASSERT_TRUE(keep_confirmed(path_, texts_));
  const std::string whole = *read_file(path_);
  const auto refused = [&](const std::string& content) {
    EXPECT_TRUE(write_file(path_, content));
    const auto kept = read_confirmed(path_);
    return !kept && kept.error().kind == ErrorKind::usage;
  };
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_TRUE(refused(whole.substr(0, size))) << size;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    EXPECT_TRUE(refused(flipped)) << at;
  }
  EXPECT_FALSE(refused(whole));
}

TEST_F(ConfirmedFile, OneThatCannotBeWrittenIsAnError) {
  fs::create_directories(path_);
  EXPECT_FALSE(keep_confirmed(path_, texts_));
  EXPECT_FALSE(read_confirmed(path_));
}

}  // namespace
}  // namespace rch::cli
