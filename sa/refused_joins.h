#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/ids.h"
#include "fabric/fabric.h"
#include "sa/gid.h"

namespace rch::sa {

/// A port may not join a multicast group.
struct JoinRefused {
  Guid port;  ///< that joins
  Gid mgid;
  std::string why;
};

/// Which refusals are news: hosts go on asking. Of each port that asks, so many groups are told of.
class RefusedJoins {
 public:
  static constexpr std::size_t kMost = 16;

  /// True unless `asking` was refused the same for the same reason before.
  bool is_news(Guid asking, const JoinRefused& refused);
  /// The port has joined: the next refusal is news.
  void forget(Guid asking, Guid port, const Gid& mgid);
  /// Ports that are not in `fabric` are forgotten.
  void follow(const fabric::Fabric& fabric);

 private:
  using Refused = std::map<std::pair<Guid, Gid>, std::string>;  ///< why, by port and group
  std::map<Guid, Refused> known_;                               ///< by the port that asked
};

}  // namespace rch::sa
