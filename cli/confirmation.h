#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/json.h"
#include "hw/transport.h"

namespace rch::cli {

struct Loaded;

/// A time of `rch reload --confirm-within` and of the request on the control socket: `90s`, `5m` or `2h`, or
/// a number of seconds, at most a day. Fails (usage) with what is allowed.
Result<std::chrono::seconds> confirm_time(std::string_view text);

/// Whether the configuration that runs is one that an operator has to confirm. The states and what moves
/// them:
///
///   confirmed   what runs was taken for good
///     │ a reload that has to be confirmed               ↑ it is confirmed
///     ↓                                                 │
///   waiting     what runs goes at a time, and the confirmed one comes back
///     │ its time is over                                ↑ a reload that has to be confirmed
///     ↓                                                 │
///   came_back   the confirmed one runs, the files hold another one ─→ confirmed: a reload
class Confirmation {
 public:
  enum class State { confirmed, waiting, came_back };

  State state() const { return state_; }
  /// The reload that waits, or did not get it; 0: one of an earlier process.
  std::uint64_t job() const { return job_; }
  bool is_over(hw::TimePoint now) const { return state_ == State::waiting && now >= until_; }

  /// `running`: what runs so far, which stays the confirmed one if it was confirmed. `until_text`: the time
  /// as people read it.
  void wait(std::uint64_t job, const Loaded& running, hw::TimePoint until, std::string until_text);
  /// What runs is taken for good.
  void confirm() { *this = {}; }
  /// Returns what runs from now on.
  const Loaded& come_back();
  /// What an earlier process left runs from the start.
  void start_with_confirmed() { state_ = State::came_back; }

  /// Null: it is confirmed.
  Json status() const;

 private:
  State state_ = State::confirmed;
  std::uint64_t job_ = 0;
  hw::TimePoint until_{};
  std::string until_text_;
  std::shared_ptr<const Loaded> confirmed_;
};

}  // namespace rch::cli
