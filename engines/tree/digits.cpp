#include "engines/tree/digits.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"

// A switch that lacks no up group takes the one that the digit names. Digits are the same for all switches of
// a rank, so they are computed once per destination, and a row is little more than a table look-up.
//
// A switch that lacks up groups keeps to the digits of those that it has, and shares the destinations of the
// missing ones out over them. So a lost or repaired link moves only its own entries.
//
// Parallel links of the selected group take turns. Then they stay balanced whatever the NIDs are, and shifts
// still share no link, because a shift sends to NIDs in sequence.

namespace rch::engines::tree {
namespace {

constexpr std::size_t kMaxUpPaths = std::size_t{1} << 24;  ///< more than there are LIDs: NIDs divide to 0

std::vector<Digit> digits_by_rank(const Tree& tree) {
  std::vector<Digit> digits(tree.max_rank() + std::size_t{1});
  for (SwitchId sw : tree.order())
    if (tree.is_ranked(sw)) {
      Digit& digit = digits[tree.rank(sw)];
      digit.radix = std::max(digit.radix, static_cast<std::uint32_t>(tree.up_groups(sw).size()));
    }
  for (std::size_t rank = tree.leaf_rank(); rank > 0; --rank)
    digits[rank - 1].divider = static_cast<std::uint32_t>(
        std::min(kMaxUpPaths, std::size_t{digits[rank].divider} * digits[rank].radix));
  return digits;
}

/// Next port of a group. A switch above the leaves carries at most one destination of a round, so a round
/// takes one turn.
std::uint8_t next_port(const Candidate& candidate, const Destination& to, std::uint32_t round) {
  const auto& links = candidate.links;
  if (links.size() == 1) return candidate.only_port().value;
  if (!to.compute) return links[round % links.size()].out.value;
  RoundRobin& state = *candidate.round_robin;
  if (state.started == 0 || state.round != round) state = {round, state.started + 1};
  return links[(state.started - 1) % links.size()].out.value;
}

}  // namespace

PortSelection::PortSelection(const Tree& tree, const Destinations& destinations, std::uint32_t rotation)
    : destinations_(destinations),
      rotation_(rotation),
      digits_(digits_by_rank(tree)),
      digit_of_(digits_.size()) {
  parallel_ranges(digits_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t rank = std::max<std::size_t>(begin, 1); rank < end; ++rank)
      for (const Destination& to : destinations.all)
        digit_of_[rank].push_back(
            static_cast<std::uint8_t>(to.nid / digits_[rank].divider % digits_[rank].radix));
  });
}

void PortSelection::select(std::uint8_t rank, std::uint32_t column, bool up, Range range,
                           std::span<const Candidate> candidates, std::uint8_t* row) const {
  const bool parallel_links =
      std::ranges::any_of(candidates, [](const Candidate& c) { return c.links.size() > 1; });
  if (!parallel_links && candidates.size() == 1) {
    const std::uint8_t port = candidates.front().only_port().value;
    const Destination* const destinations = destinations_.all.data();
    for (std::uint32_t d = range.begin; d < range.end; ++d) row[destinations[d].lid.index()] = port;
  } else if (!parallel_links && up && candidates.size() == digits_[rank].radix) {
    select_by_digit(range, rank, candidates, row);
  } else if (parallel_links || !up || !select_around_missing(range, rank, column, candidates, row)) {
    select_modulo(range, digits_[rank].divider, candidates, row);
  }
}

// Stores of bytes may alias any member, so the loops read local variables only.

void PortSelection::select_by_digit(Range range, std::uint8_t rank, std::span<const Candidate> candidates,
                                    std::uint8_t* row) const {
  std::array<std::uint8_t, 256> ports{};
  for (std::size_t i = 0; i < candidates.size(); ++i) ports[i] = candidates[i].only_port().value;
  const Destination* const destinations = destinations_.all.data();
  const std::uint8_t* const digits = digit_of_[rank].data();
  for (std::uint32_t d = range.begin; d < range.end; ++d) row[destinations[d].lid.index()] = ports[digits[d]];
}

/// False, with nothing written, if the candidates have no digits of their own.
bool PortSelection::select_around_missing(Range range, std::uint8_t rank, std::uint32_t column,
                                          std::span<const Candidate> candidates, std::uint8_t* row) const {
  const Digit digit = digits_[rank];
  // In a whole tree so many consecutive switches of a rank are in one sub-tree.
  const std::uint32_t sub_tree = column / digit.divider;
  const std::vector<std::uint8_t>& digits = digit_of_[rank];
  std::array<std::uint8_t, 256> ports{};
  for (const Candidate& candidate : candidates) {
    if (candidate.digit >= digit.radix || ports[candidate.digit] != 0) return false;
    ports[candidate.digit] = candidate.only_port().value;
  }
  const auto count = static_cast<std::uint32_t>(candidates.size());
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const Destination& to = destinations_.all[d];
    std::uint8_t port = ports[digits[d]];
    if (port == 0)
      port = candidates[(to.nid / digit.divider / digit.radix + digits[d] + sub_tree + rotation_) % count]
                 .only_port()
                 .value;
    row[to.lid.index()] = port;
  }
  return true;
}

void PortSelection::select_modulo(Range range, std::uint32_t divider, std::span<const Candidate> candidates,
                                  std::uint8_t* row) const {
  const Destination* const destinations = destinations_.all.data();
  const auto count = static_cast<std::uint32_t>(candidates.size());
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const std::uint32_t quotient = destinations[d].nid / divider;
    row[destinations[d].lid.index()] =
        next_port(candidates[quotient % count], destinations[d], quotient / count);
  }
}

}  // namespace rch::engines::tree
