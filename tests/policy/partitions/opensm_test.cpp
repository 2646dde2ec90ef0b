// Side by side: what OpenSM 3.3.23 makes of the files of corpus/ (recorded in *.seen by
// tests/lab/record_partitions) and what rch makes of them.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "reading.h"

namespace rch::policy::partitions {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = fs::path(RCH_TEST_DATA) / "partitions" / "corpus";

enum class Outcome {
  same,            ///< both take it and do the same, or both refuse it
  rch_refuses,     ///< an error here, taken there
  opensm_refuses,  ///< taken here
  differs,         ///< both take it; P_Key tables or groups are not the same
};

/// Where rch differs on purpose, and why.
struct Difference {
  std::string_view file;
  Outcome outcome;
  std::string_view why;
};
constexpr Difference kDifferences[] = {
    {"all_vcas", Outcome::opensm_refuses, "NVIDIA SM knows `ALL_VCAS`; a warning"},
    {"long_line", Outcome::opensm_refuses, "OpenSM cuts the line in a GUID; a warning"},
    {"ambiguous_prefix", Outcome::rch_refuses, "`ALL_` could be four keywords; OpenSM takes the first"},
    {"short_prefixes", Outcome::rch_refuses, "one letter is no keyword; OpenSM reads `A` as ALL"},
    {"indx0_prefix", Outcome::rch_refuses, "OpenSM drops the flag silently, which is not what was meant"},
    {"flag_case", Outcome::rch_refuses,
     "OpenSM drops the flags silently, the partition has no broadcast group"},
    {"flag_unknown", Outcome::rch_refuses, "OpenSM drops the flag silently"},
    {"flag_empty", Outcome::rch_refuses, "a forgotten flag; OpenSM reads it as `mtu`"},
    {"flag_without_value", Outcome::rch_refuses, "OpenSM makes no group for it, and says so in its log only"},
    {"defmember_unknown", Outcome::rch_refuses, "OpenSM makes the ports limited members silently"},
    {"member_case", Outcome::rch_refuses, "OpenSM makes the port a limited member silently"},
    {"membership_unknown", Outcome::rch_refuses, "OpenSM makes the port a limited member silently"},
    {"defmember_empty", Outcome::rch_refuses, "documented as limited, read as full"},
    {"membership_empty", Outcome::rch_refuses, "documented as limited, read as full"},
    {"membership_on_next_line", Outcome::rch_refuses,
     "OpenSM drops the membership silently: the port is a limited member"},
    {"members_behind_mgid", Outcome::rch_refuses, "OpenSM drops the member silently"},
    {"missing_comma", Outcome::rch_refuses,
     "OpenSM drops the second member silently and makes the first limited"},
    {"missing_semicolon_same_line", Outcome::rch_refuses, "OpenSM drops the second partition silently"},
    {"guid_too_long", Outcome::rch_refuses, "OpenSM reads the largest GUID there is"},
    {"pkey_too_large", Outcome::rch_refuses, "OpenSM uses the low 15 bits of any number"},
    {"mtu_wrong", Outcome::rch_refuses, "OpenSM makes no group for it, and says so in its log only"},
    {"rate_wrong", Outcome::rch_refuses, "OpenSM makes no group for it, and says so in its log only"},
    {"sl_wrong", Outcome::rch_refuses, "OpenSM drops the flag silently"},
    {"ipoib_scope_wrong", Outcome::rch_refuses, "OpenSM drops the flags silently"},
    {"tclass_wrong", Outcome::rch_refuses, "OpenSM uses the low bits of any number"},
    {"mgid_garbage", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_unicast", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_values_wrong", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_partition_flags", Outcome::rch_refuses, "OpenSM drops the flags silently"},
    {"mgid_ip_rate", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_ip_scopes", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_ip_without_ipoib", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_link_local_a01b", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_pkey_base", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_pkey_filled", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_pkey_other", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"mgid_reserved_flags", Outcome::rch_refuses, "OpenSM makes no group, and says so in its log only"},
    {"comment_signs", Outcome::rch_refuses, "meant as comments; OpenSM makes the partitions silently"},
    {"end_without_semicolon", Outcome::rch_refuses,
     "a file that breaks off; OpenSM takes what is there silently"},
    {"lone_semicolon_indented", Outcome::rch_refuses,
     "OpenSM reads on behind the line, where its buffer is empty because no line before is as long"},
    {"cut_off", Outcome::rch_refuses, "a file that breaks off; OpenSM takes what is there silently"},
    {"flag_aliases", Outcome::differs,
     "manuals spell `qkey` and `tclass` so; OpenSM drops them, rch warns and reads them"},
    {"ipoib_scopes", Outcome::differs,
     "OpenSM makes one broadcast group of scope 2 whatever `scope` says; manuals promise one for each"},
    {"mgid_scopes_inherited", Outcome::differs, "the same with one `scope`"},
    {"mgid_comment_read_as_flag", Outcome::differs, "OpenSM takes the comment for flags; rch warns"},
    {"omitted_pkey_taken_later", Outcome::differs,
     "OpenSM takes a P_Key that a statement below gives to another partition"},
    {"rate_newer", Outcome::differs, "OpenSM 3.3.23 knows rates up to 22; rch warns above 24"},
    {"rates", Outcome::differs, "OpenSM 3.3.23 knows rates up to 22; newer ones, and rch, 23 and 24"},
    {"sl_without_qos", Outcome::differs,
     "without QoS, OpenSM keeps the SL of a group that has its own; rch makes it 0 as that of partitions"},
};

std::string content(const fs::path& path) {
  const auto text = read_file(path);
  return text ? *text : "";
}

/// `# opensm: qos allow_both_pkeys` in the first line: options that are on.
std::string options_of(std::string_view text) {
  constexpr std::string_view kMark = "# opensm:";
  if (!text.starts_with(kMark)) return "";
  std::string options(text.substr(kMark.size(), text.find('\n') - kMark.size()));
  std::string lines;
  for (std::size_t at = 0; (at = options.find_first_not_of(' ', at)) != std::string::npos;) {
    const std::size_t end = std::min(options.find(' ', at), options.size());
    lines += options.substr(at, end - at) + " TRUE\n";
    at = end;
  }
  return lines;
}

struct Comparison {
  Outcome outcome;
  std::string opensm, rch, report;
};

Comparison compare(const fs::path& conf) {
  const std::string text = content(conf);
  const std::string seen = content(fs::path(conf).replace_extension(".seen"));
  const Reading reading(text, options_of(text));
  const bool refused = reading.diagnostics().has_errors();
  const bool opensm_took = seen.starts_with("taken\n");
  Comparison result{Outcome::same, opensm_took ? seen.substr(6) : seen, laid_out(reading.partitions()),
                    reading.report()};
  if (refused != opensm_took)
    result.outcome = refused || result.opensm == result.rch ? Outcome::same : Outcome::differs;
  else
    result.outcome = refused ? Outcome::rch_refuses : Outcome::opensm_refuses;
  return result;
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(kCorpus))
    if (entry.path().extension() == ".conf") found.push_back(entry.path().stem().string());
  std::sort(found.begin(), found.end());
  return found;
}

class OpenSm : public testing::TestWithParam<std::string> {};

TEST_P(OpenSm, ReadsTheFileAsRch) {
  const fs::path conf = kCorpus / (GetParam() + ".conf");
  ASSERT_TRUE(fs::exists(fs::path(conf).replace_extension(".seen")))
      << "record it: tests/lab/record_partitions";
  const auto listed = std::find_if(std::begin(kDifferences), std::end(kDifferences),
                                   [](const Difference& d) { return d.file == GetParam(); });
  const Outcome expected = listed != std::end(kDifferences) ? listed->outcome : Outcome::same;
  const Comparison seen = compare(conf);
  EXPECT_EQ(static_cast<int>(seen.outcome), static_cast<int>(expected)) << "OpenSM:\n"
                                                                        << seen.opensm << "rch:\n"
                                                                        << seen.rch << seen.report;
}

INSTANTIATE_TEST_SUITE_P(Corpus, OpenSm, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

TEST(OpenSmDifferences, NameFilesOfTheCorpus) {
  for (const Difference& d : kDifferences) {
    EXPECT_TRUE(fs::exists(kCorpus / (std::string(d.file) + ".conf"))) << d.file;
    EXPECT_FALSE(d.why.empty()) << d.file;
  }
}

std::string run(const std::string& command) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  ::pclose(pipe);
  return output;
}

/// The recordings are of the OpenSM that is installed: a few are made again.
TEST(OpenSmLive, DoesWhatWasRecorded) {
  std::string files, recorded;
  for (const char* name : {"manual_samples", "keyword_prefixes", "mgid_groups", "indx0_allowed_both"}) {
    files += " '" + (kCorpus / name).string() + ".conf'";
    recorded += content(kCorpus / (std::string(name) + ".seen"));
  }
  EXPECT_EQ(run(RCH_LAB "/record_partitions '" RCH_TEST_DATA "/partitions/fabric.net' --print" + files),
            recorded);
}

}  // namespace
}  // namespace rch::policy::partitions
