#include "engines/common/failure.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace rch::engines::common {

tl::unexpected<EngineFailure> refuse(std::string_view rule, std::string message, std::vector<Guid> guids) {
  return tl::unexpected<EngineFailure>(
      EngineFailure{std::string(rule), std::move(message), std::move(guids)});
}

std::string title(const fabric::SubFabric& view, SwitchId sw) {
  const fabric::Node& node = view.node(sw);
  return fmt::format("`{}` ({})", node.name(), node.guid);
}

std::string list_some(std::span<const std::string> items, std::string_view separator) {
  constexpr std::size_t kShown = 8;
  const std::size_t shown = std::min(items.size(), kShown);
  std::string text = fmt::format("{}", fmt::join(items.first(shown), separator));
  if (shown < items.size())
    fmt::format_to(std::back_inserter(text), "{}and {} more", separator, items.size() - shown);
  return text;
}

}  // namespace rch::engines::common
