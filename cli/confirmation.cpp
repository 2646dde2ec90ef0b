#include "cli/confirmation.h"

#include <utility>

#include "cli/service.h"

namespace rch::cli {

void Confirmation::wait(std::uint64_t job, const Loaded& running, hw::TimePoint until,
                        std::string until_text) {
  if (state_ != State::waiting) confirmed_ = std::make_shared<const Loaded>(running);
  state_ = State::waiting;
  job_ = job;
  until_ = until;
  until_text_ = std::move(until_text);
}

const Loaded& Confirmation::come_back() {
  state_ = State::came_back;
  return *confirmed_;
}

Json Confirmation::status() const {
  switch (state_) {
    case State::waiting:
      return {{"state", "waiting"}, {"job", job_}, {"until", until_text_}};
    case State::came_back:
      return {{"state", "came_back"}, {"job", job_}};
    case State::confirmed:
      break;
  }
  return {};
}

}  // namespace rch::cli
