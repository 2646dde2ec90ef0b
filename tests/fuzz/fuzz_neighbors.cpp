// OpenSM's `neighbors`. What was read is written so that it reads back without a finding.

#include "fabric/cable_map.h"
#include "parser_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  return try_parser(data, size, [](SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
    const fabric::CableMap cables = fabric::read_neighbors(sources, source, diagnostics);
    if (diagnostics.has_errors()) std::abort();
    Diagnostics none;
    const SourceId again = sources.add("written", fabric::write_neighbors(cables));
    if (!(fabric::read_neighbors(sources, again, none) == cables) || !none.all().empty()) std::abort();
  });
}
