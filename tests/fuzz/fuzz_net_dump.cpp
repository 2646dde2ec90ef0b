// Any bytes may be given as ibdiagnet's net_dump: the reader reports or reads them.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fabric_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add("input", std::string(reinterpret_cast<const char*>(data), size));
  const auto fabric = fabric::read_net_dump(sources, source, diagnostics);
  require(fabric.has_value() != diagnostics.has_errors());
  for (const Diagnostic& d : diagnostics.all()) require(!render(d, sources).empty());
  if (fabric) use(*fabric);
  return 0;
}
