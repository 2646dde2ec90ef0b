#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sa/snapshot.h"

namespace rch::sa {

/// What holds along the whole way from one port to another.
struct PathTraits {
  std::uint8_t mtu = 0;           ///< code; 0: no link tells
  std::uint8_t rate = 0;          ///< code; likewise
  std::uint16_t usable = 0xFFFF;  ///< service levels, by bit, that no port on the way puts on VL 15

  friend bool operator==(const PathTraits&, const PathTraits&) = default;
};

/// Ports by which a packet enters and leaves a switch.
struct PathHop {
  PortId in, out;
};

/// Follows the installed tables from an end port. Nothing if they do not lead to the owner of `to`.
std::optional<PathTraits> walk(const Snapshot& snapshot, PortId from, Lid to);

/// The two ways between ports, each given with its LID. As two walks, but memory answers both at a time.
struct BothWays {
  std::optional<PathTraits> there, back;
};
BothWays walk_both(const Snapshot& snapshot, std::pair<PortId, Lid> from, std::pair<PortId, Lid> to);

/// walk() from many ports to one LID: what holds from a switch on is found once.
class WaysTo {
 public:
  /// `snapshot` must outlive it.
  WaysTo(const Snapshot& snapshot, Lid to);

  Lid lid() const { return to_; }
  std::optional<PathTraits> from(PortId port);

 private:
  /// From the port on by which packets leave a switch. What its SL2VL maps drop depends on where they enter.
  struct Rest {
    PathTraits path;
    std::uint8_t hops = 0;  ///< switches on the way; 0: not known
    PortId out;
  };
  bool is_known(SwitchId sw) const { return !sw.is_none() && rests_[sw.index()].hops != 0; }

  const Snapshot& snapshot_;
  Lid to_;
  std::vector<Rest> rests_;  ///< by SwitchId
  std::vector<std::pair<SwitchId, PathHop>> passed_;
};

/// The ways between one port and many others. Those from it are walked side by side, so that memory answers
/// many at a time; those back to it go by WaysTo.
class ManyWays {
 public:
  /// `snapshot` must outlive it.
  ManyWays(const Snapshot& snapshot, PortId port) : snapshot_(snapshot), port_(port) {}

  /// Walks to these LIDs, which to() will be asked for next.
  void look_ahead(std::span<const Lid> to);
  std::optional<PathTraits> to(Lid lid);
  /// `own`: a LID of the port.
  std::optional<PathTraits> back(PortId from, Lid own);

 private:
  const Snapshot& snapshot_;
  PortId port_;
  std::vector<std::pair<Lid, std::optional<PathTraits>>> ahead_;
  std::size_t last_ = 0;  ///< of `ahead_`, that was asked for
  std::vector<WaysTo> back_;
};

/// The switches on the way. Nothing if the tables do not lead to the owner of `to`.
std::optional<std::vector<PathHop>> trace(const Snapshot& snapshot, PortId from, Lid to);

}  // namespace rch::sa
