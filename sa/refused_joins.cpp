#include "sa/refused_joins.h"

namespace rch::sa {

bool RefusedJoins::is_news(Guid asking, const JoinRefused& refused) {
  Refused& of_port = known_[asking];
  const std::pair key{refused.port, refused.mgid};
  const auto before = of_port.find(key);
  if (before == of_port.end() && of_port.size() >= kMost) return false;
  if (before != of_port.end() && before->second == refused.why) return false;
  of_port[key] = refused.why;
  return true;
}

void RefusedJoins::forget(Guid asking, Guid port, const Gid& mgid) {
  if (const auto of_port = known_.find(asking); of_port != known_.end()) of_port->second.erase({port, mgid});
}

void RefusedJoins::follow(const fabric::Fabric& fabric) {
  std::erase_if(known_, [&](const auto& entry) { return !fabric.find_port(entry.first); });
}

}  // namespace rch::sa
