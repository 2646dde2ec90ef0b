// What a manager keeps for its next start, and whether it waits for the disk.

#include "cli/state_file.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/source.h"
#include "cli/journal_file.h"
#include "cli/lid_file.h"
#include "cli/live.h"
#include "support/temporary_folder.h"

namespace {

unsigned waits_for_disk = 0;

int count_and_call(const char* name, int file) {
  ++waits_for_disk;
  return reinterpret_cast<int (*)(int)>(::dlsym(RTLD_NEXT, name))(file);
}

}  // namespace

// They take the place of those of the C library in this program.
extern "C" int fsync(int file) { return count_and_call("fsync", file); }
extern "C" int fdatasync(int file) { return count_and_call("fdatasync", file); }

namespace rch::cli {
namespace {

class StateFile : public test::TemporaryFolder {
 protected:
  /// How often the disk is waited for while registrations and LIDs are kept.
  unsigned waits(bool on_disk) {
    waits_for_disk = 0;
    JournalFile journal(folder_ / "rch-registrations", on_disk);
    EXPECT_TRUE(journal.keep({.afresh = true, .bytes = "all"}));
    EXPECT_TRUE(journal.keep({.afresh = false, .bytes = " and more"}));
    EXPECT_EQ(*read_file(folder_ / "rch-registrations"), "all and more");
    struct stat info {};
    EXPECT_EQ(::stat((folder_ / "rch-registrations").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U) << "services have keys";
    fabric::LidRecords lids;
    lids.add(Guid(0x100001), {Lid(7), Lid(7)});
    EXPECT_TRUE(write_lid_file(folder_ / "guid2lid", lids, on_disk));
    EXPECT_EQ(*read_file(folder_ / "guid2lid"), fabric::write_guid2lid(lids));
    return waits_for_disk;
  }
};

/// fsync_high_avail_files.
TEST_F(StateFile, TheDiskIsWaitedForUnlessTheConfigurationSaysOtherwise) {
  EXPECT_GE(waits(true), 3U);
  EXPECT_EQ(waits(false), 0U);
}

/// cache_files_dir.
TEST_F(StateFile, TheFolderIsThatOfTheConfiguration) {
  ASSERT_EQ(::setenv("OSM_CACHE_DIR", "/elsewhere", 1), 0);
  EXPECT_EQ(default_lid_file(), "/elsewhere/guid2lid");
  policy::ManagerOptions options;
  options.cache_files_dir = folder_;
  EXPECT_EQ(default_lid_file(options), (folder_ / "guid2lid").string());
}

/// max_wire_smps and its kin.
TEST(LiveOptions, SayHowManyDatagramsAreUnderWay) {
  policy::Options options;
  EXPECT_EQ(smp_options(options, true, {}).per_node, 4U);
  options.transport.max_wire_smps = 2;
  options.transport.max_wire_smps2 = 1000;
  options.transport.max_smps_timeout = 5000;
  options.transport.max_wire_smps_per_device = 1;
  const hw::SmpOptions smps = smp_options(options, true, {});
  EXPECT_EQ(smps.window, 2U);
  EXPECT_EQ(smps.window2, hw::SmpClient::kMaxWindow);
  EXPECT_EQ(smps.stuck_after, std::chrono::milliseconds{5});
  EXPECT_EQ(smps.per_node, 1U);
}

}  // namespace
}  // namespace rch::cli
