#pragma once

#include <vector>

#include "verify/adaptive/choices.h"
#include "verify/columns.h"

namespace rch::verify {

/// Destinations of one switch to which all other switches have the same choices, and to which packets of a
/// source have the same service level.
struct AlikeDestinations {
  std::vector<Destination> members;  ///< ascending LID
  bool proper = true;  ///< their switch hands them over, and has no other choice; else one member

  SwitchId sw() const { return members.front().owner.sw; }
  Lid lid() const { return members.front().lid; }
};

/// All `destinations`, which are in the order of destinations(). Sorted by switch, then lowest LID.
std::vector<AlikeDestinations> alike(const Context& context, const Choices& choices,
                                     std::span<const Destination> destinations);

}  // namespace rch::verify
