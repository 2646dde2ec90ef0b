#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <vector>

#include "cli/drain_parts.h"
#include "cli/json.h"
#include "cli/request.h"
#include "whatif/withdrawal.h"

namespace rch::cli {

class Service;

/// Parts that operators take out of service, and take back (docs/maintenance.md). A job is one request:
///
///   judging     a thread looks at what the fabric loses without the parts
///     │ nobody else loses anything        │ somebody does, or it is a dry run
///     ↓                                   ↓
///   draining    the manager leaves     refused, would_drain
///     │         them out                  ↑ the manager finds that others were cut off
///     │ a plan without them is installed  │
///     ↓                                   │ no such plan can be installed: they come back
///   drained                            failed
///
///   returning   the manager takes them back ─→ returned, or failed
///
/// The manager leaves parts out as `rch quarantine add` does, and keeps that over restarts.
class Drains {
 public:
  static constexpr std::size_t kMost = 16;

  /// Records a QuarantineRequest and carries it out.
  using Carry = std::function<Json(const QuarantineRequest&)>;
  Drains(const Service& service, Carry carry) : service_(service), carry_(std::move(carry)) {}

  /// The answers to the requests. One that goes on has the state `pending`, and a number to ask again with.
  Json drain(const DrainRequest& request);
  Json undrain(const UndrainRequest& request);
  Json answer(std::uint64_t job) const;

  /// Goes on with jobs. To be called in each turn of the loop.
  void turn();

 private:
  enum class State : std::uint8_t {
    judging,
    draining,
    returning,
    refused,
    would_drain,
    drained,
    returned,
    failed
  };
  struct Job {
    State state = State::judging;
    DrainRequest request{};
    std::vector<sm::Part> parts{};
    std::future<whatif::Withdrawal> judgement{};  ///< while judging
    std::uint64_t generation = 0;                 ///< plan that it was judged on
    unsigned tries = 0;
    std::uint64_t failures = 0;  ///< of the manager, when it was asked
    whatif::Withdrawal found{};
    std::string why{};  ///< of `refused` and `failed`
  };

  Json begin(Job job);
  Json refusal() const;
  void judge(Job& job) const;
  void take_judgement(Job& job);
  void leave_out(Job& job);
  void follow(Job& job);
  void give_up(Job& job, State state, std::string why);
  bool is_left_out(const sm::Part& part) const;
  bool is_spared(const sm::Part& part) const;

  const Service& service_;
  const Carry carry_;
  std::map<std::uint64_t, Job> jobs_;
  std::uint64_t last_ = 0;
};

}  // namespace rch::cli
