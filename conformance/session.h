#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "conformance/client.h"
#include "conformance/fields.h"

namespace rch::conformance {

/// The port that asks, as its agent shows it.
struct Host {
  Guid guid;
  std::uint64_t prefix = 0;
  Lid lid;
  std::uint64_t port_number = 0;
  std::uint64_t mtu = 0;             ///< NeighborMTU, a code
  std::vector<std::uint16_t> pkeys;  ///< without the empty ones

  Gid gid() const { return make_gid(prefix, guid.value); }
};

struct Settings {
  std::uint64_t sa_key = 1;
  std::optional<std::uint64_t> m_key;
};

/// What the tests of one run share. Whatever is registered through ask() is remembered, and undone by
/// clean().
class Session {
 public:
  /// Finds out who we are and where subnet administration is. Fails (fabric) when our own port does not
  /// answer or has no subnet manager. `client` must outlive the session.
  static Result<Session> begin(Client& client, const Settings& settings);

  const Host& host() const { return host_; }
  Lid server() const { return server_; }
  Client& client() { return *client_; }
  /// Nothing: no request with the SA_Key is answered.
  std::optional<std::uint64_t> key() const { return key_; }
  const Settings& settings() const { return settings_; }
  /// A P_Key of ours, a full membership if there is one.
  std::uint16_t pkey() const;

  Reply ask(const Request& request);
  /// A multicast group of this port that nobody else has, and the request that creates it.
  Gid own_group(std::uint8_t number) const;
  Fields membership(const Gid& mgid, const Gid& port, unsigned join_state) const;
  Fields creation(const Gid& mgid, unsigned join_state = 1) const;
  /// GID of another host of the fabric, if there is one: of the `index`th.
  std::optional<Gid> other_host(std::size_t index);
  /// JoinState of a port in a group; 0: it is no member.
  unsigned join_state(const Gid& mgid, const Gid& port);

  /// Removes what ask() registered since the last call.
  void clean();
  /// What this port has registered, for comparison before and after a run.
  std::string registrations();

 private:
  explicit Session(Client& client, const Settings& settings) : client_(&client), settings_(settings) {}
  Result<void> find_host();
  void remember(const Request& request);
  void leave(const Gid& mgid, const Gid& port);

  Client* client_;
  Settings settings_;
  Host host_;
  Lid server_;
  std::optional<std::uint64_t> key_;
  std::vector<Request> undo_;
  std::vector<std::pair<Gid, Gid>> memberships_;  ///< group, port
  std::optional<std::vector<Gid>> others_;
};

/// InformInfo that subscribes to a trap of anybody, or ends that.
Request subscription(std::uint16_t trap, bool subscribe, std::uint32_t queue_pair = 1);

}  // namespace rch::conformance
