#include "policy/bind/given_names.h"

namespace rch::policy {

fabric::NodeNames given_names(const Policy& policy) {
  fabric::NodeNames names;
  for (const NodeName& name : policy.files.node_names) names.emplace(name.node, name.name);
  return names;
}

}  // namespace rch::policy
