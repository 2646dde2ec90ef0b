// Any bytes may be given as a recording, and as the records in it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "fabric_target.h"
#include "record/recording.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch::record;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (auto reader = RecordReader::open(std::make_unique<std::istringstream>(bytes)))
    while (reader->next()) {
    }
  std::string_view left = bytes;
  while (!left.empty()) {
    const std::string_view before = left;
    const auto record = decode(left);
    if (!record) break;
    std::string again;
    encode(*record, again);
    std::string_view rest = again;
    rch::require(decode(rest).has_value() && rest.empty());
    rch::require(left.size() < before.size());
  }
  return 0;
}
