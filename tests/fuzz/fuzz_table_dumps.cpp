// The first byte tells which dump the rest is: even for forwarding tables, odd for hop counts.

#include "fabric/table_dumps.h"
#include "parser_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  if (size == 0) return 0;
  const bool lfts = data[0] % 2 == 0;
  return try_parser(data + 1, size - 1, [&](SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
    const bool read = lfts ? fabric::read_lft_dump(sources, source, diagnostics).has_value()
                           : fabric::read_hop_dump(sources, source, diagnostics).has_value();
    if (read == diagnostics.has_errors()) std::abort();
  });
}
