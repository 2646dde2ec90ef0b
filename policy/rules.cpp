#include "policy/rules.h"

#include <initializer_list>

#include "fabric/rules.h"
#include "parsers/enhanced_qos/rules.h"
#include "parsers/ibnl/rules.h"
#include "parsers/partitions/rules.h"
#include "parsers/qos_policy/rules.h"
#include "parsers/rch_yaml/rules.h"
#include "parsers/rules.h"
#include "parsers/side_files/rules.h"
#include "parsers/topo/rules.h"
#include "policy/bind/rules.h"
#include "policy/chain/rules.h"
#include "policy/enhanced_qos/rules.h"
#include "policy/groups/rules.h"
#include "policy/options/rules.h"
#include "policy/partitions/rules.h"
#include "policy/qos/rules.h"
#include "policy/rch_file/rules.h"
#include "policy/side_files/rules.h"
#include "policy/topologies/rules.h"
#include "policy/torus/rules.h"

namespace rch::policy {

std::span<const Rule* const> rules() {
  static const std::vector<const Rule*> all = [] {
    std::vector<const Rule*> joined;
    for (const std::span<const Rule* const> some :
         {std::span<const Rule* const>(parsers::kRules),
          std::span<const Rule* const>(parsers::partitions::kRules),
          std::span<const Rule* const>(partitions::kRules),
          std::span<const Rule* const>(parsers::qos_policy::kRules),
          std::span<const Rule* const>(parsers::enhanced_qos::kRules),
          std::span<const Rule* const>(qos::kRules),
          std::span<const Rule* const>(enhanced_qos::kRules),
          std::span<const Rule* const>(parsers::ibnl::kRules),
          std::span<const Rule* const>(parsers::topo::kRules),
          std::span<const Rule* const>(parsers::rch_yaml::kRules),
          std::span<const Rule* const>(parsers::side_files::kRules),
          std::span<const Rule* const>(side_files::kRules),
          std::span<const Rule* const>(kFileRules),
          std::span<const Rule* const>(kOptionRules),
          std::span<const Rule* const>(kChainRules),
          std::span<const Rule* const>(kGroupRules),
          std::span<const Rule* const>(kTopologyRules),
          std::span<const Rule* const>(kTorusRules),
          std::span<const Rule* const>(kBindRules),
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
