#pragma once

// Which cables an operator lets take part: those of a list (`topo_config_file`), and none that lead to a
// switch that is held back (`held_back_sw_file`). docs/cables.md says what NVIDIA SM does with these files.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"
#include "fabric/quarantine.h"

namespace rch::fabric {

/// The state that a list gives a port.
enum class ListedState : std::uint8_t { active, disabled, no_discover };
/// As the file has it: `Active`.
std::string_view name_of(ListedState state);

/// One end of a cable. A list may name the port of a CA or router by the GUID of either.
struct CablePort {
  Guid node;
  PortNum port;
  Guid port_guid{};  ///< of a CA or router
};

/// One line of a list.
struct CableEntry {
  Guid node;
  PortNum port;
  Guid peer{};  ///< 0: none is named
  PortNum peer_port{};
  ListedState state = ListedState::active;

  friend bool operator==(const CableEntry&, const CableEntry&) = default;
};

class CablePolicy {
 public:
  /// `entries`: null: there is no list, so every cable may be used. An entry counts for the port that it
  /// names as the peer, too, unless that port has one of its own.
  CablePolicy(std::optional<std::vector<CableEntry>> entries, std::set<Guid> held_back);

  friend bool operator==(const CablePolicy& a, const CablePolicy& b) {
    return a.entries_ == b.entries_ && a.held_back_ == b.held_back_;
  }

  const std::optional<std::vector<CableEntry>>& entries() const { return entries_; }
  const std::set<Guid>& held_back() const { return held_back_; }
  /// The entry that counts for a port; null if it is not listed.
  const CableEntry* find(const CablePort& end) const;

  /// Why nothing behind the port may be asked, as text behind the name of the port; empty: it may.
  std::string bar(const CablePort& near) const;
  /// Why a cable to something that does not tell who it is may not be used, likewise.
  std::string objection_to_unknown(const CablePort& near) const;
  /// Why the cable may not be used, likewise. `spared`: a switch that counts as not held back.
  std::string objection(const CablePort& near, const CablePort& far, Guid spared = {}) const;

 private:
  struct Key {
    Guid guid;
    PortNum port;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::uint64_t>()(key.guid.value * 257 + key.port.value);
    }
  };

  std::optional<std::vector<CableEntry>> entries_;
  std::set<Guid> held_back_;
  std::unordered_map<Key, CableEntry, KeyHash> by_port_;
};

/// A fabric without the cables that may not be used.
struct Admitted {
  Fabric fabric;
  std::vector<Quarantined> left_out;  ///< a cable each
  /// The cable over which the fabric is seen, if it may not be used; it stays.
  std::optional<Quarantined> own_cable;
  std::vector<Guid> absent;  ///< held back, and in no node of the fabric
};

/// Takes out the cables that the policy does not let take part, with all that no other cable joins to the
/// port at which the fabric is seen. Where none is known, the largest part of what was joined stays.
/// Fails (invalid) when the list fits no cable of the fabric.
Result<Admitted> admit(const Fabric& fabric, const CablePolicy& policy);

/// The nodes of a fabric that admit() takes out. Fails as admit() does.
Result<std::vector<NodeId>> taken_out(const Fabric& fabric, const CablePolicy& policy);

/// The reason of a switch that stays although it is held back, as the fabric is seen at it.
inline constexpr std::string_view kIsHeldBack = "is a switch that is held back";

/// The message of admit() when it fails.
inline constexpr std::string_view kListFitsNothing =
    "no cable of the fabric is as `topo_config_file` lists it: the list may be that of another fabric";

}  // namespace rch::fabric
