// The log of `rch run`: its lines, its file, and its codes.

#include "cli/run_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "base/source.h"
#include "cli/log_sink.h"
#include "support/small_fabrics.h"
#include "support/temporary_folder.h"

namespace rch::cli {
namespace {

namespace fs = std::filesystem;

class RunLogTest : public test::TemporaryFolder {
 protected:
  std::vector<std::string> lines(const std::string& file) const {
    std::vector<std::string> out;
    std::string left = *read_file(file);
    for (std::size_t end = left.find('\n'); end != left.npos; end = left.find('\n')) {
      out.push_back(left.substr(0, end));
      left.erase(0, end + 1);
    }
    EXPECT_EQ(left, "") << "half a line";
    return out;
  }

  const std::string file_ = folder_ / "rch.log";
};

TEST(RunLog, CodesAreDocumented) {
  const std::string page = *read_file(RCH_DOCS "/manager.md");
  for (const LogCode& code : log_codes())
    EXPECT_NE(page.find(fmt::format("| {} | {} | {} |\n", code.code, name_of(code.level), code.meaning)),
              std::string::npos)
        << code.code;
}

TEST_F(RunLogTest, CablesThatCameAndWentAreNamed) {
  const fabric::Fabric before = test::build(test::clos(2, 1, 1));
  fabric::FabricBuilder builder(before);
  builder.disconnect(*builder.find(before.node(SwitchId(0)).guid), PortNum(2));
  const auto after = std::move(builder).build();
  ASSERT_TRUE(after);
  const auto gone = fabric::changes(before, *after), come = fabric::changes(*after, before);
  const auto log = RunLog::create(file_, false);
  log->event(sm::FabricChanged{gone}, nullptr);
  log->event(sm::FabricChanged{come}, nullptr);
  const auto written = lines(file_);
  ASSERT_EQ(written.size(), 2U);
  const std::string cable =
      "cable `switch 0` (0x0000000000100000) port 2 - `switch 2` (0x0000000000100010) port 1";
  EXPECT_EQ(written[0].substr(25), "warning RCH114 " + cable + " is gone");
  EXPECT_EQ(written[1].substr(25), "info RCH115 " + cable + " is new");
  std::uint64_t number = 1;
  const auto event = Json::parse(log->events().take(number));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->text("severity"), "warning");
  EXPECT_EQ(event->find("fields")->dump(),
            R"({"guid":"0x0000000000100000","node":"switch 0","port":2,)"
            R"("peer_guid":"0x0000000000100010","peer_node":"switch 2","peer_port":1})");
}

sm::TrapReceived errors_of_port_3(std::uint16_t lid) {
  hw::SmpData data{};
  hw::set(data, {0, 0, 1}, 1);
  hw::set(data, {4, 0, 16}, 129);
  hw::set(data, {12, 0, 16}, lid);
  hw::set(data, {14, 0, 8}, 3);
  return {hw::decode_notice(data), Lid(lid)};
}

TEST_F(RunLogTest, JsonNamesThePortOfATrap) {
  const fabric::Fabric fabric = test::build(test::clos(2, 1, 1));
  const auto log = RunLog::create(file_, true);
  ASSERT_TRUE(log) << log.error().message;
  log->event(errors_of_port_3(1), &fabric);
  log->event(errors_of_port_3(40000), &fabric);
  const auto written = lines(file_);
  ASSERT_EQ(written.size(), 2U);
  const auto known = Json::parse(written[0]), unknown = Json::parse(written[1]);
  ASSERT_TRUE(known && unknown);
  EXPECT_EQ(*known->find("code")->string(), "RCH132");
  EXPECT_EQ(known->text("text"),
            "trap 129 from LID 1 (`switch 0`): port 3 of LID 1 has too many local link errors");
  EXPECT_EQ(unknown->text("text"),
            "trap 129 from LID 40000: port 3 of LID 40000 has too many local link errors");
  EXPECT_EQ(known->find("fields")->dump(),
            R"({"trap":129,"lid":1,"port":3,"cause":"port 3 of LID 1 has too many local link errors",)"
            R"("guid":"0x0000000000100000","node":"switch 0"})");
  EXPECT_EQ(unknown->find("fields")->find("guid"), nullptr);
}

/// log_max_size, log_num_backlogs.
TEST_F(RunLogTest, FullFilesAreKeptAsManyAsTheConfigurationSays) {
  const auto sink = LogSink::open(file_, {.most_bytes = 10, .backlogs = 2});
  ASSERT_TRUE(sink);
  for (const char letter : {'a', 'b', 'c', 'd'}) EXPECT_TRUE((*sink)->write(std::string(6, letter) + "\n"));
  EXPECT_EQ(*read_file(file_), "dddddd\n");
  EXPECT_EQ(*read_file(file_ + ".1"), "cccccc\n");
  EXPECT_EQ(*read_file(file_ + ".2"), "bbbbbb\n");
  EXPECT_FALSE(fs::exists(file_ + ".3"));
  const auto alone = LogSink::open(file_, {.most_bytes = 10});
  EXPECT_TRUE((*alone)->write("eeeeee\n"));
  EXPECT_EQ(*read_file(file_), "eeeeee\n") << "none is kept";
  EXPECT_EQ(*read_file(file_ + ".1"), "cccccc\n");
}

/// Two managers may have one log: each line stays whole.
TEST_F(RunLogTest, TwoProcessesWriteWholeLinesIntoOneFile) {
  constexpr std::size_t kLines = 1000;
  const auto write = [this](char letter) {
    const auto sink = LogSink::open(file_);
    for (std::size_t n = 0; n < kLines; ++n)
      ASSERT_TRUE((*sink)->write(std::string(1 + n % 300, letter) + "\n"));
  };
  std::thread other(write, 'b');
  write('a');
  other.join();
  const auto written = lines(file_);
  EXPECT_EQ(written.size(), 2 * kLines);
  std::size_t bytes = 0;
  for (const std::string& line : written) {
    ASSERT_FALSE(line.empty());
    EXPECT_EQ(line.find_first_not_of(line.front()), line.npos) << line;
    bytes += line.size();
  }
  std::size_t expected = 0;
  for (std::size_t n = 0; n < kLines; ++n) expected += 2 * (1 + n % 300);
  EXPECT_EQ(bytes, expected);
}

TEST_F(RunLogTest, JsonIsWhatWatchersGet) {
  const auto log = RunLog::create(file_, true);
  log->line("RCH100", "started \xff", {{"lid", 7}});
  log->reports()("step     1 updn: routed\n");
  log->line("RCH102", "stopped");
  const auto written = lines(file_);
  ASSERT_EQ(written.size(), 3U);
  std::uint64_t number = 1;
  EXPECT_EQ(written[0] + "\n", log->events().take(number));
  EXPECT_EQ(written[2] + "\n", log->events().take(number));
  const auto report = Json::parse(written[1]);
  ASSERT_TRUE(report);
  EXPECT_EQ(*report->find("code")->string(), "RCH111");
  EXPECT_EQ(*report->find("text")->string(), "step     1 updn: routed");
}

TEST_F(RunLogTest, LinesBeginWithThePrefix) {
  policy::LogOptions options;
  options.prefix = "north";
  const auto log = RunLog::create(file_, false, options);
  log->line("RCH100", "one");
  log->reports()("step     1 updn: routed\n           4 roots\n");
  EXPECT_TRUE(lines(file_).at(0).ends_with("Z info RCH100 north one"));
  EXPECT_TRUE(lines(file_).at(1).ends_with("Z info RCH111 north step     1 updn: routed"));
  EXPECT_TRUE(lines(file_).at(2).ends_with("Z info RCH111 north            4 roots"));
}

TEST_F(RunLogTest, AFileIsEmptiedAtTheStartIfSo) {
  RunLog::create(file_, false)->line("RCH100", "one");
  RunLog::create(file_, false)->line("RCH100", "two");
  EXPECT_EQ(lines(file_).size(), 2U);
  policy::LogOptions options;
  options.accumulate = false;
  RunLog::create(file_, false, options)->line("RCH100", "three");
  EXPECT_EQ(lines(file_).size(), 1U);
}

TEST_F(RunLogTest, AFileIsEmptiedWhenItIsTooLarge) {
  policy::LogOptions options;
  options.max_size = 1;
  const auto log = RunLog::create(file_, false, options);
  const std::string long_line(1000, 'a');
  std::uintmax_t largest = 0;
  for (int n = 0; n < 1500; ++n) {
    log->line("RCH100", long_line);
    largest = std::max(largest, fs::file_size(file_));
  }
  EXPECT_LE(largest, 1U << 20U);
  EXPECT_GT(largest, 1000U * 1000);
  EXPECT_EQ(lines(file_).size(), 1500U - largest / (long_line.size() + 38)) << "whole lines, the newest";
}

TEST_F(RunLogTest, AFileThatWasMovedAwayIsMadeAgain) {
  const auto log = RunLog::create(file_, false);
  log->line("RCH100", "one");
  fs::rename(file_, file_ + ".1");
  log->line("RCH100", "two");
  log->reopen();
  log->line("RCH100", "three");
  EXPECT_EQ(lines(file_ + ".1").size(), 2U);
  const auto after = lines(file_);
  ASSERT_EQ(after.size(), 2U);
  EXPECT_TRUE(after[0].ends_with("RCH231 the log file was opened again"));
  EXPECT_TRUE(after[1].ends_with("RCH100 three"));
}

TEST_F(RunLogTest, AFileThatCannotBeOpenedAgainStays) {
  const auto log = RunLog::create(file_, false);
  fs::rename(file_, file_ + ".1");
  fs::create_directory(file_);
  log->reopen();
  const auto written = lines(file_ + ".1");
  ASSERT_EQ(written.size(), 1U);
  EXPECT_NE(written[0].find("RCH231 cannot write"), std::string::npos) << written[0];
}

TEST_F(RunLogTest, AFullDiskLosesLinesAndSaysHowMany) {
  fs::create_symlink("/dev/full", file_);
  const auto log = RunLog::create(file_, false);
  ASSERT_TRUE(log) << log.error().message;
  for (int i = 0; i < 3; ++i) log->line("RCH100", "lost");
  fs::remove(file_);
  log->reopen();
  const auto written = lines(file_);
  ASSERT_EQ(written.size(), 2U);
  EXPECT_NE(written[1].find("RCH231 3 lines could not be written"), std::string::npos) << written[1];
  EXPECT_EQ(log->events().next(), 6U) << "those who watch got all";
}

TEST_F(RunLogTest, AFileInNoFolderIsAnError) {
  const auto log = RunLog::create(folder_ / "none" / "rch.log", false);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace rch::cli
