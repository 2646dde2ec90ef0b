// OpenSM's own dumps (tests/golden), judged as far as files tell, beside what ibdmchk said of them.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dumps/judgement.h"
#include "dumps/scan.h"
#include "support/golden_case.h"

namespace rch::dumps {
namespace {

/// A line of cases.tsv.
struct Case {
  std::string name;
  std::string without_maps, with_maps,
      with_maps_and_sls;  ///< ibdmchk: `free`, `LOOP`, `-` where it was not asked
};

std::vector<Case> cases() {
  std::vector<Case> all;
  std::istringstream text(test::golden_text("cases.tsv"));
  std::string line;
  for (std::getline(text, line); std::getline(text, line);) {
    std::vector<std::string> fields(1);
    for (const char c : line)
      if (c == '\t')
        fields.emplace_back();
      else
        fields.back() += c;
    all.push_back({fields.at(0), fields.at(10), fields.at(11), fields.at(13)});
  }
  return all;
}

/// Service levels of paths in the form of `ibdmchk -c`.
std::string path_sls(const std::string& folder, const fabric::Fabric& fabric) {
  std::string text;
  for (const test::PathSlRow& row : test::opensm_path_sls(folder))
    text += fmt::format("{} {} {}\n", fabric.node(fabric.port(*fabric.lid_owner(row.source)).node).guid,
                        row.destination, row.sl);
  return text;
}

class Golden {
 public:
  explicit Golden(std::string name)
      : folder_(test::golden_folder(name)), fabric_(test::fabric_of(folder_ + "/opensm-subnet.lst")) {
    add("guid2lid");
  }

  bool has(const std::string& file) const {
    return std::filesystem::exists(folder_ + "/" + file) ||
           std::filesystem::exists(folder_ + "/" + file + ".gz");
  }
  void add(const std::string& file) { add_text(file, test::text_of(folder_ + "/" + file)); }
  void add_path_sls() { add_text("path-sl", path_sls(folder_, test::opensm_fabric(folder_))); }

  Observed observed() {
    auto found = observe(fabric_, files_, diagnostics_);
    EXPECT_TRUE(found) << text_of_diagnostics();
    return std::move(*found);
  }
  const std::string& folder() const { return folder_; }

 private:
  void add_text(const std::string& name, std::string text) {
    auto file = read(sources_, sources_.add(name, std::move(text)), diagnostics_);
    ASSERT_TRUE(file) << name << text_of_diagnostics();
    files_.push_back(std::move(*file));
  }
  std::string text_of_diagnostics() const {
    std::string text;
    for (const Diagnostic& d : diagnostics_.all()) text += render(d, sources_);
    return text;
  }

  std::string folder_;
  fabric::Fabric fabric_;
  SourceSet sources_;
  Diagnostics diagnostics_;
  std::vector<File> files_;
};

bool has_credit_loop(const Judgement& judgement) {
  return std::ranges::any_of(judgement.verdict.findings, [](const verify::Finding& finding) {
    return finding.kind == verify::FindingKind::credit_loop;
  });
}

TEST(GoldenTables, AreThoseOfTheDumpInEachForm) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    Golden lfts(one.name), fdbs(one.name);
    lfts.add("opensm-lfts.dump");
    fdbs.add("opensm.fdbs");
    const Observed by_lfts = lfts.observed(), by_fdbs = fdbs.observed();
    EXPECT_EQ(test::difference(*by_lfts.fabric, test::opensm_lfts(lfts.folder(), *by_lfts.fabric),
                               by_lfts.tables.lfts),
              "");
    EXPECT_EQ(test::difference(*by_fdbs.fabric, by_fdbs.tables.lfts, by_lfts.tables.lfts), "");
    EXPECT_EQ(by_lfts.fabric->max_lid(), test::golden_fabric(one.name).max_lid());
  }
}

/// A file with this text, removed at the end.
class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : path_(std::filesystem::path(testing::TempDir()) / fmt::format("tables.{}", ::getpid())) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(GoldenTables, AreTheSameWhereverTheFileIsCutIntoPieces) {
  for (const std::string name : {"torus2d-6x5/torus-2QoS", "clos-6x4-par2/minhop.lmc1"})
    for (const char* const form : {"opensm-lfts.dump", "opensm.fdbs"}) {
      SourceSet sources;
      Diagnostics diagnostics;
      const std::string text = test::text_of(test::golden_folder(name) + "/" + form);
      const auto whole = read_unicast(sources, sources.add(form, text), diagnostics);
      ASSERT_TRUE(whole);
      const TextFile file(text);
      for (const std::size_t piece : {1UL, 37UL, 500UL, 4000UL, 100'000UL}) {
        SCOPED_TRACE(fmt::format("{} {} {}", name, form, piece));
        const auto scanned = scan_unicast(file.path(), piece);
        ASSERT_TRUE(scanned);
        ASSERT_EQ(scanned->tables.size(), whole->tables.size());
        const auto entry = [](const UnicastDump::Table& table, std::size_t lid) {
          return lid < table.ports.size() ? table.ports[lid] : kNoPath;
        };
        for (std::size_t t = 0; t < whole->tables.size(); ++t) {
          EXPECT_EQ(scanned->tables[t].sw, whole->tables[t].sw);
          for (std::size_t lid = 0; lid < 200; ++lid)
            ASSERT_EQ(entry(scanned->tables[t], lid), entry(whole->tables[t], lid));
        }
        ASSERT_EQ(scanned->owners.size(), whole->owners.size());
        for (std::size_t i = 0; i < whole->owners.size(); ++i) {
          EXPECT_EQ(scanned->owners[i].lid, whole->owners[i].lid);
          EXPECT_EQ(scanned->owners[i].port, whole->owners[i].port);
        }
      }
      const std::size_t line = text.find("\n0x") + 1;
      EXPECT_FALSE(scan_unicast(TextFile(text.substr(0, text.size() - 1)).path()));
      EXPECT_FALSE(
          scan_unicast(TextFile(text.substr(0, line) + "0x0005 : 999\n" + text.substr(line)).path()));
      EXPECT_FALSE(scan_unicast(TextFile(text.substr(line)).path()));
      EXPECT_FALSE(scan_unicast(TextFile(text + "PLFT_NUM: 1\n").path()));
      EXPECT_FALSE(scan_unicast(TextFile(text + "Switch 0x0000000000000007\n").path()));
    }
  EXPECT_FALSE(scan_unicast("/"));
}

TEST(GoldenTables, HaveTheCreditLoopsThatIbdmchkSees) {
  std::size_t with_loop = 0, without = 0;
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    Golden golden(one.name);
    golden.add("opensm-lfts.dump");
    const Judgement links = judge(golden.observed(), {.without_qos = true});
    EXPECT_EQ(has_credit_loop(links), one.without_maps == "LOOP");
    EXPECT_EQ(judge(golden.observed()).credit_loops,
              one.without_maps == "LOOP" ? CreditLoops::not_judged : CreditLoops::any_sl);
    (has_credit_loop(links) ? with_loop : without) += 1;
    if (one.with_maps == "-") continue;
    golden.add("opensm-sl2vl.dump");
    EXPECT_EQ(has_credit_loop(judge(golden.observed(), {.without_qos = true})), one.with_maps == "LOOP");
    if (one.with_maps_and_sls == "-") continue;
    golden.add_path_sls();
    const Judgement whole = judge(golden.observed());
    EXPECT_EQ(has_credit_loop(whole), one.with_maps_and_sls == "LOOP");
    EXPECT_TRUE(whole.verdict.clean());
    EXPECT_NE(whole.credit_loops, CreditLoops::not_judged);
    // Paths between hosts are all that the files have service levels for.
    EXPECT_THAT(whole.not_judged, testing::UnorderedElementsAre(testing::HasSubstr("LIDs of switches"),
                                                                testing::HasSubstr("multicast")));
  }
  EXPECT_GT(with_loop, 10U);
  EXPECT_GT(without, 10U);
}

TEST(GoldenTables, OfMulticastAreTreesThatReachTheirMembers) {
  for (const char* name : {"torus2d-6x5/torus-2QoS.mcast", "clos-6x4-par2/minhop.mcast"}) {
    SCOPED_TRACE(name);
    Golden golden(name);
    golden.add("opensm-lfts.dump");
    golden.add("opensm.mcfdbs");
    const Observed observed = golden.observed();
    EXPECT_EQ(observed.tables.groups.size(), 2U);
    const Judgement judged = judge(observed);
    EXPECT_EQ(judged.verdict.groups, 2U);
    EXPECT_TRUE(judged.verdict.clean());
  }
}

}  // namespace
}  // namespace rch::dumps
