#pragma once

#include <cstdint>

#include "base/ids.h"

namespace rch::hw {

/// What the M_Keys of a fabric are made of (`m_key`, `key_mgr_seed`, `m_key_per_port`).
struct KeySource {
  std::uint64_t m_key = 0;  ///< 0: no port has an M_Key
  std::uint64_t seed = 0;
  bool per_port = false;  ///< each agent has a key of its own; else all have `m_key`

  friend bool operator==(const KeySource&, const KeySource&) = default;
};

/// The M_Key of an agent: of a switch by its node GUID, of another port by its port GUID. Who knows keys of
/// some agents learns nothing of the others from them: SipHash-2-4 of the GUID, by `m_key` and `seed`.
std::uint64_t key_of(const KeySource& source, Guid agent);

}  // namespace rch::hw
