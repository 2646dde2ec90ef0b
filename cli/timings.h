#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/json.h"

#include "base/ids.h"
#include "base/result.h"

namespace rch::cli {

/// Milliseconds per phase of one run, for `--timings`.
class Timings {
 public:
  struct Phase {
    std::string name;
    double milliseconds = 0;
    std::optional<StepId> step;  ///< with `engine`, for phases named `step`
    std::string engine;
  };

  void add(Phase phase) { phases_.push_back(std::move(phase)); }

  /// Runs f() and records how long it took.
  template <class F>
  auto measure(std::string_view name, F&& f) {
    const Stopwatch watch(*this, name);
    return f();
  }

  /// {"phases":[{"name":…,"ms":…}…],"peak_rss_mb":…}
  Json document() const;

  /// Writes the document to `file`, `-` being standard output; an empty name writes nothing.
  Result<void> write(const std::string& file) const;

 private:
  class Stopwatch {
   public:
    Stopwatch(Timings& timings, std::string_view name) : timings_(timings), name_(name) {}
    ~Stopwatch() {
      const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start_;
      timings_.add({std::string(name_), passed.count(), std::nullopt, {}});
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

   private:
    Timings& timings_;
    std::string_view name_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  };

  std::vector<Phase> phases_;
};

}  // namespace rch::cli
