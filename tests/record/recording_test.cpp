#include "record/recording.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/source.h"
#include "hw/causes.h"
#include "record/recorder.h"
#include "support/property.h"
#include "support/temporary_folder.h"

namespace rch::record {
namespace {

namespace fs = std::filesystem;

class RecordingTest : public test::TemporaryFolder {
 protected:
  std::unique_ptr<Recorder> recorder(RingLimits limits = {}) {
    auto made = Recorder::create(
        file, limits, [this](const Error& error) { lost = error.message; }, [] { return std::int64_t{7}; });
    EXPECT_TRUE(made);
    return std::move(*made);
  }
  /// Each record as its bytes; what it says about the end is in `missing`.
  std::vector<std::string> read(const fs::path& from) {
    auto recording = Recording::open(from);
    if (!recording) return {"refused: " + recording.error().message};
    std::vector<std::string> records;
    while (const auto record = recording->next()) {
      records.emplace_back();
      encode(*record, records.back());
    }
    missing = recording->missing();
    return records;
  }
  std::string content() const { return *read_file(file); }
  void write(const std::string& bytes) const { std::ofstream(file, std::ios::binary) << bytes; }

  fs::path file = folder_ / "session";
  std::string lost, missing;
};

hw::Datagram drawn_datagram() {
  hw::Datagram datagram;
  for (std::uint8_t& byte : datagram.mad) byte = *rc::gen::arbitrary<std::uint8_t>();
  datagram.status = *rc::gen::arbitrary<int>();
  datagram.arrived = hw::TimePoint(std::chrono::nanoseconds(*rc::gen::arbitrary<std::uint32_t>()));
  datagram.queue_pair = *rc::gen::arbitrary<std::uint32_t>();
  if (*rc::gen::arbitrary<bool>()) {
    hw::GlobalRoute& route = datagram.global_route.emplace();
    for (std::uint8_t& byte : route.gid) byte = *rc::gen::arbitrary<std::uint8_t>();
    route.flow_label = *rc::gen::arbitrary<std::uint32_t>();
    route.traffic_class = *rc::gen::arbitrary<std::uint8_t>();
  }
  return datagram;
}

hw::TimePoint drawn_time() {
  return hw::TimePoint(std::chrono::nanoseconds(*rc::gen::arbitrary<std::uint32_t>()));
}

Record drawn_record() {
  const Error error = hw::error_of(hw::causes::kCannotSend, "no room");
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
      return FileRead{"a.conf", std::string("routing_engine updn\n")};
    case 1:
      return FileRead{"b.conf", tl::unexpected(error)};
    case 2:
      return Arrived{std::vector<hw::Datagram>(*rc::gen::inRange<std::uint8_t>(0, 4), drawn_datagram()),
                     drawn_time()};
    case 3:
      return JobDone{hw::JobId(*rc::gen::arbitrary<std::uint32_t>())};
    case 4:
      return Broken{error};
    case 5:
      return Turn{drawn_time()};
    case 6:
      return FileKept{tl::unexpected(error)};
    case 7:
      return Done{true, {*rc::gen::arbitrary<std::uint64_t>()}, {hw::JobId(3)}};
    default:
      return Asked{R"({"request":"sweep"})"};
  }
}

TEST_F(RecordingTest, GivesBackWhatWasRecorded) {
  EXPECT_TRUE(test::check([&] {
    std::vector<std::string> expected(1);
    encode(WallClock{7}, expected.front());
    {
      const auto to = recorder();
      for (int i = *rc::gen::inRange(0, 20); i > 0; --i) {
        const Record record = drawn_record();
        to->put(record);
        expected.emplace_back();
        encode(record, expected.back());
      }
    }
    RC_ASSERT(read(file) == expected);
    RC_ASSERT(missing.empty());
  }));
}

TEST_F(RecordingTest, AnEventIsInTheFileBeforeItIsHandled) {
  const auto to = recorder();
  to->on_turn({});
  EXPECT_EQ(read(file).size(), 2U);  // with the wall clock
  EXPECT_NE(missing.find("the manager was killed"), std::string::npos) << missing;
}

TEST_F(RecordingTest, ATornEndIsTold) {
  {
    const auto to = recorder();
    for (int i = 0; i < 5; ++i) to->on_turn({});
  }
  const std::string whole = content();
  std::size_t torn = 0;
  for (std::size_t size = 33; size < whole.size(); ++size) {
    write(whole.substr(0, size));
    const std::size_t records = read(file).size();
    EXPECT_LE(records, 6U);
    EXPECT_TRUE(!missing.empty() || records == 6) << size;
    torn += missing.find("torn") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(torn, 20U);
}

TEST_F(RecordingTest, NoByteChangesUnseen) {
  {
    const auto to = recorder();
    for (int i = 0; i < 5; ++i) to->on_turn({});
  }
  const std::string whole = content();
  const auto records = read(file);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] ^= 1;
    write(changed);
    const auto now = read(file);
    // The last chunk holds nothing but the end of the frame.
    EXPECT_TRUE(now != records || !missing.empty() || at + 20 > whole.size()) << at;
  }
}

TEST_F(RecordingTest, ASessionGoesOnInTheNextFileAndIsReadAsOne) {
  constexpr int kTurns = 2000;
  {
    const auto to = recorder({.file_bytes = 4096, .files = 100});
    for (int i = 0; i < kTurns; ++i)
      to->on_turn(hw::TimePoint(std::chrono::nanoseconds(std::uint64_t(i) * 2654435761U % 1000003)));
  }
  EXPECT_TRUE(fs::exists(ring_file(file, 3)));
  EXPECT_LT(fs::file_size(ring_file(file, 3)), 4096U + 200U);
  const auto records = read(file);
  EXPECT_GT(records.size(), std::size_t{kTurns});
  EXPECT_EQ(missing, "");
  EXPECT_EQ(read(ring_file(file, 2)), records);

  fs::remove(file);
  read(ring_file(file, 1));
  EXPECT_NE(missing.find("the next file is missing"), std::string::npos) << missing;
}

TEST_F(RecordingTest, TheRingKeepsItsSizeAndSaysWhatIsGone) {
  {
    const auto to = recorder({.file_bytes = 1024, .files = 3});
    for (int i = 0; i < 2000; ++i)
      to->on_turn(hw::TimePoint(std::chrono::nanoseconds(std::uint64_t(i) * 2654435761U % 1000003)));
  }
  EXPECT_FALSE(fs::exists(ring_file(file, 3)));
  const auto refused = read(file);
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_NE(refused[0].find("begins with a file that is gone"), std::string::npos) << refused[0];
}

TEST_F(RecordingTest, ANewSessionKeepsTheOneBefore) {
  recorder()->put(Asked{"one"});
  recorder()->put(Asked{"two"});
  EXPECT_NE(read(file), read(ring_file(file, 1)));
  EXPECT_EQ(read(ring_file(file, 1)).size(), 2U);
}

TEST_F(RecordingTest, ADiskThatIsFullEndsTheRecordingOnce) {
  const fs::path here = folder_ / "full";
  fs::create_directory(here);
  auto to = Recorder::create(
      here / "session", {.file_bytes = 256}, [this](const Error& error) { lost += error.message; },
      [] { return std::int64_t{0}; });
  ASSERT_TRUE(to);
  fs::remove_all(here);  // the next file cannot be made
  for (int i = 0; i < 200; ++i) (*to)->put(Asked{fmt::format("{}", i * 7919)});
  EXPECT_EQ(lost, fmt::format("cannot write `{}`: No such file or directory", (here / "session").string()));
}

TEST_F(RecordingTest, WhatIsNoFileIsLeftAlone) {
  fs::create_symlink("/dev/full", file);
  const auto made = Recorder::create(file, {}, [](const Error&) {});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("no regular file"), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(file));
}

}  // namespace
}  // namespace rch::record
