#pragma once

#include <cstddef>
#include <optional>

namespace rch::hw {

/// How far requests 0 to count - 1 are, which may be answered in any order.
class Progress {
 public:
  explicit Progress(std::size_t count = 0) : count_(count) {}

  /// The next one to ask; none when all are asked.
  std::optional<std::size_t> take() { return asked_ < count_ ? std::optional(asked_++) : std::nullopt; }
  void on_answer() { ++answered_; }

  std::size_t count() const { return count_; }
  std::size_t answered() const { return answered_; }
  /// `lost` of the open ones are not waited for.
  bool complete(std::size_t lost) const { return all_asked() && open() == lost; }
  bool all_asked() const { return asked_ == count_; }
  /// Asked and not answered.
  std::size_t open() const { return asked_ - answered_; }
  bool complete() const { return answered_ == count_; }

 private:
  std::size_t count_;
  std::size_t asked_ = 0;
  std::size_t answered_ = 0;
};

}  // namespace rch::hw
