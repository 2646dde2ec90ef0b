#include "policy/build/chain/engine_options.h"

#include <algorithm>
#include <iterator>

namespace rch::policy {

bool reads(std::string_view engine, std::string_view key) {
  const auto option = std::find_if(std::begin(kEngineOptions), std::end(kEngineOptions),
                                   [&](const EngineOption& o) { return o.key == key; });
  if (option == std::end(kEngineOptions)) return true;
  for (std::string_view rest = option->engines; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word == engine) return true;
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  return false;
}

}  // namespace rch::policy
