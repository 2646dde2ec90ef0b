// OpenSM's guid2lid. What was read is written so that it reads back without a finding.

#include "fabric/lid_records.h"
#include "parser_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  return try_parser(data, size, [](SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
    const fabric::LidRecords records = fabric::read_guid2lid(sources, source, diagnostics);
    if (diagnostics.has_errors()) std::abort();
    Diagnostics none;
    const SourceId again = sources.add("written", fabric::write_guid2lid(records));
    if (!(fabric::read_guid2lid(sources, again, none) == records) || !none.all().empty()) std::abort();
  });
}
