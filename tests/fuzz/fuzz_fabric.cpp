// Any bytes may be given as a fabric file: the readers report or read them, and what they read can be
// written, read back and planned for.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include <xxhash.h>

#include "fabric/formats.h"
#include "fabric/lids.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

/// Gives a snapshot the checksum that its bytes should have, so that the fuzzer gets behind it.
std::string with_checksum(std::string text) {
  if (rch::fabric::recognise(text) != rch::fabric::Format::snapshot || text.size() < 32) return text;
  const std::size_t covered = text.size() - sizeof(XXH64_hash_t);
  const XXH64_hash_t hash = XXH3_64bits(text.data(), covered);
  for (std::size_t i = 0; i < sizeof(hash); ++i)
    text[covered + i] = static_cast<char>(hash >> (8 * i) & 0xFF);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source =
      sources.add("input", with_checksum(std::string(reinterpret_cast<const char*>(data), size)));
  const auto fabric = fabric::read_fabric(sources, source, diagnostics);
  require(fabric.has_value() != diagnostics.has_errors());
  for (const Diagnostic& d : diagnostics.all()) require(!render(d, sources).empty());
  if (!fabric) return 0;

  const auto copy = fabric::read_snapshot(fabric::write_snapshot(*fabric));
  require(copy.has_value() && copy->fingerprint() == fabric->fingerprint());
  std::ostringstream text;
  fabric::write_ibnetdiscover(*fabric, text);
  Diagnostics again;
  const auto back = fabric::read_ibnetdiscover(sources, sources.add("again", text.str()), again);
  // The text cannot say the GUIDs of unlinked CA ports, whose defaults may then clash.
  require(back.has_value() ? back->graph().link_ends() == fabric->graph().link_ends() : again.has_errors());
  (void)fabric::plan_lids(*fabric, {.lmc = 2});
  return 0;
}
