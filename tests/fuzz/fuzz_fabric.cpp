// Any bytes may be given as a fabric file: the readers report or read them, and what they read can be
// written, read back and planned for.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "fabric_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add("input", std::string(reinterpret_cast<const char*>(data), size));
  const auto fabric = fabric::read_fabric(sources, source, diagnostics);
  require(fabric.has_value() != diagnostics.has_errors());
  for (const Diagnostic& d : diagnostics.all()) require(!render(d, sources).empty());
  if (!fabric) return 0;

  use(*fabric);
  std::ostringstream text;
  fabric::write_ibnetdiscover(*fabric, text);
  Diagnostics again;
  const auto back = fabric::read_ibnetdiscover(sources, sources.add("again", text.str()), again);
  // The text cannot say the GUIDs of unlinked CA ports, whose defaults may then clash.
  require(back.has_value() ? back->graph().link_ends() == fabric->graph().link_ends() : again.has_errors());
  return 0;
}
