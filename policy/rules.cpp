#include "policy/rules.h"

#include <iterator>
#include <vector>

#include "parsers/rules.h"
#include "policy/front_end.h"

namespace rch::policy {

std::span<const Rule* const> rules() {
  static const std::vector<const Rule*> all = [] {
    std::vector<const Rule*> joined(std::begin(parsers::kRules), std::end(parsers::kRules));
    joined.insert(joined.end(), std::begin(kRules), std::end(kRules));
    return joined;
  }();
  return all;
}

}  // namespace rch::policy
