#pragma once

#include <cstdint>
#include <map>

#include "cli/json.h"
#include "sm/manager.h"

namespace rch::cli {

/// What became of the last reloads. A job is one of
///
///   refused      the configuration has errors; the one before it stays
///   rolled_back  it was not confirmed in time; the one before it came back
///   pending      it is read, and its plan is not installed yet
///   installed    its plan was installed; `in_effect` tells whether it still is, or that of a later one
///   superseded   a later one came before its plan was installed
///   standby      another subnet manager is master; it counts when that one is gone
///   degraded     its plan could not be made or installed; the fabric was left as it is
class ReloadJobs {
 public:
  static constexpr std::size_t kMost = 16;

  /// `told`: what the answer says besides number and state. Returns the number, from 1.
  std::uint64_t add(Json told, bool refused);
  std::uint64_t last() const { return last_; }
  /// The plan of this one was installed; 0: of none.
  void note_installed(std::uint64_t job);
  /// It was not confirmed.
  void roll_back(std::uint64_t job);
  /// The answer about a job of a manager in this state. Of unknown jobs: `error`.
  Json answer(std::uint64_t job, const sm::Status& status) const;

 private:
  struct Job {
    Json told;
    std::string_view end;  ///< its state for good; empty: that of the manager tells it
    bool was_installed = false;
  };
  std::map<std::uint64_t, Job> jobs_;
  std::uint64_t last_ = 0, last_taken_ = 0;
};

}  // namespace rch::cli
