#include "hw/mastership.h"

#include <algorithm>

#include <fmt/format.h>

namespace rch::hw {
namespace {

constexpr std::uint8_t kHighestPriority = 15;
/// SMInfo modifier by which a master hands the fabric over.
constexpr std::uint32_t kHandover = 1;
/// A master that does not hand over is asked again this often, this many times.
constexpr Milliseconds kPollEvery{50};
constexpr int kPolls = 60;

/// A silent SM counts as master when it is the one our port was told to send its traps to.
bool is_master(const LiveFabric& live, const OtherSm& sm) {
  if (sm.answered) return sm.info.state == SmState::master;
  const Lid known = live.info(live.local).master_sm_lid;
  return known != kUnassignedLid && known == live.info(sm.port).lid;
}

bool says_master(const OtherSm& sm) { return sm.answered && sm.info.state == SmState::master; }

std::string describe(const LiveFabric& live, const OtherSm& sm) {
  const fabric::Node& node = live.fabric.node(live.fabric.port(sm.port).node);
  const std::string rank =
      sm.answered ? fmt::format("priority {}", sm.info.priority) : std::string("does not answer");
  return fmt::format("{} of `{}` (LID {}, {})", sm.guid, node.description, live.info(sm.port).lid, rank);
}

/// The manager that our port knows may sit behind a port that does not answer.
Result<void> check_no_hidden_master(const LiveFabric& live) {
  const Lid known = live.info(live.local).master_sm_lid;
  if (live.quarantine.empty() || known == kUnassignedLid || live.fabric.lid_owner(known)) return {};
  return fail(
      ErrorKind::fabric,
      fmt::format("our port knows a subnet manager at LID {}, which may be behind {}: {}; nothing was "
                  "written (take the fabric from it with `--takeover`)",
                  known, live.quarantine.front().place, live.quarantine.front().reason));
}

}  // namespace

Result<void> check_no_master(const LiveFabric& live, const ManagerOptions& options) {
  if (options.takeover) return {};
  for (const OtherSm& sm : live.other_sms) {
    if (!is_master(live, sm)) continue;
    return fail(
        ErrorKind::fabric,
        fmt::format("the fabric has a master subnet manager: {}; nothing was written (stop it, or take the "
                    "fabric from it with `--takeover`)",
                    describe(live, sm)));
  }
  return check_no_hidden_master(live);
}

bool answer_sm_info(Datagram& datagram, const SmInfo& own) {
  namespace h = mad_header;
  const auto method = static_cast<Method>(get(datagram.mad, h::kMethod));
  const auto attribute = static_cast<Attribute>(get(datagram.mad, h::kAttribute));
  if (attribute != Attribute::sm_info || (method != Method::get && method != Method::set)) return false;
  const bool directed = get(datagram.mad, h::kClass) == static_cast<std::uint8_t>(MadClass::directed_route);
  const bool refused = method == Method::set && get(datagram.mad, h::kModifier) != kHandover;
  set(datagram.mad, h::kMethod, static_cast<std::uint8_t>(Method::get_resp));
  set(datagram.mad, h::kStatus, (directed ? 0x8000U : 0U) | (refused ? kStatusInvalidValue : 0U));
  std::ranges::copy(encode(own), datagram.mad.begin() + h::kData);
  return true;
}

Takeover::Takeover(const LiveFabric& live) : live_(live) {
  std::ranges::copy_if(live.other_sms, std::back_inserter(masters_),
                       [&](const OtherSm& sm) { return is_master(live, sm); });
}

std::optional<SmpRequest> Takeover::next_request(TimePoint now) {
  if (finished()) return std::nullopt;
  if (asked_.complete()) {
    if (!ask_at_) ask_at_ = now + kPollEvery;
    if (now < *ask_at_) return std::nullopt;
    ask_at_.reset();
    ++polls_;
    asked_ = Progress(masters_.size());
  }
  const auto next = asked_.take();
  if (!next) return std::nullopt;
  return SmpRequest{.to = live_.routes[masters_[*next].port.index()],
                    .attribute = Attribute::sm_info,
                    .tag = {.item = *next}};
}

void Takeover::on_answer(RequestTag tag, const SmpAnswer& answer) {
  asked_.on_answer();
  masters_[tag.item].read(answer);
}

bool Takeover::finished() const {
  return asked_.complete() && (polls_ == kPolls || std::ranges::none_of(masters_, says_master));
}

SmInfo Takeover::own_info(const ManagerOptions& options) const {
  return {.guid = live_.fabric.port(live_.local).guid,
          .key = options.sm_key,
          .priority = masters_.empty() ? options.sm_priority : kHighestPriority,
          .state = SmState::master};
}

std::vector<std::string> Takeover::remarks() const {
  std::vector<std::string> remarks;
  remarks.reserve(masters_.size());
  for (const OtherSm& sm : masters_)
    remarks.push_back(fmt::format("subnet manager {} {}", describe(live_, sm),
                                  says_master(sm) ? "did not hand over and was overwritten" : "handed over"));
  return remarks;
}

}  // namespace rch::hw
