// Any line may come in on the control socket, and any text may be the request of a recording. What is read is
// written so that it reads back as the same.

#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/request.h"
#include "fabric_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto recorded = cli::recorded_request_of(text)) {
    const std::string again = cli::recording_text(*recorded);
    require(cli::recording_text(cli::recorded_request_of(again).value()) == again);
  }
  const auto request = cli::request_of(text);
  if (!request) {
    require(!request.error().message.empty());
    return 0;
  }
  const std::string written = cli::to_json(*request).dump();
  require(cli::to_json(cli::request_of(written).value()).dump() == written);
  return 0;
}
