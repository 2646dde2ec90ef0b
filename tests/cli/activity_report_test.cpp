// The activity report; tests/lab/activity compares it with what infiniband-diags see.

#include "cli/activity_report.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/source.h"
#include "support/temporary_folder.h"

namespace rch::cli {
namespace {

namespace fs = std::filesystem;

class ActivityReportTest : public test::TemporaryFolder {
 protected:
  void select(const std::string& subjects) {
    policy::Options options;
    options.logs.activity_report_subjects = subjects;
    options.files.dump_files_dir = folder_;
    report_.select(options);
  }
  std::string text() const { return fs::exists(file_) ? *read_file(file_) : std::string(); }

  void note_failed_step() {
    chains::StepReport step;
    step.id = StepId(2);
    step.engine = "ftree";
    step.failure = engines::EngineFailure{"no-roots", "no switch is a root", {}};
    report_.note(step);
  }
  void note_join() {
    report_.note(sa::GroupEvent{.what = sa::GroupEvent::What::joined,
                                .mgid = {0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7},
                                .mlid = Lid(0xC001),
                                .port = Guid(0x11),
                                .join_state = 4});
  }

  const fs::path file_ = folder_ / "opensm-activity.dump";
  std::vector<std::string> told_;
  ActivityReport report_{[] { return std::string("NOW"); },
                         [this](const std::string& why) { told_.push_back(why); }};
};

TEST_F(ActivityReportTest, ALineHasTimeNumberNameAndValues) {
  select("all");
  note_failed_step();
  note_join();
  EXPECT_EQ(
      text(),
      "NOW 10 routing_failed engine=ftree step=2 cause=no-roots: no switch is a root\n"
      "NOW 1 mcm_member mlid=0xc001 mgid=ff12:a01c::7 guid=0x0000000000000011 change=1 join_state=0x4\n");
}

TEST_F(ActivityReportTest, OtherSubjectsAreNotReported) {
  select("none");
  note_join();
  note_failed_step();
  EXPECT_FALSE(fs::exists(file_));
  select("prtn,mc");
  note_failed_step();
  EXPECT_EQ(text(), "");
  note_join();
  EXPECT_EQ(text().substr(0, 16), "NOW 1 mcm_member");
}

TEST_F(ActivityReportTest, ATreeIsOfTwoSubjects) {
  const fabric::MulticastGroup tree{.mlid = Lid(0xC000), .members = {}, .ports = {}};
  for (const char* subjects : {"mc", "routing", "prtn", "virt"}) {
    select(subjects);
    report_.note(std::span(&tree, 1));
  }
  EXPECT_EQ(text(), "NOW 8 mcg_tree_calc mlid=0xc000\nNOW 8 mcg_tree_calc mlid=0xc000\n");
}

TEST_F(ActivityReportTest, AFileThatWasMovedAwayIsLeft) {
  select("mc");
  note_join();
  fs::rename(file_, folder_ / "old");
  note_join();
  EXPECT_FALSE(fs::exists(file_));
  report_.reopen();
  note_join();
  EXPECT_EQ(text().find("NOW 1"), 0U);
}

TEST_F(ActivityReportTest, WhatCouldNotBeWrittenIsToldAndCounted) {
  fs::remove_all(folder_);
  select("mc");
  note_join();
  note_join();
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_EQ(told_[0],
            "cannot write `" + file_.string() + "`: No such file or directory; activities are not reported");
  fs::create_directories(folder_);
  note_join();
  EXPECT_NE(text(), "");
  ASSERT_EQ(told_.size(), 2U);
  EXPECT_EQ(told_[1], "activities are reported in `" + file_.string() + "` again; 2 before are not");
}

TEST_F(ActivityReportTest, AReplayReportsNothing) {
  policy::Options options;
  options.logs.activity_report_subjects = "all";
  options.files.dump_files_dir = folder_;
  ActivityReport none;
  none.select(options);
  none.note(sa::GroupEvent{});
  none.note_end();
  EXPECT_FALSE(fs::exists(file_));
}

}  // namespace
}  // namespace rch::cli
