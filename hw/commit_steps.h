#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fabric/block_writes.h"
#include "hw/image.h"
#include "hw/mastership.h"
#include "hw/preparation.h"

namespace rch::hw {

/// What a commit carries out. Keeps references.
struct CommitInput {
  const LiveFabric& live;
  const fabric::RoutingTables& tables;
  const Preparation& preparation;
  std::span<const fabric::WriteRound> rounds;
  const SubnetOptions& options;
  Mastership* mastership = nullptr;       ///< looked after before each step that writes; null: not at all
  std::optional<TimePoint> drained_at{};  ///< CommitOptions::drained_at
};

/// Attributes that are written or asked for together, in any order.
struct CommitStep {
  enum class Kind : std::uint8_t { set, write, expect, settle, drain };  ///< `write` sets and reads back

  std::string_view name;
  Kind kind;
  std::size_t count = 0;                      ///< attributes
  std::function<Image(std::size_t)> image{};  ///< by index below `count`
  Milliseconds span{};                        ///< of a drain
  std::optional<TimePoint> until{};           ///< of a drain that began earlier; none: `span` counts
  bool names_us = false;                      ///< our port names us as its SM after it
  bool may_end = false;                       ///< the fabric may be left as it is before this step
};

/// What a commit does, in the order of OpenSM's osm_state_mgr.c, with four differences. Multicast entries
/// that go are removed first, so that none of them stands beside paths that it was not proven with.
/// LinearFDBTop rises once the blocks below it are written, because what is left over there would come into
/// effect unproven. Switch ports get their parameters and become ARMED in one Set. Links become active last,
/// so that no packet meets an empty table; but before the tables where all of them join switches that forward
/// already.
class CommitSteps {
 public:
  /// Keeps references to what the input refers to.
  explicit CommitSteps(const CommitInput& input);
  CommitSteps(const CommitSteps&) = delete;
  CommitSteps& operator=(const CommitSteps&) = delete;

  std::span<const CommitStep> list() const { return steps_; }
  std::size_t size() const { return steps_.size(); }
  const CommitStep& operator[](std::size_t step) const { return steps_[step]; }

 private:
  void add_set(std::string_view name, const std::vector<Image>& images,
               CommitStep::Kind kind = CommitStep::Kind::set);
  void add_drain(const SubnetOptions& options);
  void add_rest_of_drain(const CommitInput& input);
  void add_sl2vl(const CommitInput& input);
  void add_blocks(std::string_view name, std::vector<const fabric::BlockWrite*> writes);
  void add_tops(const Preparation& plan, std::vector<const fabric::BlockWrite*>& first_round);
  void add_rounds(const CommitInput& input, bool activates);
  void add_activation(const PortPlan& ports);

  const LiveFabric& live_;
  /// What no round writes before the tops rise.
  std::vector<fabric::BlockWrite> cleared_;
  std::vector<CommitStep> steps_;
};

/// Blocks of forwarding tables that the steps write.
std::size_t count_blocks(const Preparation& preparation, std::span<const fabric::WriteRound> rounds);

/// How long a packet can stay in a switch.
Milliseconds packet_life_time(const SubnetOptions& options);

}  // namespace rch::hw
