// Files with tables of other programs, put onto a small fabric and judged.

#include "dumps/judgement.h"
#include "parser_target.h"
#include "support/small_fabrics.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  static const fabric::Fabric fabric = test::build(test::clos(2, 2, 2));
  return try_parser(data, size, [&](SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
    // Only the name of a file tells that it may be one of these.
    if (dumps::has_port_tables(sources.at(source).text())) {
      Diagnostics told;
      if (dumps::read_pkeys(sources, source, told).has_value() == told.has_errors()) std::abort();
    }
    const auto file = dumps::read(sources, source, diagnostics);
    if (file.has_value() == diagnostics.has_errors()) std::abort();
    if (!file) return;
    const auto observed = dumps::observe(fabric, std::span(&*file, 1), diagnostics);
    if (observed.has_value() == diagnostics.has_errors()) std::abort();
    if (observed && dumps::judge(*observed).proven()) std::abort();  // one file never tells everything
  });
}
