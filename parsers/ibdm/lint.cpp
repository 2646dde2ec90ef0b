#include "parsers/ibdm/lint.h"

#include "parsers/ibdm/cluster.h"
#include "parsers/ibdm/library.h"

namespace rch::parsers::ibdm {

Result<void> lint(SourceSet& sources, std::span<const SourceId> ibnl, std::span<const SourceId> topos,
                  Diagnostics& diagnostics) {
  Library library;
  for (const SourceId text : ibnl) library.add(sources, text);
  if (!ibnl.empty()) {
    library.report(diagnostics);
  } else if (!topos.empty()) {
    if (auto done = load_system_files(sources, library); !done) return done;
  }
  for (const SourceId text : topos)
    build_cluster(topo::parse(sources, text, diagnostics), library, diagnostics);
  return {};
}

}  // namespace rch::parsers::ibdm
