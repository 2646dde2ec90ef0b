#pragma once

#include <memory>
#include <vector>

#include "chains/plan.h"
#include "policy/model/qos_policy.h"

namespace rch::sa {

/// The ports of a plan as its QoS policy tells them apart.
class QosPorts {
 public:
  /// Null if the plan has no QoS policy that is in use.
  static std::shared_ptr<const QosPorts> of(const chains::Plan& plan, PortId sm);

  /// The level that a path from one end port to another gets.
  const policy::qos::Level& level(PortId from, PortId to, std::optional<std::uint64_t> service_id,
                                  std::optional<std::uint16_t> qos_class,
                                  std::optional<std::uint16_t> pkey) const;

 private:
  QosPorts(const chains::Plan& plan, PortId sm);
  policy::qos::Port port(PortId id) const;

  std::shared_ptr<const policy::BoundPolicy> bound_;
  PortId sm_;
  std::vector<std::vector<policy::GroupId>> groups_;  ///< by PortId
  std::vector<std::vector<std::uint16_t>> pkeys_;     ///< likewise; 15 bits, ascending
};

}  // namespace rch::sa
