#pragma once

#include <string_view>
#include <vector>

#include "base/source.h"

namespace rch::fabric {

/// One section of a db_csv: `START_NAME`, a line of column names, rows, `END_NAME`.
struct CsvSection {
  std::string_view name;
  Span heading;             ///< the line `START_NAME`
  std::string_view header;  ///< the line of column names
  std::uint32_t header_at = 0;
  std::string_view rows;  ///< the lines up to the one that ends the section
  std::uint32_t rows_at = 0;
  /// Empty: the section ends with `END_NAME`. Else the line that ends it, at the end of the text the heading.
  Span broken_at = {};
};

/// The text by its sections.
struct CsvSections {
  std::vector<CsvSection> all;
  std::vector<Span> strays;  ///< lines outside of sections that are neither empty nor comments

  /// The first one of that name; null if there is none.
  const CsvSection* find(std::string_view name) const;
};

CsvSections find_sections(std::string_view text, SourceId source);

/// Whether the line is `START_NAME` or `END_NAME` and nothing else: a damaged one may hold a row, and a key.
bool is_section_mark(std::string_view line);

/// Whether rows of a section of this name are read.
bool is_read_section(std::string_view name);
/// Whether rch reads, or ibdiagnet 2 and NVIDIA SM are known to write, a section of this name.
bool is_known_section(std::string_view name);

}  // namespace rch::fabric
