// A snapshot without the checksum at its end, which is what its bytes should have.

#include <cstddef>
#include <cstdint>
#include <string>

#include <xxhash.h>

#include "fabric_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  const XXH64_hash_t hash = XXH3_64bits(bytes.data(), bytes.size());
  for (std::size_t i = 0; i < sizeof hash; ++i) bytes += static_cast<char>(hash >> (8 * i) & 0xFF);
  if (const auto fabric = rch::fabric::read_snapshot(bytes)) rch::use(*fabric);
  return 0;
}
