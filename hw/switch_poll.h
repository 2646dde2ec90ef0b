#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "hw/attributes.h"
#include "hw/machine.h"
#include "hw/progress.h"

namespace rch::hw {

/// Asks switches for SwitchInfo, to find those of which something changed (IBA 14.4).
///
/// The routes to many switches may lead over one cable that is gone. So it ends early when a switch tells of
/// a change and no answer has come for a while: the routes are better once that switch was looked at.
class SwitchPoll : public Machine {
 public:
  /// No answer for this long ends it, if there is a change to look at.
  static constexpr Milliseconds kPatience{20};

  struct Question {
    SmpRequest request;            ///< Get(SwitchInfo), or Get(NodeInfo) behind a silent cable
    Lid linear_top;                ///< that the switch should show
    bool of_silent_cable = false;  ///< any answer is a change, silence is none
  };
  /// `wakes` ends it before its time.
  explicit SwitchPoll(std::vector<Question> questions, std::function<bool()> wakes = {});

  std::optional<SmpRequest> next_request(TimePoint now) override;
  void on_answer(RequestTag tag, const SmpAnswer& answer) override;
  TimePoint deadline() const override { return patient_until_; }
  bool finished() const override { return progress_.complete() || hurries_ || (wakes_ && wakes_()); }

  /// Questions, by number, whose switch tells of a change, or shows another top than it should; and those
  /// without an answer, if it did not end early.
  std::vector<std::size_t> changed() const;

 private:
  std::vector<Question> questions_;
  std::vector<std::size_t> changed_, silent_;
  Progress progress_;
  TimePoint patient_until_ = TimePoint::max();
  bool heard_ = false;  ///< since patient_until_ was set
  bool hurries_ = false;
  std::function<bool()> wakes_;
};

}  // namespace rch::hw
