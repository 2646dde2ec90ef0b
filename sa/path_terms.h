#pragma once

#include <vector>

#include "sa/gid.h"
#include "sa/path_request.h"

namespace rch::sa {

/// What a PathRecord says; codes of MTU, rate and life.
struct PathTerms {
  Gid source{}, destination{};
  Lid slid{}, dlid{};
  std::uint8_t preference = 0;
  std::uint16_t pkey = 0;
  std::uint8_t sl = 0, mtu = 0, rate = 0, life = 0;
  bool reversible = false;
  std::uint8_t hop_limit = 0, traffic_class = 0;
  std::uint32_t flow_label = 0;
};

/// Appends the record. What the path does not determine is as `wish` has it.
void append_path(const PathTerms& terms, const PathWish& wish, std::vector<std::uint8_t>& records);

}  // namespace rch::sa
