#include "cli/confirmation.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "cli/loaded.h"

namespace rch::cli {

Result<std::chrono::seconds> confirm_time(std::string_view text) {
  constexpr std::pair<char, std::uint64_t> kUnits[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
  constexpr std::uint64_t kDay = 86400;
  std::string_view digits = text;
  std::uint64_t seconds = 1;
  for (const auto& [letter, of_unit] : kUnits)
    if (text.ends_with(letter)) {
      seconds = of_unit;
      digits.remove_suffix(1);
    }
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  if (is_number && count > 0 && count <= kDay / seconds) return std::chrono::seconds(count * seconds);
  return fail(
      ErrorKind::usage,
      fmt::format("a whole number of seconds, minutes or hours from 1s to 24h is allowed (90s, 5m, 2h; "
                  "90 is 90s), not `{}`",
                  text));
}

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
