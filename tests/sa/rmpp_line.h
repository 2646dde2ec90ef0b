#pragma once

// Two ends of RMPP with a line between them that loses, doubles and reorders.

#include <cstdint>
#include <queue>
#include <random>

#include "sa/rmpp.h"

namespace rch::test {

/// A datagram of subnet administration without data.
inline hw::Datagram sa_datagram(std::uint8_t method, std::uint32_t transaction, std::uint16_t lid,
                                std::uint32_t queue_pair = 1) {
  namespace h = hw::mad_header;
  hw::Datagram datagram{.lid = lid, .queue_pair = queue_pair};
  set(datagram.mad, h::kBaseVersion, 1);
  set(datagram.mad, h::kClass, static_cast<std::uint64_t>(hw::MadClass::sa));
  set(datagram.mad, h::kClassVersion, sa::kClassVersion);
  set(datagram.mad, h::kMethod, method);
  set(datagram.mad, h::kTransaction, 0xABCD'0000'0000'0000U | transaction);
  return datagram;
}

inline std::vector<std::uint8_t> some_bytes(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  return bytes;
}

struct LineFaults {
  double loss = 0, doubling = 0;
  hw::Milliseconds delay{1}, jitter{0};
};

/// End 0 has LID 10, end 1 has LID 11.
class RmppLine {
 public:
  RmppLine(const sa::RmppOptions& a, const sa::RmppOptions& b, const LineFaults& faults, std::uint64_t seed)
      : ends{sa::Rmpp(a), sa::Rmpp(b)}, faults_(faults), random_(seed) {}

  /// Until nothing is under way, or `limit` has passed.
  void run(hw::Milliseconds limit) {
    const hw::TimePoint end = now + limit;
    for (;;) {
      for (const std::size_t from : {0U, 1U})
        for (const hw::Datagram& datagram : ends[from].take_datagrams()) post(from, datagram);
      hw::TimePoint next = std::min(ends[0].deadline(), ends[1].deadline());
      if (!wire_.empty()) next = std::min(next, wire_.top().at);
      if (next > end) break;
      now = std::max(now, next);
      while (!wire_.empty() && wire_.top().at <= now) {
        ends[wire_.top().to].on_datagram(wire_.top().datagram, now);
        wire_.pop();
      }
      for (sa::Rmpp& rmpp : ends) rmpp.on_time(now);
    }
  }

  sa::Rmpp ends[2];
  hw::TimePoint now{};
  std::uint64_t carried = 0;

 private:
  struct Flight {
    hw::TimePoint at;
    std::uint64_t number;
    std::size_t to;
    hw::Datagram datagram;
    bool operator<(const Flight& other) const {
      return std::pair(at, number) > std::pair(other.at, other.number);  // the earliest on top
    }
  };

  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
  void post(std::size_t from, hw::Datagram datagram) {
    datagram.lid = from == 0 ? 10 : 11;  // received: the source
    for (int copies = chance(faults_.doubling) ? 2 : 1; copies > 0; --copies) {
      if (chance(faults_.loss)) continue;
      const auto late = std::uniform_int_distribution<std::int64_t>(0, faults_.jitter.count())(random_);
      wire_.push({now + faults_.delay + hw::Milliseconds(late), ++carried, 1 - from, datagram});
    }
  }

  LineFaults faults_;
  std::mt19937_64 random_;
  std::priority_queue<Flight> wire_;
};

}  // namespace rch::test
