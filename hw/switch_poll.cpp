#include "hw/switch_poll.h"

namespace rch::hw {

SwitchPoll::SwitchPoll(std::vector<Question> questions, std::function<bool()> wakes)
    : questions_(std::move(questions)), progress_(questions_.size()), wakes_(std::move(wakes)) {}

std::optional<SmpRequest> SwitchPoll::next_request(TimePoint now) {
  if (!changed_.empty() && std::exchange(heard_, false)) patient_until_ = now + kPatience;
  hurries_ = now >= patient_until_;
  const auto next = hurries_ ? std::nullopt : progress_.take();
  if (!next) return std::nullopt;
  SmpRequest request = questions_[*next].request;
  request.tag = {.item = *next};
  return request;
}

void SwitchPoll::on_answer(RequestTag tag, const SmpAnswer& answer) {
  progress_.on_answer();
  const bool of_silent_cable = questions_[tag.item].of_silent_cable;
  if (!answer.good() && of_silent_cable) return;
  if (!answer.good()) return silent_.push_back(tag.item);
  heard_ = true;
  if (of_silent_cable) return changed_.push_back(tag.item);
  const auto info = decode<SwitchInfo>(answer.data);
  if (info.port_state_change || info.linear_top != questions_[tag.item].linear_top)
    changed_.push_back(tag.item);
}

std::vector<std::size_t> SwitchPoll::changed() const {
  std::vector<std::size_t> all = changed_;
  if (progress_.complete()) all.insert(all.end(), silent_.begin(), silent_.end());
  return all;
}

}  // namespace rch::hw
