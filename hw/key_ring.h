#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "hw/smp.h"

namespace rch::hw {

/// The M_Keys that agents may hold, and which of them each agent holds (sm-sa 1.5).
///
/// Key 0 is the one of the configuration, the others are former ones, newest first. An agent without a key
/// takes every request, so 0 needs no place among them.
class KeyRing {
 public:
  /// Former keys beyond these are forgotten: every silent port is asked with each key.
  static constexpr std::size_t kMostKeys = 4;

  KeyRing(std::uint64_t own, std::span<const std::uint64_t> former);

  std::size_t size() const { return keys_.size(); }
  std::uint64_t at(std::size_t index) const { return keys_[index]; }
  std::size_t after(std::size_t index) const { return (index + 1) % keys_.size(); }
  /// The key to begin with.
  std::size_t first_for(const Address& to) const;
  /// Notes what a good answer to a request with a key tells of the agent.
  void learn(const SmpRequest& request, const SmpAnswer& answer, std::size_t used);
  /// A Set was not answered, whatever the key.
  void note_refusal(const Address& to) { refusing_.insert(text_of(to)); }
  /// True if PortInfo shows an M_Key that is not known, or hides one although Sets had each key.
  bool is_foreign(const SmpRequest& request, const SmpAnswer& answer) const;

 private:
  using AddressText = std::vector<std::uint8_t>;  ///< the hops, or both bytes of the LID and one more

  static AddressText text_of(const Address& to);
  std::size_t find(std::uint64_t key) const;

  std::vector<std::uint64_t> keys_;
  std::map<AddressText, std::size_t> former_of_;  ///< of agents that hold a former key
  std::set<AddressText> refusing_;
};

/// True if the answer to Get(PortInfo) may hide an M_Key, because the request had another one.
bool hides_key(const SmpRequest& request, const SmpAnswer& answer);

}  // namespace rch::hw
