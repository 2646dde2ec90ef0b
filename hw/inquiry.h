#pragma once

#include <functional>
#include <vector>

#include "hw/exchange.h"
#include "hw/progress.h"

namespace rch::hw {

/// Asks each question of a list once. `wakes` ends it before its time.
class Inquiry : public Machine {
 public:
  explicit Inquiry(std::vector<SmpRequest> questions, std::function<bool()> wakes = {})
      : questions_(std::move(questions)),
        answers_(questions_.size()),
        progress_(questions_.size()),
        wakes_(std::move(wakes)) {}

  std::optional<SmpRequest> next_request(TimePoint) override {
    const auto next = progress_.take();
    if (!next) return std::nullopt;
    SmpRequest request = questions_[*next];
    request.tag = {.item = *next};
    return request;
  }
  void on_answer(RequestTag tag, const SmpAnswer& answer) override {
    progress_.on_answer();
    answers_[tag.item] = answer;
  }
  bool finished() const override { return progress_.complete() || (wakes_ && wakes_()); }

  /// By question; complete when finished, unless it was woken.
  const std::vector<SmpAnswer>& answers() const { return answers_; }

 private:
  std::vector<SmpRequest> questions_;
  std::vector<SmpAnswer> answers_;
  Progress progress_;
  std::function<bool()> wakes_;
};

/// Runs an Inquiry. Requests of the fabric that came before the answers are answered when this ends.
inline Task<Result<std::vector<SmpAnswer>>> ask(Exchange& exchange, std::vector<SmpRequest> questions) {
  Inquiry inquiry(std::move(questions));
  if (auto ran = co_await exchange.run(inquiry); !ran) co_return tl::unexpected(ran.error());
  co_return inquiry.answers();
}
inline Task<Result<SmpAnswer>> ask(Exchange& exchange, SmpRequest question) {
  Inquiry inquiry(std::vector<SmpRequest>(1, question));
  if (auto ran = co_await exchange.run(inquiry); !ran) co_return tl::unexpected(ran.error());
  co_return inquiry.answers().front();
}

/// Lets time pass.
class Pause : public Machine {
 public:
  /// `wakes` ends it before its time.
  explicit Pause(TimePoint until, std::function<bool()> wakes = {})
      : until_(until), wakes_(std::move(wakes)) {}

  std::optional<SmpRequest> next_request(TimePoint now) override {
    over_ = now >= until_ || (wakes_ && wakes_());
    return std::nullopt;
  }
  void on_answer(RequestTag, const SmpAnswer&) override {}
  TimePoint deadline() const override { return until_; }
  bool finished() const override { return over_; }

 private:
  TimePoint until_;
  std::function<bool()> wakes_;
  bool over_ = false;
};

}  // namespace rch::hw
