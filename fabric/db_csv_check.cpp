#include "fabric/db_csv_check.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fabric/db_csv_rules.h"

namespace rch::fabric {
namespace {

class SectionCheck {
 public:
  SectionCheck(SourceSet& sources, SourceId source, const CsvSections& sections, Reporter& report)
      : sources_(sources), start_{source, 0, 0}, sections_(sections), report_(report) {}

  void check_each() {
    std::unordered_map<std::string_view, Span> first;
    for (const CsvSection& section : sections_.all) {
      const auto [before, fresh] = first.emplace(section.name, section.heading);
      if (!fresh && is_read_section(section.name))
        report_.add(kCsvRepeated, section.heading, fmt::format("a second section `{}`", section.name))
            .labels.push_back({before->second, "the first one"});
      if (!section.broken_at.source.is_none()) report_open(section);
    }
  }

  void check_strays() {
    for (const Span& stray : sections_.strays) {
      sources_.hide(stray);  // nobody knows which section it belongs to
      report_.add(kOutsideSection, stray, "a line outside of every section").hint =
          "it is not shown: it may hold an M_Key. If the heading of its section is lost, write the file "
          "again";
    }
  }

  void check_missing(std::string_view name, const Rule& rule, std::string_view loss) {
    if (sections_.find(name) != nullptr) return;
    report_.add(rule, start_, fmt::format("no section `{}`: {}", name, loss)).hint =
        "ibdiagnet leaves out what `--disable_output` names; if the file was cut short, write it again";
  }

  void count_unknown() {
    std::vector<std::string_view> unknown;
    for (const CsvSection& section : sections_.all)
      if (!is_known_section(section.name)) unknown.push_back(section.name);
    if (unknown.empty()) return;
    const std::size_t shown = std::min<std::size_t>(unknown.size(), 10);
    const std::string more =
        unknown.size() > shown ? fmt::format(" and {} more", unknown.size() - shown) : "";
    report_.add(
        kUnknownSection, start_,
        fmt::format("{} of unknown name skipped: `{}`{}",
                    unknown.size() == 1 ? "a section" : fmt::format("{} sections", unknown.size()),
                    fmt::join(unknown.begin(), unknown.begin() + static_cast<std::ptrdiff_t>(shown), "`, `"),
                    more));
  }

 private:
  void report_open(const CsvSection& section) {
    const bool at_end = section.broken_at == section.heading;
    Diagnostic& d = report_.add(is_read_section(section.name) ? kOpenSection : kCutTail, section.heading,
                                fmt::format("`{}` has no line `END_{}`", section.name, section.name));
    if (!at_end) d.labels.push_back({section.broken_at, "here another section begins or ends"});
    d.hint = at_end ? "the file was cut short; write it again" : "lines are lost; write the file again";
  }

  SourceSet& sources_;
  Span start_;
  const CsvSections& sections_;
  Reporter& report_;
};

}  // namespace

void check_sections(SourceSet& sources, SourceId source, const CsvSections& sections, bool by_sm,
                    Reporter& report) {
  SectionCheck check(sources, source, sections, report);
  check.check_each();
  check.check_strays();
  check.check_missing("NODES", kMissingSection, "no node is known");
  check.check_missing("LINKS", kMissingSection, "no cable is known");
  check.count_unknown();
  if (report.failed()) return;  // without a fabric nothing else is missed
  check.check_missing("PORTS", kAbsentSection, "LIDs, rates, MTUs and VLs of ports are unknown");
  if (!by_sm)
    check.check_missing("SWITCHES", kAbsentSection, "enhanced port 0 and multicast capacity are unknown");
}

}  // namespace rch::fabric
