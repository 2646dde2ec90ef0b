// What a plan file holds inside its zstd frame, with the checksums that it should have. What is read can be
// proven, and written so that it reads back the same.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include <xxhash.h>
#include <zstd.h>

#include "chains/plan_file.h"
#include "fabric_target.h"

namespace {

/// Gives the snapshot behind the description its checksum.
void sign_snapshot(std::string& content) {
  const auto size_at = [&](std::size_t at) {
    std::uint64_t size = 0;
    if (at + sizeof size <= content.size()) std::memcpy(&size, content.data() + at, sizeof size);
    return size;
  };
  const std::uint64_t meta = size_at(0);
  if (meta > content.size()) return;
  const std::uint64_t begin = meta + 16, size = size_at(meta + 8);
  if (size < sizeof(XXH64_hash_t) || size > content.size() || begin + size > content.size()) return;
  const std::uint64_t covered = size - sizeof(XXH64_hash_t);
  const XXH64_hash_t hash = XXH3_64bits(content.data() + begin, covered);
  std::memcpy(content.data() + begin + covered, &hash, sizeof hash);
}

std::string plan_file(const std::string& content) {
  const std::uint32_t version = rch::chains::kPlanVersion;
  std::string file = "rch-plan";
  file.append(reinterpret_cast<const char*>(&version), sizeof version);
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 1));
  file += frame;
  XXH128_canonical_t sum;
  XXH128_canonicalFromHash(&sum, XXH3_128bits(file.data(), file.size()));
  return file.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string content(reinterpret_cast<const char*>(data), size);
  sign_snapshot(content);
  const auto plan = rch::chains::decode_plan(plan_file(content));
  if (!plan) return 0;
  const std::string written = rch::chains::encode_plan(*plan);
  const auto again = rch::chains::decode_plan(written);
  rch::require(again.has_value() && rch::chains::encode_plan(*again) == written);
  (void)rch::chains::prove_again(*plan, *plan->fabric, {});
  return 0;
}
