#pragma once

// Many SMPs at once, over one Transport, from one thread.
//
// submit() queues a request; the client keeps up to `window` of them on the wire, at most `per_node` to one
// node (slow agents drop what comes too fast, sm-sa 1.6), resends what is not answered, and calls back with
// each outcome exactly once. Callbacks run inside wait_all() (or inside a submit() that has to make room) and
// may submit more. Each attempt carries a transaction id of its own, so an answer to an attempt that was
// given up is recognised as late, counted and dropped.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "hw/mad.h"
#include "hw/route.h"
#include "hw/transport.h"

namespace rch::hw {

struct SmpOptions {
  Milliseconds timeout{200};  ///< per attempt (`transaction_timeout`)
  unsigned retries = 3;       ///< resends after the first attempt (`transaction_retries`)
  unsigned window = 32;       ///< requests on the wire (`max_wire_smps`), 1..kMaxWindow
  unsigned per_node = 4;      ///< of them, to one node
  std::uint64_t m_key = 0;
};

/// Key of the per-node limit; any numbering will do.
inline constexpr std::uint32_t kNoNode = 0xFFFFFFFFU;

struct SmpRequest {
  Route route;
  Method method = Method::get;
  Attribute attribute = Attribute::node_info;
  std::uint32_t modifier = 0;
  SmpData data{};                ///< of a Set
  std::uint32_t node = kNoNode;  ///< whom it goes to; kNoNode is not limited
};

struct SmpAnswer {
  bool answered = false;     ///< false: no answer to any attempt, or the client was stopped
  std::uint16_t status = 0;  ///< MAD status, direction bit removed
  SmpData data{};
  bool good() const { return answered && status == 0; }
};

struct SmpCounters {
  std::uint64_t requests = 0;  ///< answered or given up
  std::uint64_t sent = 0;      ///< datagrams, resends included
  std::uint64_t resent = 0;
  std::uint64_t lost = 0;       ///< requests given up
  std::uint64_t unmatched = 0;  ///< answers late, double or foreign
};

class SmpClient {
 public:
  using Callback = std::function<void(const SmpAnswer&)>;
  /// Answers a request that came from the fabric by filling `datagram` in place; false leaves it unanswered.
  using Responder = std::function<bool(Datagram& datagram)>;

  static constexpr unsigned kMaxWindow = 64;

  /// `transport` must outlive the client.
  SmpClient(Transport& transport, const SmpOptions& options);
  /// Waits for what is on the wire: a port must not be closed under it (ibsim-lab 0.5).
  ~SmpClient();
  SmpClient(const SmpClient&) = delete;
  SmpClient& operator=(const SmpClient&) = delete;

  void submit(const SmpRequest& request, Callback done);
  /// Returns when every request has had its callback. Fails (fabric) when the transport cannot send.
  Result<void> wait_all();
  /// One request and its answer, waiting for everything submitted before as well.
  Result<SmpAnswer> ask(const SmpRequest& request);
  /// Requests that are not on the wire yet get their callback as unanswered.
  void abandon_queued();
  /// Serves requests from the fabric for `span`, with nothing of ours on the wire.
  void serve(Milliseconds span);

  /// Shows our port as that of a subnet manager and has `responder` answer requests from the fabric from now
  /// on.
  Result<void> become_manager(Responder responder);
  const SmpCounters& counters() const { return counters_; }

 private:
  struct Job {
    SmpRequest request;
    Callback done;
  };
  struct Slot {
    std::uint32_t transaction = 0;  ///< 0: free
    unsigned attempts = 0;
    Clock::time_point deadline;
    Job job;
  };
  struct NodeQueue {
    unsigned on_wire = 0;
    std::deque<Job> parked;
  };

  void drop_everything();
  void start_queued();
  void start(Job job);
  void send(Slot& slot);
  void pump();
  void handle(Datagram& datagram);
  void handle_request(Datagram& datagram);
  Slot* match(const Mad& mad);
  void expire();
  void retry_or_give_up(Slot& slot);
  void finish(Slot& slot, const SmpAnswer& answer);
  Clock::time_point next_deadline() const;

  Transport& transport_;
  SmpOptions options_;
  Responder responder_;
  SmpCounters counters_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::deque<Job> queue_;
  std::unordered_map<std::uint32_t, NodeQueue> nodes_;
  std::vector<Datagram> arrived_;
  std::size_t unfinished_ = 0;
  std::uint32_t sequence_ = 0;
  bool in_pump_ = false;
  std::optional<Error> broken_;
};

}  // namespace rch::hw
