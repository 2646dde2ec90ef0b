#pragma once

// Many SMPs at once, as an event machine: no I/O, no clock, no callback.
//
// In: submit(), on_datagram(), on_time(). Out: take_completed(), take_incoming(), take_to_send(), deadline().
// Who drives it takes completions first: they may bring requests, or cancel some, before the next are sent.
//
// States of a request, and what moves it:
//   queued    submit(). take_to_send() starts it when the window has room.
//   parked    its node has `per_node` requests on the wire. Starts when one of them ends.
//   on wire   sent. A timeout sends it again.
//   withheld  a Set that may not be sent now (allow_sets_until). Goes back to queued when Sets may be sent.
//   completed answered, given up, or cancelled while queued or parked. Every request completes once.
//
// Silence means a dead port, a slow agent, or loss. The requests that were answered lately tell which
// (hw/recent_answers.h): the share of their attempts that was lost, in the whole fabric or at that node,
// whichever is more, and how soon they were answered.
//   quick attempts    as many as loss explains, none where nothing was lost. Each waits some times as long as
//                     the slowest agent took, and no longer than one timeout.
//   patient attempts  `retries` + 1, after them. Each waits twice as long as the one before, up to four times
//                     the timeout, for an agent may be slow. A transport that tells at once that a datagram
//                     cannot be delivered does not shorten that: a cable may be on its way back.
// A request is given up when loss does not explain the silence any more, and not before its patient attempts.
// A request may have less patience (Patience).
//
// Requests to silent nodes may fill the window. While none of those on the wire ends, one more is sent each
// `stuck_after`, up to `window2` of them. The next end takes that back.
//
// An agent may want another M_Key, and drop requests without it. So each attempt has the next key, and each
// key gets as many attempts as the only one would (hw/key_ring.h).
//
// Slow agents drop what comes too fast (IBA 13.4.6), hence `per_node`. Each attempt has a transaction id of
// its own, so a late answer to an earlier attempt is recognised, counted and dropped.

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "hw/key_ring.h"
#include "hw/recent_answers.h"
#include "hw/smp.h"

namespace rch::hw {

/// What only the master may send: a Set of anything but SMInfo.
bool is_guarded(Method method, Attribute attribute);

struct SmpOptions {
  Milliseconds timeout{200};  ///< of the first attempt (`transaction_timeout`)
  unsigned retries = 3;       ///< resends where nothing is lost (`transaction_retries`)
  unsigned window = 64;       ///< requests on the wire (`max_wire_smps`), 1..kMaxWindow
  unsigned window2 = 0;       ///< of them while none ends (`max_wire_smps2`); less than `window`: none more
  std::chrono::microseconds stuck_after{600000};  ///< without an end: one more (`max_smps_timeout`)
  unsigned per_node = 4;                          ///< of them, to one node (`max_wire_smps_per_device`)
  KeyOptions keys{};
  bool sets_follow = false;  ///< tell of M_Keys that are none of these: such ports take no Set
};

struct SmpCounters {
  std::uint64_t requests = 0;  ///< answered or given up
  std::uint64_t sent = 0;      ///< datagrams, resends included
  std::uint64_t resent = 0;
  std::uint64_t lost = 0;       ///< requests given up
  std::uint64_t unmatched = 0;  ///< answers late, double or foreign
};

struct SmpCompletion {
  RequestTag tag;
  SmpAnswer answer;
};

class SmpClient {
 public:
  static constexpr unsigned kMaxWindow = 64;
  /// Requests beyond these are on the wire only while answers come in time: agents drop what they have no
  /// room for. NVIDIA SM has no more.
  static constexpr unsigned kSafeWindow = 32;

  explicit SmpClient(const SmpOptions& options);

  void submit(const SmpRequest& request);
  /// Takes what the transport received: answers, undeliverable requests, requests from the fabric.
  void on_datagram(const Datagram& datagram, TimePoint now);
  /// Due at deadline(); earlier calls do nothing.
  void on_time(TimePoint now);
  /// Completes the requests of `owner` that are not on the wire, and all its Gets, as unanswered. Sets on the
  /// wire are not sent again, and complete when they are answered or lost.
  void cancel(OwnerId owner);
  /// Completes everything as unanswered: nothing will arrive any more.
  void give_up_all();
  /// Sets are sent, for the first time or again, only before `until`. Those that are due later are withheld
  /// until this is called again. Sets of SMInfo are always sent. TimePoint::max() from the start.
  void allow_sets_until(TimePoint until) { sets_until_ = until, refuses_sets_ = false; }
  /// Completes what is withheld as unanswered. `from_now_on`: so are all Sets that would be withheld, until
  /// allow_sets_until() is called.
  void drop_withheld_sets(bool from_now_on);
  bool withholds_sets() const { return !withheld_.empty(); }
  TimePoint sets_until() const { return sets_until_; }

  /// Fills the window and returns what has to be sent.
  std::vector<OutgoingDatagram> take_to_send(TimePoint now);
  bool has_completed() const { return !completed_.empty(); }
  std::vector<SmpCompletion> take_completed() { return std::exchange(completed_, {}); }
  /// Requests from the fabric.
  std::vector<Datagram> take_incoming() { return std::exchange(incoming_, {}); }

  /// When on_time() is due; TimePoint::max() if nothing is on the wire.
  TimePoint deadline() const;
  /// False: submit() still works, but requests pile up.
  bool has_room() const { return queue_.size() < kQueueBound; }
  /// True if nothing is on the wire, queued or parked.
  bool idle() const { return unfinished_ == 0; }
  const KeyRing& keys() const { return keys_; }
  /// Cables that somebody else saw.
  void know(const fabric::Fabric& fabric) { keys_.know(fabric); }
  const SmpCounters& counters() const { return counters_; }

 private:
  /// Requests looked at to fill the window when many are for one node.
  static constexpr std::size_t kQueueBound = 4096;
  /// Quick attempts, whatever the loss is.
  static constexpr unsigned kMostQuick = 256;
  /// No patient attempt waits longer than this many timeouts.
  static constexpr unsigned kLongestWait = 4;
  /// A quick attempt waits so many times as long as the slowest answer took, and so long at least.
  static constexpr int kQuickWait = 4;
  static constexpr Milliseconds kLeastWait{10};

  struct Slot {
    std::uint32_t transaction = 0;  ///< 0: free
    unsigned attempts = 0;
    unsigned patient = 0;               ///< of the attempts
    unsigned hidden = 0;                ///< answers that did not show an M_Key
    std::vector<std::uint64_t> keys{};  ///< each attempt has the next one
    bool cancelled = false;
    bool completed = false;  ///< nobody waits for it
    TimePoint sent_at, deadline;
    SmpRequest request;
  };
  /// A request that waits for its first attempt, or for the next one.
  struct Waiting {
    SmpRequest request;
    unsigned attempts = 0, patient = 0, hidden = 0;  ///< so far
  };
  struct NodeState {
    unsigned on_wire = 0;
    std::deque<Waiting> parked;
    RecentAnswers answers;
  };

  void start(const Waiting& waiting, TimePoint now);
  void send(Slot& slot, TimePoint now);
  void send_again(Slot& slot, TimePoint now);
  bool must_wait(const SmpRequest& request, TimePoint now) const;
  void hold(Waiting waiting);
  Slot* match(const Datagram& datagram);
  void retry_or_give_up(Slot& slot, TimePoint now);
  unsigned quick_rounds(const SmpRequest& request, TimePoint now);
  Milliseconds quick_wait(TimePoint now);
  Milliseconds patient_wait(unsigned round) const;
  static unsigned rounds(const Slot& slot, unsigned attempts);
  void on_answer(Slot& slot, SmpAnswer answer, TimePoint now);
  void widen();
  void grow_while_stuck(TimePoint now);
  bool is_full() const { return slots_.size() - free_slots_.size() >= allowed_ + more_; }
  void finish(Slot& slot, const SmpAnswer& answer);
  void leave(Slot& slot);
  void cancel(std::deque<Waiting>& waiting, OwnerId owner);

  SmpOptions options_;
  KeyRing keys_;
  SmpCounters counters_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::deque<Waiting> queue_, withheld_;
  TimePoint sets_until_ = TimePoint::max();
  bool refuses_sets_ = false;
  std::unordered_map<NodeKey, NodeState> nodes_;
  std::size_t unfinished_ = 0;
  std::size_t parked_ = 0;  ///< at all nodes
  std::uint32_t sequence_ = 0;
  RecentAnswers recent_;
  unsigned allowed_;                         ///< of the window, now
  unsigned more_ = 0;                        ///< beyond `allowed_`, because none of those ends
  TimePoint full_since_ = TimePoint::max();  ///< requests wait, and none on the wire has ended; max(): not so
  unsigned in_time_ = 0;                     ///< answers to first attempts since `allowed_` changed
  std::vector<OutgoingDatagram> to_send_;
  std::vector<SmpCompletion> completed_;
  std::vector<Datagram> incoming_;
};

}  // namespace rch::hw
