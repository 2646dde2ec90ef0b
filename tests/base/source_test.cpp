#include "base/source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <thread>

namespace rch {
namespace {

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() / ("rch-source-" + std::to_string(::getpid()));
    std::filesystem::create_directories(path_);
  }
  void TearDown() override { std::filesystem::remove_all(path_); }
  std::filesystem::path path_;
};

TEST(SourceSet, HiddenBytesAreShownToNobody) {
  SourceSet sources;
  const SourceId id = sources.add("keys", "a,secret\r\nnext\n");
  const std::string_view text = sources.at(id).text();
  sources.hide({id, 2, 12});
  EXPECT_EQ(text, "a,******\r\n**xt\n");  // views stay, and lines keep their places
  EXPECT_EQ(sources.at(id).line(1), "a,******");
  EXPECT_EQ(sources.at(id).position(10).line, 2u);
}

TEST(SourceText, PositionsAndLinesAgree) {
  const SourceText text("x", "one\r\ntwo\n\nlast");
  EXPECT_EQ(text.line(1), "one");
  EXPECT_EQ(text.line(2), "two");
  EXPECT_EQ(text.line(3), "");
  EXPECT_EQ(text.line(4), "last");
  EXPECT_EQ(text.line(5), "");
  EXPECT_EQ(text.position(5).line, 2U);
  EXPECT_EQ(text.position(7).column, 3U);
  EXPECT_EQ(text.position(14).line, 4U);
}

TEST_F(Folder, RefusesWhatIsNoRegularFile) {
  ::mkfifo((path_ / "fifo").c_str(), 0600);
  SourceSet sources;
  EXPECT_EQ(sources.load(path_).error().message, "cannot read `" + path_.string() + "`: is a folder");
  EXPECT_EQ(sources.load(path_ / "fifo").error().message,
            "cannot read `" + (path_ / "fifo").string() + "`: nobody writes into it");
  EXPECT_EQ(sources.load("/dev/null").error().message, "cannot read `/dev/null`: is not a regular file");
  EXPECT_EQ(sources.load(path_ / "absent").error().message,
            "cannot read `" + (path_ / "absent").string() + "`: No such file or directory");
  EXPECT_EQ(sources.load(path_ / "absent").error().kind, ErrorKind::usage);
}

/// As in `rch lint <(generate)`, where the writer takes its time.
TEST_F(Folder, ReadsWhatIsWrittenIntoAFifo) {
  const auto fifo = path_ / "fifo";
  ::mkfifo(fifo.c_str(), 0600);
  std::thread writer([&] {
    const int fd = ::open(fifo.c_str(), O_WRONLY);
    for (const std::string_view part : {"first,", "second"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      EXPECT_EQ(::write(fd, part.data(), part.size()), static_cast<ssize_t>(part.size()));
    }
    ::close(fd);
  });
  EXPECT_EQ(read_file(fifo).value(), "first,second");
  writer.join();
}

TEST_F(Folder, WriteReplacesTheWholeFileAndLeavesNothingBehind) {
  const auto file = path_ / "out";
  ASSERT_TRUE(write_file(file, "old content, longer"));
  ASSERT_TRUE(write_file(file, "new"));
  EXPECT_EQ(read_file(file).value(), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path_), {}), 1);
  for (const auto mode : {std::filesystem::perms(0640), std::filesystem::perms(0755)}) {
    std::filesystem::permissions(file, mode);
    ASSERT_TRUE(write_file(file, "newer"));
    EXPECT_EQ(std::filesystem::status(file).permissions(), mode);
  }
}

TEST_F(Folder, WriteGoesThroughWhatIsNoRegularFile) {
  ASSERT_TRUE(write_file(path_ / "target", "old"));
  std::filesystem::create_symlink("target", path_ / "link");
  ASSERT_TRUE(write_file(path_ / "link", "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(path_ / "link"));
  EXPECT_EQ(read_file(path_ / "target").value(), "new");

  ::mkfifo((path_ / "fifo").c_str(), 0600);
  const int reader = ::open((path_ / "fifo").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(write_file(path_ / "fifo", "piped"));
  std::array<char, 8> text{};
  EXPECT_EQ(::read(reader, text.data(), text.size()), 5);
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(path_ / "fifo"));
}

TEST_F(Folder, FailedWriteKeepsTheOldFile) {
  std::filesystem::create_directory(path_ / "taken");
  EXPECT_FALSE(write_file(path_ / "taken", "x"));
  EXPECT_FALSE(write_file(path_ / "absent" / "file", "x"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path_), {}), 1);
}

TEST(SourceSet, ASealedOneReadsNoFile) {
  SourceSet sources;
  sources.provide("given.conf", "text");
  EXPECT_TRUE(sources.exists("/dev/null"));
  sources.seal();
  EXPECT_FALSE(sources.exists("/dev/null"));
  ASSERT_FALSE(sources.load("/dev/null"));
  EXPECT_EQ(sources.load("/dev/null").error().message, "cannot read `/dev/null`: No such file or directory");
  EXPECT_TRUE(sources.load("./given.conf"));
}

}  // namespace
}  // namespace rch
