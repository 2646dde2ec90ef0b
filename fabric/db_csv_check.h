#pragma once

#include "fabric/db_csv_sections.h"
#include "fabric/reporter.h"

namespace rch::fabric {

/// Reports sections that are missing, doubled or broken, and lines outside of them. `by_sm`: NVIDIA SM wrote
/// the text, which has no PORTS of unlinked ports and other SWITCHES.
void check_sections(SourceSet& sources, SourceId source, const CsvSections& sections, bool by_sm,
                    Reporter& report);

}  // namespace rch::fabric
