#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/ids.h"
#include "base/result.h"
#include "hw/transport.h"

namespace rch::hw {

/// Which port to use: `live[:ca[:port]]` or `live:GUID` on the command line.
struct PortName {
  std::optional<Guid> guid{};  ///< of the port; the others are not given then
  std::string ca;              ///< empty: as choose_port() does
  int port = 0;                ///< 0: the same among the ports of the CA
};

/// Reads `live[:ca[:port]]` or `live:GUID`. Fails (usage) on anything else.
Result<PortName> parse_live(std::string_view text);

/// The umad device beside an issm device, `/dev/infiniband/umad0`, when `access`, which returns an errno,
/// says EACCES for it; empty otherwise.
std::string device_without_rights(const std::string& issm,
                                  const std::function<int(const std::string&)>& access);

/// Requests of the fabric that a program takes on its port.
enum class Serves {
  nothing,
  manager,  ///< what a subnet manager answers; one process of a port may
  reports,  ///< Reports of subnet administration, if no other process of the port takes them; segments of
            ///< long answers are handed through as they come
};

/// libibumad, the way ibsim-lab section 0 wants it: every class is registered once before anything is sent,
/// one thread does nothing but receive and hands over by a queue and an eventfd, and the descriptor is
/// touched by umad_* calls only.
class UmadTransport : public Transport {
 public:
  /// Fails (fabric) naming device, port and errno.
  static Result<std::unique_ptr<UmadTransport>> open(const PortName& name, Serves serves);

  /// Nothing may be on the wire any more.
  ~UmadTransport() override;

  Result<void> send(const Datagram& datagram, Milliseconds timeout) override;
  void receive(std::vector<Datagram>& arrived, Clock::time_point deadline) override;
  Result<void> set_is_sm() override;
  Clock::time_point now() const override { return Clock::now(); }
  /// A descriptor to poll for input: something has arrived. It is no descriptor of libibumad (ibsim's
  /// umad2sim.c).
  int arrival_event() const;
  Guid port_guid() const { return guid_; }
  /// Which port was chosen of several, where the command left it open; else empty.
  const std::string& choice() const { return choice_; }

 private:
  class Receiver;
  UmadTransport() = default;
  Result<void> open_port(const PortName& name);
  /// The port of that CA and number; 0 is the port of a switch.
  Result<void> open_named(const PortName& name);
  Result<void> register_classes(Serves serves);

  int port_id_ = -1;
  int issm_ = -1;
  Guid guid_;  ///< of the port; 0: it does not say so
  std::string issm_path_;
  std::string choice_;
  std::string label_;  ///< "mlx5_0 port 1", for messages
  int agents_[256];    ///< by class, -1 not registered
  std::unique_ptr<Receiver> receiver_;
};

}  // namespace rch::hw
