#include "policy/lint/rules.h"

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
#include "parsers/topo_config/rules.h"
#include "policy/lint/rules/bind.h"
#include "policy/lint/rules/chain.h"
#include "policy/lint/rules/compat.h"
#include "policy/lint/rules/enhanced_qos.h"
#include "policy/lint/rules/groups.h"
#include "policy/lint/rules/options.h"
#include "policy/lint/rules/partitions.h"
#include "policy/lint/rules/qos.h"
#include "policy/lint/rules/rch_file.h"
#include "policy/lint/rules/side_files.h"
#include "policy/lint/rules/topologies.h"
#include "policy/lint/rules/torus.h"

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
          std::span<const Rule* const>(parsers::topo_config::kRules),
          std::span<const Rule* const>(parsers::rch_yaml::kRules),
          std::span<const Rule* const>(parsers::side_files::kRules),
          std::span<const Rule* const>(side_files::kRules),
          std::span<const Rule* const>(kFileRules),
          std::span<const Rule* const>(kOptionRules),
          std::span<const Rule* const>(kCompatRules),
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
