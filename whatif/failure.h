#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::whatif {

/// Parts of a fabric that fail together, in its ids; or another configuration of the whole fabric.
struct Failure {
  std::vector<PortId> cables;   ///< one end of each
  std::vector<NodeId> nodes;    ///< switches, channel adapters and routers
  std::string configuration{};  ///< name of an Alternative of the judge; empty: parts fail

  friend bool operator==(const Failure&, const Failure&) = default;
};

/// Which parts of one kind fail: all, or so many of them that are drawn.
struct Draw {
  std::optional<std::uint64_t> count;  ///< none: all
};

/// The failures of one study, a case for each. Cases stand in the order of these members. Drawn parts are
/// ordered as the fabric lists them.
struct FailureRequest {
  std::optional<Draw> links{};                ///< single cables between switches
  std::vector<Failure> listed{};              ///< named by the operator
  std::optional<Draw> switches{};             ///< single switches
  std::optional<Draw> pairs{};                ///< two cables between switches at once; `count` must be set
  std::optional<Draw> hosts{};                ///< single channel adapters and routers that hang on switches
  std::vector<std::string> configurations{};  ///< names of Alternatives
  std::uint64_t seed = 1;                     ///< of what is drawn
};

/// Fails (usage) where more is to be drawn than there is.
Result<std::vector<Failure>> failures(const fabric::Fabric& fabric, const FailureRequest& request);

/// The cables of one line of a file: `A:B` names all cables between two nodes, `A[3]` the one at a port.
/// Fails (usage) where there is none.
Result<Failure> named_cables(const fabric::Fabric& fabric, std::string_view name);

/// ``cable `a`[3] - `b`[1] and switch `c` (0x…)``.
std::string describe(const fabric::Fabric& fabric, const Failure& failure);

}  // namespace rch::whatif
