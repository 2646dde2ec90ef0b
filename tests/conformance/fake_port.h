#pragma once

#include <functional>

#include "hw/transport.h"
#include "sa/server.h"
#include "small_snapshot.h"

namespace rch::test {

/// The port of a host, with a subnet administration on the other end of the wire that may be made to err.
/// Time passes when it is waited for.
class FakePort : public hw::Transport {
 public:
  /// Changes a request before it arrives, or an answer before it is received; false: it is lost.
  using Fault = std::function<bool(hw::Mad& mad)>;

  explicit FakePort(const SmallSnapshot& small, std::size_t host = 1);

  Fault bend_request = [](hw::Mad&) { return true; };
  Fault bend_answer = [](hw::Mad&) { return true; };
  sa::Server server;
  /// Datagrams that were sent.
  std::size_t sent = 0;

  Result<void> send(const hw::Datagram& datagram, hw::Milliseconds timeout) override;
  void receive(std::vector<hw::Datagram>& arrived, hw::TimePoint deadline) override;
  Result<void> set_is_sm() override { return {}; }
  hw::TimePoint now() const override { return now_; }

 private:
  void answer_smp(const hw::Datagram& datagram);

  const SmallSnapshot& small_;
  PortId host_;
  hw::TimePoint now_{};
  std::vector<hw::Datagram> arriving_;
};

}  // namespace rch::test
