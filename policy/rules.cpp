#include "policy/rules.h"

#include <initializer_list>

#include "fabric/rules.h"
#include "parsers/ibnl/rules.h"
#include "parsers/partitions/rules.h"
#include "parsers/rch_yaml/rules.h"
#include "parsers/rules.h"
#include "parsers/topo/rules.h"
#include "policy/partitions/rules.h"
#include "policy/rch_file/rules.h"

namespace rch::policy {

std::span<const Rule* const> rules() {
  static const std::vector<const Rule*> all = [] {
    std::vector<const Rule*> joined;
    for (const std::span<const Rule* const> some :
         {std::span<const Rule* const>(parsers::kRules), std::span<const Rule* const>(parsers::ibnl::kRules),
          std::span<const Rule* const>(parsers::topo::kRules),
          std::span<const Rule* const>(parsers::partitions::kRules),
          std::span<const Rule* const>(partitions::kRules),
          std::span<const Rule* const>(parsers::rch_yaml::kRules), std::span<const Rule* const>(kRules),
          std::span<const Rule* const>(rch_file::kRules)})
      joined.insert(joined.end(), some.begin(), some.end());
    return joined;
  }();
  return all;
}

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> joined(fabric::rules().begin(), fabric::rules().end());
  joined.insert(joined.end(), rules().begin(), rules().end());
  return joined;
}

}  // namespace rch::policy
