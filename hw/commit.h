#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "hw/causes.h"
#include "hw/commit_report.h"
#include "hw/commit_steps.h"
#include "hw/machine.h"
#include "hw/preparation.h"
#include "hw/progress.h"
#include "hw/silent_nodes.h"

namespace rch::hw {

/// Writes what was prepared, step by step. A step begins when the one before it is finished: every answer was
/// compared with what was sent, every table was read back.
///
/// A node that does not answer, or refuses, is asked no more and noted (note_fault). The step goes on for all
/// others, because any order of its writes is safe. It is the last one.
///
/// States inside a step, and what ends them:
/// - confirming: Gets that tell whether we are still the only master. The last answer.
/// - setting: Sets, which the exchange holds back while that is not known. The last answer; the first that is
///   wrong; or the mastership is lost.
/// - checking: Gets of ports that refused a Set(PortInfo) as invalid. A Set is refused the second time when
///   its first answer was lost (IBA 14.2.5.6). The last answer.
/// - reading: Gets of all that was set, compared again. The last answer.
/// - settling: Gets of ports whose link was taken down, again and again. Their links are up; or kLinkUp is
///   over.
/// - draining: packets leave entries that are gone. Its deadline, a packet lifetime later.
/// - finished: all steps are done, or result() has the first error, and nothing is sent any more.
class Commit : public Machine {
 public:
  enum class State : std::uint8_t { confirming, setting, checking, reading, settling, draining, finished };

  /// A link that was reset comes up within this time, or counts as a faulty part. Ports are asked that often.
  static constexpr Milliseconds kLinkUp{10000}, kLinkAsked{50};

  explicit Commit(const CommitInput& input);

  std::optional<SmpRequest> next_request(TimePoint now) override;
  void on_answer(RequestTag tag, const SmpAnswer& answer) override;
  TimePoint deadline() const override { return waits_until_.value_or(TimePoint::max()); }
  bool finished() const override { return state_ == State::finished; }
  /// Ends before a round if nothing has been taken away that is to be put back: no link was reset, no entry
  /// drained, no multicast entry removed. Otherwise goes on to the end.
  bool stop() override;

  State state() const { return state_; }
  std::span<const CommitStep> steps() const { return steps_.list(); }
  std::size_t step() const { return step_; }
  const Progress& progress() const { return progress_; }
  /// Fails (fabric) when an answer is missing or is not what was written, when the fabric changed meanwhile,
  /// and when the mastership is lost. The message names the port, its route and the attribute.
  const Result<void>& result() const { return result_; }
  /// Switch ports that did not show the partition enforcement that was written.
  std::size_t unenforcing() const { return unenforcing_; }
  /// Ports that did not take what was written of FDR10.
  std::size_t without_fdr10() const { return without_fdr10_; }

 private:
  void begin_step();
  void end_before_step();
  void begin_writing();
  SmpRequest question(std::size_t index) const;
  void on_confirmed();
  void fail_as_lost(const std::string& why);
  void fail_with(const Cause& cause, std::string message);
  void enter(State state, std::size_t count = 0);
  void advance();
  void learn(const Image& image, const SmpData& shown);
  std::optional<Error> fault(const Image& image, const SmpAnswer& answer) const;
  NodeId node_of(const Image& image) const { return live_.fabric.port(image.port).node; }
  void on_faulty_part(const Image& image, const SmpAnswer& answer, Error error);
  void on_link_state(std::size_t index, const Image& image, const SmpAnswer& answer);
  bool ask_again(TimePoint now);

  const LiveFabric& live_;
  Mastership* mastership_;
  Lid sm_lid_;
  std::vector<SmpRequest> questions_;  ///< of the state confirming
  std::vector<SmpAnswer> answers_;     ///< to them
  CommitSteps steps_;
  std::size_t step_ = 0;
  State state_ = State::finished;
  Progress progress_;
  std::vector<std::size_t> refused_;
  SilentNodes faulty_;  ///< asked no more; result_ names the first
  std::optional<TimePoint> waits_until_;
  /// In a step that settles: images of ports that were not up when they were asked last, and are not now.
  std::vector<std::size_t> down_, still_down_;
  std::optional<TimePoint> up_before_;  ///< of that step
  bool stopping_ = false;
  std::size_t unenforcing_ = 0, without_fdr10_ = 0;
  Result<void> result_;
};

/// Runs a Commit: puts LIDs and tables into a live fabric and its links to work, as `opensm -o` does. Writes
/// only what differs; on a fabric in its target state nothing.
///
/// `rounds` lead from the installed tables to the target tables; the blocks of one are acknowledged and read
/// back before the next is sent (fabric::one_round writes all at once). Fails (fabric) as Commit does. After
/// a failure part of the fabric may be written; a further run completes it. `mastership`: see CommitInput.
Task<Result<CommitReport>> commit(Exchange& exchange, const LiveFabric& live,
                                  const fabric::RoutingTables& tables, const Preparation& preparation,
                                  std::span<const fabric::WriteRound> rounds, const CommitOptions& options,
                                  Mastership* mastership);

}  // namespace rch::hw
