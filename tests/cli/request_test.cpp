// Requests of operators, as JSON and as values.

#include "cli/request.h"

#include <gtest/gtest.h>

namespace rch::cli {
namespace {

Result<Request> read(std::string_view text) { return request_of(text); }

TEST(RequestTest, ReadsWhatItWrites) {
  for (const char* text :
       {R"({"request":"status"})",
        R"({"request":"sweep"})",
        R"({"request":"sweep","accept":["link-reset"]})",
        R"({"request":"sweep","accept":["static-change","link-reset"]})",
        R"({"request":"reload"})",
        R"({"request":"reload","confirm_within":300,"accept":"cut-off"})",
        R"({"request":"reload-status","job":3})",
        R"({"request":"confirm"})",
        R"({"request":"partition","action":"add","partition":"Red","port":"h1","membership":"both"})",
        R"({"request":"partition","action":"add","partition":"Red","port":"0x10","membership":"full",)"
        R"("absent":"yes","accept":"other-configuration"})",
        R"({"request":"partition","action":"remove","partition":"Red","port":"h1"})",
        R"({"request":"partitions"})",
        R"({"request":"quarantine","action":"list"})",
        R"({"request":"quarantine","action":"add","guid":"0x10"})",
        R"({"request":"quarantine","action":"no_discover","guid":"h1","port":254})",
        R"({"request":"quarantine","action":"release","guid":"h1"})",
        R"({"request":"drain","parts":["spine0"]})",
        R"({"request":"drain","parts":["a:b","c[3]"],"dry_run":"yes","accept":"interruption"})",
        R"({"request":"undrain","parts":["spine0","c[3]"]})",
        R"({"request":"drain-status","job":3})",
        R"({"request":"running"})",
        R"({"request":"watch"})",
        R"({"request":"watch","since":7})"}) {
    const auto request = read(text);
    ASSERT_TRUE(request) << text << ": " << request.error().message;
    EXPECT_EQ(to_json(*request).dump(), text);
  }
}

TEST(RequestTest, TakesATimeAsTheFlagDoes) {
  const auto reload = read(R"({"request":"reload","confirm_within":"5m"})");
  ASSERT_TRUE(reload);
  EXPECT_EQ(std::get<ReloadRequest>(*reload).confirm_within, std::chrono::minutes(5));
}

TEST(RequestTest, RefusesWhatIsNotKnown) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({})",
       "`request` must be `status`, `sweep`, `reload`, `reload-status`, `confirm`, `partition`, "
       "`partitions`, "
       "`quarantine`, `drain`, `undrain`, `drain-status`, `running` or `watch`"},
      {R"({"request":"swep"})", "unknown request `swep`: did you mean `sweep`?"},
      {R"({"request":"x"})",
       "unknown request `x`: expected `status`, `sweep`, `reload`, `reload-status`, `confirm`, `partition`, "
       "`partitions`, `quarantine`, `drain`, `undrain`, `drain-status`, `running` or `watch`"},
      {R"({"request":"drain"})", "`parts` must be a list of texts that are not empty"},
      {R"({"request":"drain","parts":[]})", "`parts` must be a list of texts that are not empty"},
      {R"({"request":"drain","parts":["a",7]})", "`parts` must be a list of texts that are not empty"},
      {R"({"request":"undrain","parts":["a",""]})", "`parts` must be a list of texts that are not empty"},
      {R"({"request":"drain","parts":["a"],"accept":"cut-off"})",
       "`accept`: unknown value `cut-off`: expected `interruption`"},
      {R"({"request":"sweep","acept":["link-reset"]})",
       "`sweep`: unknown member `acept`: did you mean `accept`?"},
      {R"({"request":"confirm","job":3})", "`confirm`: unknown member `job`: expected `request`"},
      {R"({"request":"sweep","accept":"link-reset"})",
       "`accept` must be a list of `static-change` or `link-reset`"},
      {R"({"request":"sweep","accept":["link-rest"]})",
       "`accept`: unknown value `link-rest`: did you mean `link-reset`?"},
      {R"({"request":"sweep","accept":[7]})",
       "`accept`: unknown value `7`: expected `static-change` or `link-reset`"},
      {R"({"request":"reload","accept":"cutoff"})",
       "`accept`: unknown value `cutoff`: did you mean `cut-off`?"},
      {R"({"request":"reload","accept":true})", "`accept` must be `cut-off`"},
      {R"({"request":"reload","confirm_within":"1d"})",
       "`confirm_within`: a whole number of seconds, minutes or hours from 1s to 24h is allowed (90s, 5m, "
       "2h; 90 is "
       "90s), not `1d`"},
      {R"({"request":"reload","confirm_within":null})",
       "`confirm_within`: a whole number of seconds, minutes or hours from 1s to 24h is allowed (90s, 5m, "
       "2h; 90 is 90s), not `null`"},
      {R"({"request":"reload","confirm_within":-1})",
       "`confirm_within`: a whole number of seconds, minutes or hours from 1s to 24h is allowed (90s, 5m, "
       "2h; 90 is 90s), not `-1`"},
      {R"({"request":"reload","confirm_within":1.5})",
       "`confirm_within`: a whole number of seconds, minutes or hours from 1s to 24h is allowed (90s, 5m, "
       "2h; 90 is 90s), not `1.5`"},
      {R"({"request":"reload","confirm_within":1e99})",
       "`confirm_within`: a whole number of seconds, minutes or hours from 1s to 24h is allowed (90s, 5m, "
       "2h; 90 is 90s), not `1e+99`"},
      {R"({"request":"reload","confirm_within":["5m"]})",
       "`confirm_within`: a whole number of seconds, minutes or hours from 1s to 24h is allowed (90s, 5m, "
       "2h; 90 is 90s), not `[\"5m\"]`"},
      {R"({"request":"status","request":"sweep"})", "`request` is there twice"},
      {R"({"request":"watch","since":1,"since":1})", "`since` is there twice"},
      {R"({"request":"status","x":[{"a":1},{"a":1,"b":{"a":2,"c":1,"c":1}}]})", "`c` is there twice"},
      {R"({"request":"reload-status"})", "`job` must be a whole number from 0"},
      {R"({"request":"watch","since":-1})", "`since` must be a whole number from 0"},
      {R"({"request":"partition","action":"add","partition":"Red","port":"h1"})",
       "`membership` must be `limited`, `full` or `both`"},
      {R"({"request":"partition","action":"remove","partition":"Red","port":"h1","absent":"yes"})",
       "`partition`: unknown member `absent`: expected `request`, `action`, `partition`, `port` or `accept`"},
      {R"({"request":"partition","action":"add","partition":"","port":"h1","membership":"full"})",
       "`partition` must be a text that is not empty"},
      {R"({"request":"partition","action":"add","partition":"Red","port":"h1","membership":"full","absent":"no"})",
       "`absent`: unknown value `no`: expected `yes`"},
      {R"({"request":"quarantine","action":"relase","guid":"h1"})",
       "`action`: unknown value `relase`: did you mean `release`?"},
      {R"({"request":"quarantine","action":"add"})", "`guid` must be a text that is not empty"},
      {R"({"request":"quarantine","action":"add","guid":"h1","port":255})",
       "`port` must be a whole number from 0 to 254"}};
  for (const auto& [text, why] : cases) {
    const auto request = read(text);
    ASSERT_FALSE(request) << text;
    EXPECT_EQ(request.error().message, why) << text;
  }
}

// A recording has what changes a manager, and what the manager decided by its clock and its files.
TEST(RequestTest, RecordingsHoldWhatOperatorsMayNotAsk) {
  for (const char* text :
       {R"({"request":"refused-reload"})", R"({"request":"refused-reload","why":"a reason"})",
        R"({"request":"come-back"})", R"({"request":"reload","confirm_within":90})",
        R"({"request":"timed-reload","confirm_within":90,"until":"2026-03-01T08:05:00.000Z"})",
        R"({"request":"quarantine","action":"report","guid":"0x10"})"}) {
    const auto recorded = recorded_request_of(text);
    ASSERT_TRUE(recorded) << text << ": " << recorded.error().message;
    EXPECT_EQ(recording_text(*recorded), text);
  }
  EXPECT_FALSE(read(R"({"request":"refused-reload"})"));
  EXPECT_FALSE(read(R"({"request":"come-back"})"));
  EXPECT_FALSE(read(R"({"request":"timed-reload","confirm_within":90,"until":"2026-03-01T08:05:00.000Z"})"));
  EXPECT_FALSE(recorded_request_of(R"({"request":"status"})"));
  EXPECT_EQ(recorded_request_of("sweep link-reset").error().message, "a request is one JSON object");
  EXPECT_EQ(recorded_request_of(R"({"request":"confirm","request":"sweep"})").error().message,
            "`request` is there twice");
}

}  // namespace
}  // namespace rch::cli
