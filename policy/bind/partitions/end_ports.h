#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "policy/bind/partitions/layout.h"

namespace rch::policy::partitions {

/// The ports that can be members of partitions, by dense index: CA and router ports with a link, and ports 0
/// of switches.
class EndPorts {
 public:
  explicit EndPorts(const Place& place);

  std::size_t size() const { return ports_.size(); }
  PortId port(std::uint32_t index) const { return ports_[index]; }
  std::vector<PortId> take() { return std::move(ports_); }

  /// The place of a port; a port of a switch stands for its port 0.
  std::optional<std::uint32_t> find(PortId port) const;
  std::optional<std::uint32_t> find(Guid guid) const;
  std::optional<std::uint32_t> sm() const { return place_.sm.is_none() ? std::nullopt : find(place_.sm); }
  /// Calls f(index) for every port that an item stands for.
  void for_each(const Member& member, const std::function<void(std::uint32_t)>& f) const;

 private:
  bool is_end_port(PortId id) const;
  void for_each_of(std::optional<fabric::NodeType> type, const std::function<void(std::uint32_t)>& f) const;

  const Place& place_;
  const fabric::Fabric& fabric_;
  std::vector<PortId> ports_;
  std::vector<std::uint32_t> index_;  ///< by PortId
};

/// What a partition means for each end port. Serves one partition after the other.
class Shares {
 public:
  explicit Shares(const EndPorts& ends) : ends_(ends), shares_(ends.size()) {}

  struct Share {
    std::uint8_t membership = 0;     ///< a Membership; 0: no member
    const Member* index0 = nullptr;  ///< the item that wants the P_Key at index 0
  };

  void apply(const Partition& partition);
  std::span<const std::uint32_t> members() const { return members_; }
  const Share& of(std::uint32_t port) const { return shares_[port]; }

 private:
  const EndPorts& ends_;
  std::vector<Share> shares_;
  std::vector<std::uint32_t> members_;
};

}  // namespace rch::policy::partitions
