#pragma once

// A port of a fabric in memory whose datagrams an input of the fuzzer disturbs.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sim/simulated_fabric.h"

namespace rch::sim::test {

/// Reads the input from its front; zeros behind its end.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> input) : input_(input) {}

  bool empty() const { return input_.empty(); }
  std::uint8_t next() {
    if (input_.empty()) return 0;
    const std::uint8_t byte = input_.front();
    input_ = input_.subspan(1);
    return byte;
  }
  std::uint16_t next_word() {
    const unsigned high = next();
    return static_cast<std::uint16_t>(high << 8U | next());
  }

 private:
  std::span<const std::uint8_t> input_;
};

/// Each datagram that arrives takes a byte of the input, which says what becomes of it. When the input is
/// used up, the port is an ordinary one.
class HostilePort : public hw::Transport {
 public:
  HostilePort(SimulatedFabric& fabric, PortId origin, Bytes& input) : port_(fabric, origin), input_(input) {}

  Result<void> send(const hw::Datagram& datagram, hw::Milliseconds timeout) override {
    return port_.send(datagram, timeout);
  }
  void receive(std::vector<hw::Datagram>& arrived, hw::TimePoint deadline) override;
  Result<void> set_is_sm() override { return port_.set_is_sm(); }
  hw::TimePoint now() const override { return port_.now(); }
  /// What answers said about a block of a linear forwarding table, altered ones among them.
  const std::vector<hw::SmpData>& said(std::uint32_t block) { return said_[block]; }

 private:
  struct Late {
    hw::TimePoint due;
    hw::Datagram datagram;
  };
  void note_blocks(std::span<const hw::Datagram> arrived);
  void disturb(hw::Datagram datagram, std::vector<hw::Datagram>& arrived);
  void alter(hw::Datagram& datagram);
  hw::Datagram invent();
  hw::Datagram spoof_trap();

  SimulatedPort port_;
  Bytes& input_;
  unsigned untouched_ = 0;  ///< datagrams that pass before the next byte is taken
  hw::Datagram last_{};
  std::vector<Late> late_;
  std::map<std::uint32_t, std::vector<hw::SmpData>> said_;
};

}  // namespace rch::sim::test
