#include "conformance/protocol.h"

#include <fmt/format.h>

namespace rch::conformance {

std::string name_of_status(std::uint16_t code) {
  struct Name {
    std::uint16_t code;
    std::string_view name;
  };
  static constexpr Name kNames[] = {{status::kGood, "good"},
                                    {0x0001, "busy"},
                                    {0x0004, "unsupported version"},
                                    {0x0008, "unsupported method"},
                                    {status::kUnsupported, "unsupported method and attribute"},
                                    {0x001C, "invalid value"},
                                    {0x0100, "no resources"},
                                    {status::kRequestInvalid, "request invalid"},
                                    {status::kNoRecords, "no records"},
                                    {status::kTooManyRecords, "too many records"},
                                    {status::kInvalidGid, "invalid GID"},
                                    {status::kInsufficientComponents, "insufficient components"},
                                    {status::kDenied, "request denied"}};
  for (const Name& known : kNames)
    if (known.code == code) return fmt::format("0x{:04x} {}", code, known.name);
  return fmt::format("0x{:04x}", code);
}

Gid make_gid(std::uint64_t high, std::uint64_t low) {
  Gid gid{};
  hw::set(gid, {0, 0, 64}, high);
  hw::set(gid, {8, 0, 64}, low);
  return gid;
}

std::string text_of(const Gid& gid) {
  std::string text;
  for (std::uint16_t at = 0; at < gid.size(); at = static_cast<std::uint16_t>(at + 2))
    text += fmt::format("{}{:x}", at == 0 ? "" : ":", hw::get(gid, {at, 0, 16}));
  return text;
}

}  // namespace rch::conformance
