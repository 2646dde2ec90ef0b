#pragma once

// Repetitions of requests whose answer is on its way.

#include <cstdint>
#include <deque>
#include <unordered_set>

#include "hw/transport.h"
#include "sa/rmpp_datagram.h"

namespace rch::sa {

/// When many hosts ask at once, requests wait longer than hosts do, and hosts ask again. A repetition that
/// came before the answer was sent needs no other one: without this each costs as much as a new request, and
/// the more wait, the more come. Hosts that did not get the answer ask once more.
class RecentAnswers {
 public:
  /// No host asks again sooner.
  static constexpr hw::Milliseconds kSoonest{10};

  /// `request` is answered by what is sent next.
  void add(const hw::Datagram& request);
  /// What was added is sent.
  void on_sent(hw::TimePoint now);
  /// True if a request came before the answer to the same one was sent.
  bool cover(const hw::Datagram& request) const;

 private:
  struct Key {
    TransferKey transfer;
    std::uint64_t content;  ///< hash of the MAD
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.content; }
  };
  using Keys = std::unordered_set<Key, Hash>;
  struct Batch {
    hw::TimePoint sent;
    Keys answered;
  };
  static Key key_of(const hw::Datagram& request);

  Keys adding_;
  hw::TimePoint first_arrival_ = hw::TimePoint::max();  ///< of those
  std::deque<Batch> batches_;                           ///< that requests may still wait behind
};

}  // namespace rch::sa
