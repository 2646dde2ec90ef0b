#include "base/ids.h"

#include <string>

namespace rch::detail {

fmt::format_context::iterator format_id(std::uint64_t value, fmt::string_view spec,
                                        fmt::format_context& ctx) {
  if (spec.size() == 0) return fmt::format_to(ctx.out(), "{}", value);
  const std::string pattern = "{:" + std::string(spec.data(), spec.size()) + "}";
  return fmt::vformat_to(ctx.out(), pattern, fmt::make_format_args(value));
}

fmt::format_context::iterator format_guid(std::uint64_t value, fmt::format_context& ctx) {
  return fmt::format_to(ctx.out(), "0x{:016x}", value);
}

}  // namespace rch::detail
