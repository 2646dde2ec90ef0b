#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "fabric/cable_map.h"
#include "hw/key_source.h"
#include "hw/smp.h"

namespace rch::hw {

/// Whose M_Keys agents may hold, and how they are known before they are asked.
struct KeyOptions {
  KeySource own{};                  ///< of the configuration: agents are given these keys
  std::vector<KeySource> former{};  ///< that agents may still hold, newest first
  fabric::CableMap cables{};        ///< as they were known last; with keys per port only
  Guid local{};                     ///< our own agent; 0: not known yet
  std::vector<Guid> managers{};     ///< ports of subnet managers: they ask themselves, so no lease runs out
};

/// The M_Keys that agents may hold, and which of them each agent holds (IBA 14.2.4).
///
/// With a key per port the agent must be known before it is asked: one that protects itself answers nobody
/// else. Who it is follows from its route and from the cables as they were seen last. An agent behind a cable
/// that nobody knows may be one that was unplugged elsewhere, or a subnet manager, or one that is known and
/// has another cable that nobody knows. An agent without a key takes every request, so no key stands for it.
/// `m_key` itself is never sent then.
class KeyRing {
 public:
  /// Former sources beyond these are forgotten: every silent port is asked with each key.
  static constexpr std::size_t kMostSources = 4;
  /// Agents of each kind that are looked for behind a cable that nobody knows.
  static constexpr std::size_t kMostUnplugged = 8;

  explicit KeyRing(KeyOptions options);

  const KeySource& own() const { return sources_.front(); }
  const fabric::CableMap& cables() const { return cables_; }
  /// Cables that somebody else saw.
  void know(const fabric::Fabric& fabric);
  /// The keys to try, best first; never none.
  void keys_for(const SmpRequest& request, std::vector<std::uint64_t>& keys) const;
  /// Notes what a good answer to a request with a key tells of the agent.
  void learn(const SmpRequest& request, const SmpAnswer& answer, std::uint64_t used);
  /// A Set was not answered, whatever the key.
  void note_refusal(const Address& to) { refusing_.insert(text_of(to)); }
  /// True if PortInfo shows an M_Key that is not known, or hides one although Sets had each key.
  bool is_foreign(const SmpRequest& request, const SmpAnswer& answer) const;

 private:
  using AddressText = std::vector<std::uint8_t>;  ///< the hops, or both bytes of the LID and one more

  static AddressText text_of(const Address& to);
  void known_keys(const Address& to, std::vector<std::uint64_t>& keys) const;
  std::optional<Guid> agent_at(const Address& to) const;
  std::optional<fabric::CableEnd> end_of(const Route& route) const;
  void learn_key(const SmpRequest& request, const SmpAnswer& answer, std::uint64_t used);
  void learn_node(const Route& route, const SmpAnswer& answer);
  void learn_port(const SmpRequest& request, const SmpAnswer& answer);
  void note_unplugged(Guid agent);
  void append_keys_of_open_ends(const Address& to, std::vector<std::uint64_t>& keys) const;

  std::vector<KeySource> sources_;              ///< the first one is that of the configuration
  bool per_port_ = false;                       ///< one of them is
  std::map<AddressText, std::uint64_t> holds_;  ///< of agents that hold another key than the best one
  std::set<AddressText> refusing_;
  Guid local_;
  fabric::CableMap cables_;
  std::map<Lid, Guid> by_lid_;
  std::deque<Guid> unplugged_;            ///< agents whose cable is not known, the latest first
  std::set<fabric::CableEnd> open_ends_;  ///< ports that are up and whose cable is not known
};

/// True if the answer to Get(PortInfo) may hide an M_Key, because the request had another one.
bool hides_key(const SmpRequest& request, const SmpAnswer& answer);

}  // namespace rch::hw
