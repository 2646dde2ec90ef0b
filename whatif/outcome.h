#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rch::whatif {

/// By which steps of the chain a damaged fabric is routed.
enum class Routing : std::uint8_t {
  as_before,  ///< by the steps that route the whole fabric
  otherwise,  ///< by fallbacks, or without a step, that the whole fabric does not need
  none,       ///< no plan: no engine routes, or the policy does not fit
};

/// What one case comes to. Holds no ids of a fabric: shards of a study are put together from files.
struct Outcome {
  std::uint64_t number = 0;  ///< of the case, from 0
  std::string failure{};     ///< the parts that fail, as describe() names them
  std::uint64_t parts = 0;   ///< how many
  Routing routing = Routing::as_before;
  std::string steps{};   ///< that routed: `1 torus-2QoS, 2 minhop`; empty without a plan
  std::string reason{};  ///< unless as before: why, in the words of the engine or of the policy
  std::vector<std::string> findings{};  ///< that forbid the plan, by name
  std::string finding{};                ///< the first of them in words
  bool manager_cut_off = false;         ///< the subnet manager's port is not in the part that stays

  std::uint64_t cut_off = 0;         ///< host ports without a cable to the part that stays
  std::uint64_t cut_off_beyond = 0;  ///< of these, those that hang on no part that fails
  std::uint64_t lost_pairs = 0;      ///< of hosts in that part: without a path by the new tables
  std::uint64_t entries = 0;         ///< of forwarding tables that change
  std::uint64_t rounds = 0;          ///< of the update
  std::uint64_t drained = 0;   ///< LIDs without a path for a packet lifetime, or for some, in the update
  bool stops_traffic = false;  ///< the update is unsafe while traffic flows
  std::uint64_t sl_hosts = 0;  ///< host ports that must ask for path records again
  std::uint64_t sl_pairs = 0;  ///< of hosts whose service level changes
  std::uint64_t fullest = 0;   ///< pairs of hosts on the fullest link between switches
  std::uint64_t waiting_groups = 0;  ///< multicast groups without a tree

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// The failure takes more with it than what hangs on the failed parts, or needs more than the chain does for
/// the whole fabric: another step or no plan, a forbidden plan, lost pairs, hosts that are cut off although
/// nothing that they hang on failed, or an update that stops traffic.
bool breaks(const Outcome& outcome);

/// A single part whose failure cuts off what does not hang on it, or leaves hosts without a path.
bool is_single_point(const Outcome& outcome);

/// True if `a` is the worse one; of equal ones the lower number.
bool is_worse(const Outcome& a, const Outcome& b);

/// Why the case breaks something, as one line; empty if it does not.
std::string what_breaks(const Outcome& outcome);

}  // namespace rch::whatif
