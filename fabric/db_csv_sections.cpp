#include "fabric/db_csv_sections.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "fabric/line_cursor.h"

namespace rch::fabric {
namespace {

constexpr std::string_view kStart = "START_";
constexpr std::string_view kEnd = "END_";

constexpr std::array<std::string_view, 9> kReadSections{"NODES",
                                                        "PORTS",
                                                        "SWITCHES",
                                                        "LINKS",
                                                        "SMS",
                                                        "PORT_HIERARCHY_INFO",
                                                        "EXTENDED_PORT_INFO",
                                                        "EXTENDED_NODE_INFO",
                                                        "AR_INFO"};

/// Sections of ibdiagnet 2, as public headers of ibutils2 name them, and of NVIDIA SM.
constexpr std::array<std::string_view, 38> kOtherSections{"PHYSICAL_HIERARCHY_INFO",
                                                          "CHASSIS_INFO",
                                                          "SYSTEM_GENERAL_INFORMATION",
                                                          "GENERAL_INFO_SMP",
                                                          "NODES_INFO",
                                                          "EXTENDED_SWITCH_INFO",
                                                          "PORT_INFO_EXTENDED",
                                                          "FEC_MODE",
                                                          "HBF_CONFIG",
                                                          "WHBF_CONFIG",
                                                          "PFRN_CONFIG",
                                                          "N2N_CLASS_PORT_INFO",
                                                          "NEIGHBORS_INFO",
                                                          "N2N_KEY_INFO",
                                                          "VL_ARBITRATION_TABLE",
                                                          "PKEY",
                                                          "AGUID",
                                                          "SM_INFO",
                                                          "LINEAR_FORWARDING_TABLE_SPLIT",
                                                          "MLNX_CNTRS_INFO",
                                                          "RN_COUNTERS",
                                                          "HBF_PORT_COUNTERS",
                                                          "FAST_RECOVERY_COUNTERS",
                                                          "CREDIT_WATCHDOG_TIMEOUT_COUNTERS",
                                                          "PROFILES_CONFIG",
                                                          "CREDIT_WATCHDOG_CONFIG",
                                                          "BER_CONFIG",
                                                          "PORT_RECOVERY_POLICY_CONFIG",
                                                          "TEMP_SENSING",
                                                          "BER_TEST",
                                                          "PHY_TEST",
                                                          "PORT_DRS",
                                                          "CABLE_INFO",
                                                          "INDEX_TABLE",
                                                          "SM",
                                                          "SM_PORTS",
                                                          "AN2AN",
                                                          "CHAINS"};
/// Families of sections.
constexpr std::array<std::string_view, 13> kSectionPrefixes{"PM_",
                                                            "CC_",
                                                            "SHARP_",
                                                            "NVL_",
                                                            "ROUTERS_",
                                                            "QOS_CONFIG_",
                                                            "VNODES",
                                                            "VPORTS",
                                                            "PORT_GENERAL_",
                                                            "PORT_POLICY_",
                                                            "PERFORMANCE_HISTOGRAM_",
                                                            "ERRORS_",
                                                            "WARNINGS_"};

/// Walks over the lines of a text.
class SectionScanner {
 public:
  SectionScanner(std::string_view text, SourceId source) : text_(text), source_(source) {}

  CsvSections scan() {
    if (text_.starts_with(kByteOrderMarkBytes)) at_ = kByteOrderMarkBytes.size();
    while (next())
      if (is_section_mark(line_) && line_.starts_with(kStart))
        read_section();
      else if (!line_.empty() && line_.front() != '#')
        found_.strays.push_back(span());
    return std::move(found_);
  }

 private:
  /// Steps to the next line; false at the end of the text.
  bool next() {
    if (at_ >= text_.size()) return false;
    begin_ = at_;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line_ = text_.substr(begin_, end - begin_);
    while (!line_.empty() && (line_.back() == '\r' || line_.back() == ' ')) line_.remove_suffix(1);
    at_ = end + 1;
    return true;
  }

  Span span() const {
    const auto begin = static_cast<std::uint32_t>(begin_);
    return {source_, begin, begin + static_cast<std::uint32_t>(line_.size())};
  }

  /// The section whose heading is the line at hand.
  void read_section() {
    CsvSection section{line_.substr(kStart.size()), span(), {}, 0, {}, 0};
    bool more = next();
    if (more && !is_section_mark(line_)) {
      section.header = line_;
      section.header_at = static_cast<std::uint32_t>(begin_);
      more = next();
    }
    const std::size_t first = more ? begin_ : text_.size();
    while (more && !is_section_mark(line_)) more = next();
    const std::size_t last = more ? begin_ : text_.size();
    section.rows = text_.substr(first, last - first);
    section.rows_at = static_cast<std::uint32_t>(first);
    if (!more)
      section.broken_at = section.heading;
    else if (line_.starts_with(kStart) || line_.substr(kEnd.size()) != section.name)
      section.broken_at = span();
    if (more && line_.starts_with(kStart)) at_ = begin_;  // the next section
    found_.all.push_back(section);
  }

  std::string_view text_;
  SourceId source_;
  std::size_t at_ = 0;     ///< of the next line
  std::size_t begin_ = 0;  ///< of the line at hand
  std::string_view line_;
  CsvSections found_;
};

}  // namespace

const CsvSection* CsvSections::find(std::string_view name) const {
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const CsvSection& section) { return section.name == name; });
  return at == all.end() ? nullptr : &*at;
}

CsvSections find_sections(std::string_view text, SourceId source) {
  return SectionScanner(text, source).scan();
}

bool is_section_mark(std::string_view line) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return (line.starts_with(kStart) || line.starts_with(kEnd)) &&
         line.find_first_not_of(kLetters) == std::string_view::npos;
}

bool is_read_section(std::string_view name) {
  return std::find(kReadSections.begin(), kReadSections.end(), name) != kReadSections.end();
}

bool is_known_section(std::string_view name) {
  const auto is = [&](std::string_view known) { return name == known; };
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  return is_read_section(name) || std::any_of(kOtherSections.begin(), kOtherSections.end(), is) ||
         std::any_of(kSectionPrefixes.begin(), kSectionPrefixes.end(), begins);
}

}  // namespace rch::fabric
