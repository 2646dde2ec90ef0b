#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "fabric/fabric.h"

namespace rch::fabric {

/// One end of a cable: the GUID of the agent there, and the port. The agent of a switch has the node GUID,
/// that of another port the port GUID.
struct CableEnd {
  Guid agent;
  PortNum port;

  friend auto operator<=>(const CableEnd&, const CableEnd&) = default;
};

/// Which agent is behind which port, as it was seen last: OpenSM's file `neighbors` (OpenSM's osm_db.c). Who
/// knows it knows whose M_Key an agent wants that does not say who it is.
class CableMap {
 public:
  /// The far end; null if there is none.
  const CableEnd* behind(const CableEnd& near) const;
  /// Takes what was at either end before out. Returns true if something changed.
  bool add(const CableEnd& a, const CableEnd& b);
  /// Adds all cables of a fabric.
  void add(const Fabric& fabric);
  /// Both ends of each, in the order of GUIDs and ports.
  std::vector<std::pair<CableEnd, CableEnd>> all() const;
  /// Changes so far.
  std::uint64_t version() const { return version_; }

  friend bool operator==(const CableMap& a, const CableMap& b) { return a.all() == b.all(); }

 private:
  struct Hash {
    std::size_t operator()(const CableEnd& end) const noexcept {
      return std::hash<std::uint64_t>{}(end.agent.value * 257 + end.port.value);
    }
  };
  void remove(const CableEnd& end);

  std::unordered_map<CableEnd, CableEnd, Hash> behind_;
  std::uint64_t version_ = 0;
};

/// Reads a file `neighbors`. Lines that cannot be read are warnings in `diagnostics`, all others are kept: of
/// two that contradict each other the last one.
CableMap read_neighbors(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// The text of the file. OpenSM reads it.
std::string write_neighbors(const CableMap& cables);

}  // namespace rch::fabric
