#pragma once

#include <vector>

#include "hw/exchange.h"
#include "hw/progress.h"

namespace rch::hw {

/// Asks each question of a list once.
class Inquiry : public Machine {
 public:
  explicit Inquiry(std::vector<SmpRequest> questions)
      : questions_(std::move(questions)), answers_(questions_.size()), progress_(questions_.size()) {}

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
  bool finished() const override { return progress_.complete(); }

  /// By question; complete when finished.
  const std::vector<SmpAnswer>& answers() const { return answers_; }

 private:
  std::vector<SmpRequest> questions_;
  std::vector<SmpAnswer> answers_;
  Progress progress_;
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
  explicit Pause(TimePoint until) : until_(until) {}

  std::optional<SmpRequest> next_request(TimePoint now) override {
    over_ = now >= until_;
    return std::nullopt;
  }
  void on_answer(RequestTag, const SmpAnswer&) override {}
  TimePoint deadline() const override { return until_; }
  bool finished() const override { return over_; }

 private:
  TimePoint until_;
  bool over_ = false;
};

}  // namespace rch::hw
