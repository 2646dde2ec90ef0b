#pragma once

// The performance manager: reads the counters of all ports again and again, by datagrams of class
// PerformanceManagement. An event machine: no I/O, no clock, no waiting.
//
// States, and what moves it:
//   off       follow() without `enabled`, or stop(): another subnet manager is master. publish() ends it.
//   idle      the sweep is over. Its time ends it.
//   sweeping  agents are asked, each for one thing at a time. Ends when all have answered or were given up.
//   paused    pause(): the subnet manager has work of its own. No further agent is asked; answers to what is
//             on the wire count. resume() ends it.
//
// An agent in a sweep: ClassPortInfo once, then for each port PortCounters, PortCountersExtended if it has
// them, and a Set that clears counters that come near their maximum. That Set follows its reading at once:
// what is counted between the two is lost. One that is not answered may have been carried out; then the next
// reading is lower than the one before.
//
// Requests are spread over three quarters of the time of a sweep. An agent that does not answer costs its own
// requests only, and is asked again in the next sweep.

#include <deque>
#include <functional>

#include "hw/service.h"
#include "perfmgr/agents.h"
#include "perfmgr/events.h"

namespace rch::perfmgr {

struct Settings {
  bool enabled = false;
  bool follows_redirection = true;
  std::chrono::seconds sweep_time{180};
  unsigned outstanding = 64;  ///< requests on the wire, kMostOutstanding at most
  bool with_cas = true;
  bool keeps_gone = false;  ///< nodes that are not in the fabric any more
  bool asks_class_port_info = true;
  bool tells_errors = true;
  std::optional<std::uint64_t> xmit_wait_threshold{};  ///< none: PortXmitWait is not told of
  hw::Milliseconds timeout{200};
  unsigned retries = 3;

  friend bool operator==(const Settings&, const Settings&) = default;
};

struct PerformanceCounters {
  std::uint64_t sweeps = 0;      ///< that are over
  std::uint64_t requests = 0;    ///< that were answered or given up
  std::uint64_t resent = 0;      ///< datagrams
  std::uint64_t unanswered = 0;  ///< requests
  std::uint64_t refused = 0;     ///< with a bad status, or an answer that makes no sense
  std::uint64_t redirected = 0;
  std::uint64_t unmatched = 0;    ///< answers late, double or foreign
  std::uint64_t cleared = 0;      ///< counters
  std::uint64_t resets = 0;       ///< counters that went backwards
  std::uint64_t saturated = 0;    ///< counters that reached their maximum
  hw::Milliseconds last_sweep{};  ///< how long it took
  std::size_t agents = 0;         ///< that are asked
  std::size_t unreachable = 0;    ///< without a LID or a path from or to our port
  std::size_t silent = 0;         ///< of those, that did not answer in the last sweep
};

class PerformanceManager : public hw::Service {
 public:
  /// Requests on the wire: libraries of simulators lock up with some hundreds.
  static constexpr unsigned kMostOutstanding = 64;
  /// Events of a kind that are told in one sweep.
  static constexpr unsigned kMostTold = 10;

  explicit PerformanceManager(std::function<void(const Event&)> told) : tell_(std::move(told)) {}

  void follow(const Settings& settings, hw::TimePoint now);
  /// The fabric that is asked from now on. Progress of the sweep and totals stay.
  void publish(const View& view, hw::TimePoint now);
  /// Another subnet manager is master. Totals stay; what is counted meanwhile is not added.
  void stop();
  void pause() { paused_ = true; }
  void resume(hw::TimePoint now);

  /// Null while it is off.
  std::shared_ptr<const Totals> totals() const { return is_on() ? totals_ : nullptr; }
  const PerformanceCounters& counters() const { return counters_; }

  void on_datagram(const hw::Datagram& datagram, hw::TimePoint now) override;
  void on_time(hw::TimePoint now) override;
  void take_datagrams(std::vector<hw::OutgoingDatagram>& out, hw::TimePoint now) override;
  hw::TimePoint deadline() const override;

 private:
  enum class Step : std::uint8_t { class_port_info, port_counters, extended, clear };
  /// An agent in a sweep.
  struct Asked {
    Agent agent;
    std::vector<std::size_t> rows{};       ///< of its ports, in the totals
    std::optional<Abilities> abilities{};  ///< none: not known yet
    std::optional<Redirection> redirected{};
    bool is_silent = false;
    bool is_due = true;  ///< in this sweep
    // What it is asked for.
    Step step = Step::class_port_info;
    std::size_t port = 0;
    unsigned missed = 0;    ///< requests one after the other
    bool answered = false;  ///< for a port
    Reading reading{};
    CounterSet full{};
  };
  /// A request on the wire.
  struct Slot {
    std::uint32_t transaction = 0;  ///< 0: free
    std::uint32_t agent = 0;
    unsigned attempts = 0, redirections = 0;
    hw::TimePoint deadline{};
    hw::Datagram datagram{};
  };
  /// What a port showed, and when.
  struct History {
    std::optional<LastReading> last{};
    hw::TimePoint at{};
    CounterSet maybe_cleared{};  ///< by us: the Set was not answered, or its answer did not show it
  };

  bool is_on() const { return settings_.enabled && view_.fabric; }
  std::size_t window() const { return std::clamp(settings_.outstanding, 1U, kMostOutstanding); }
  void rebuild();
  void set_pace();
  void begin_sweep(hw::TimePoint now);
  void end_sweep(hw::TimePoint now);
  void begin(Asked& agent) const;
  void begin_port(Asked& agent) const;
  void fill(hw::TimePoint now);
  void ask(std::uint32_t agent, hw::TimePoint now, unsigned redirections = 0);
  void send(Slot& slot, hw::TimePoint now);
  void free(Slot& slot);
  hw::Datagram request_of(const Asked& agent) const;
  std::optional<std::uint16_t> pkey_index(std::uint16_t pkey) const;
  Slot* match(const hw::Datagram& datagram);
  void on_answer(std::uint32_t agent, Data data, hw::TimePoint now);
  bool follow_redirection(std::uint32_t agent, Data data, unsigned redirections, hw::TimePoint now);
  void on_refusal(std::uint32_t agent);
  void on_silence(std::uint32_t agent);
  void on_reading(std::uint32_t agent, hw::TimePoint now);
  void on_cleared(Asked& asked, Data data);
  void tell_of(const PortKey& port, const Change& change, CounterSet not_by_us, hw::Milliseconds span);
  void tell(const Event& event);
  void next_port(std::uint32_t agent);
  void finish(Asked& asked);
  void drop_requests();

  std::function<void(const Event&)> tell_;
  Settings settings_;
  View view_;
  bool paused_ = false, sweeping_ = false;
  std::vector<Asked> agents_;
  std::deque<std::uint32_t> ready_;  ///< agents with something to be asked for
  std::vector<Slot> slots_ = std::vector<Slot>(kMostOutstanding);
  std::size_t on_wire_ = 0;
  std::uint32_t sequence_ = 0;
  hw::TimePoint sweep_began_{}, next_sweep_{}, next_request_{};
  std::chrono::nanoseconds interval_{};  ///< between requests
  std::shared_ptr<Totals> totals_;
  std::shared_ptr<const fabric::Fabric> asked_fabric_;       ///< that `totals_` was made for
  std::vector<History> history_;                             ///< by row of the totals
  std::array<unsigned, std::variant_size_v<Event>> told_{};  ///< by kind, in this sweep
  PerformanceCounters counters_;
  std::vector<hw::OutgoingDatagram> out_;
};

}  // namespace rch::perfmgr
