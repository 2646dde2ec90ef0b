#include "cli/key_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/source.h"
#include "support/property.h"
#include "support/temporary_folder.h"

namespace rch::cli {
namespace {

namespace fs = std::filesystem;
using Keys = std::vector<hw::KeySource>;

hw::KeySource key(std::uint64_t m_key) { return {.m_key = m_key}; }

class KeyFile : public test::TemporaryFolder {
 protected:
  Keys former(std::uint64_t own, bool lookup = true) const {
    policy::ManagerOptions options;
    options.m_key = own;
    options.m_key_lookup = lookup;
    return known(options).former;
  }

  hw::KeyOptions known(const policy::ManagerOptions& options) const {
    const auto read = [](const std::string& path) -> std::optional<std::string> {
      const auto content = read_file(path);
      return content ? std::optional(*content) : std::nullopt;
    };
    SourceSet sources;
    Diagnostics diagnostics;
    return known_keys(options, lids, read, sources, diagnostics);
  }

  const std::string lids = folder_ / "guid2lid";
};

TEST_F(KeyFile, AKeyIsKeptForTheNextConfiguration) {
  ASSERT_TRUE(keep_keys(lids, key(0x11), {}));
  EXPECT_EQ(former(0x22), Keys{key(0x11)});
  EXPECT_EQ(former(0x11), Keys{});
  EXPECT_EQ(former(0x22, false), Keys{});
  ASSERT_TRUE(keep_keys(lids, key(0x22), former(0x22)));
  EXPECT_EQ(former(0), (Keys{key(0x22), key(0x11)})) << "newest first";
  ASSERT_TRUE(keep_keys(lids, key(0x22), {}));
  EXPECT_EQ(former(0x33), Keys{key(0x22)});
}

TEST_F(KeyFile, OnlyTheUserMayReadIt) {
  ASSERT_TRUE(write_file(key_file(lids), "0x5\n"));
  fs::permissions(key_file(lids), fs::perms(0644));
  ASSERT_TRUE(keep_keys(lids, key(0x11), {}));
  EXPECT_EQ(fs::status(key_file(lids)).permissions(), fs::perms(0600));
  fs::remove(key_file(lids));
  ASSERT_TRUE(keep_keys(lids, key(0x11), {}));
  EXPECT_EQ(fs::status(key_file(lids)).permissions(), fs::perms(0600));
}

TEST_F(KeyFile, WithoutKeysThereIsNone) {
  ASSERT_TRUE(keep_keys(lids, {}, {}));
  EXPECT_FALSE(fs::exists(key_file(lids)));
}

TEST_F(KeyFile, KeysOfOpenSmAreTriedLast) {
  ASSERT_TRUE(keep_keys(lids, key(0x11), {}));
  ASSERT_TRUE(write_file(folder_ / "guid2mkey",
                         "0x0002c90300000001 0x0000000000000044\n\n0x0002c90300000002 0x0000000000000044\n"
                         "0x0002c90300000003 0x0000000000000011\n"));
  EXPECT_EQ(former(0x22), (Keys{key(0x11), key(0x44)}));
}

TEST_F(KeyFile, KeysPerPortAreKeptAsWhatTheyAreMadeOf) {
  policy::ManagerOptions options;
  options.m_key = 0x11;
  options.key_mgr_seed = 0x22;
  options.m_key_per_port = true;
  const hw::KeySource made{0x11, 0x22, true};
  EXPECT_EQ(known(options).own, made);
  ASSERT_TRUE(keep_keys(lids, made, {key(0x33)}));
  EXPECT_EQ(former(0x11), (Keys{made, key(0x33)})) << "another option makes other keys of the same M_Key";
  EXPECT_EQ(known(options).former, Keys{key(0x33)});
  EXPECT_EQ(keys_in("per-port 0x1 0x0\nper-port 0x0 0x1\nper-port 0x1\n"), (Keys{{1, 0, true}, key(1)}));
}

TEST_F(KeyFile, CablesAreReadWithKeysPerPortOnly) {
  fabric::CableMap cables;
  cables.add({Guid(1), PortNum(1)}, {Guid(2), PortNum(3)});
  ASSERT_TRUE(keep_cables(lids, cables));
  policy::ManagerOptions options;
  options.m_key = 0x11;
  EXPECT_TRUE(known(options).cables.all().empty());
  options.m_key_per_port = true;
  EXPECT_TRUE(known(options).cables == cables);
}

TEST_F(KeyFile, LinesWithoutAKeyCountForNothing) {
  EXPECT_EQ(keys_in("# 0x1\n0x2 # 0x3\n\n  \t\r\n0x\n0x0\n4\n0x11112222333344445\n0xg\nword 0x6\r\n0x7"),
            (Keys{key(2), key(6), key(7)}));
}

TEST_F(KeyFile, AnyTextHasAtMostEightKeys) {
  EXPECT_TRUE(rch::test::check([] {
    const auto bytes =
        *rc::gen::container<std::string>(rc::gen::element('0', 'x', 'f', ' ', '\n', '#', '\0'));
    const Keys keys = keys_in(bytes);
    RC_ASSERT(keys.size() <= 8U);
    RC_ASSERT(std::ranges::find(keys, 0U, &hw::KeySource::m_key) == keys.end());
  }));
}

}  // namespace
}  // namespace rch::cli
