#include "hw/mastership.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/discovery.h"

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
  if (sm.answered) return sm.state == SmState::master;
  const auto known = get(live.port_info[live.local.index()], port_info::kMasterSmLid);
  return known != 0 && known == get(live.port_info[sm.port.index()], port_info::kLid);
}

std::string describe(const LiveFabric& live, const OtherSm& sm) {
  const fabric::Node& node = live.fabric.node(live.fabric.port(sm.port).node);
  const auto lid = get(live.port_info[sm.port.index()], port_info::kLid);
  const std::string rank = sm.answered ? fmt::format("priority {}", sm.priority) : "does not answer";
  return fmt::format("{} of `{}` (LID {}, {})", sm.guid, node.description, lid, rank);
}

/// Answers Get(SMInfo) as master; of the Sets a master only agrees to a handover.
bool answer_sm_info(Datagram& datagram, const SmpData& own) {
  namespace h = mad_header;
  const auto method = static_cast<Method>(get(datagram.mad, h::kMethod));
  const auto attribute = static_cast<Attribute>(get(datagram.mad, h::kAttribute));
  if (attribute != Attribute::sm_info || (method != Method::get && method != Method::set)) return false;
  const bool directed = get(datagram.mad, h::kClass) == static_cast<std::uint8_t>(MadClass::directed_route);
  const bool refused = method == Method::set && get(datagram.mad, h::kModifier) != kHandover;
  set(datagram.mad, h::kMethod, static_cast<std::uint8_t>(Method::get_resp));
  set(datagram.mad, h::kStatus, (directed ? 0x8000U : 0U) | (refused ? kStatusInvalidValue : 0U));
  std::copy(own.begin(), own.end(), datagram.mad.begin() + h::kData);
  return true;
}

Result<void> ask_again(SmpClient& client, const LiveFabric& live, std::vector<OtherSm>& masters) {
  for (OtherSm& sm : masters) {
    client.submit({.route = live.routes[sm.port.index()], .attribute = Attribute::sm_info},
                  [&sm](const SmpAnswer& answer) { read_sm_info(answer, sm); });
  }
  return client.wait_all();
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
  return {};
}

Result<std::vector<std::string>> become_master(SmpClient& client, const LiveFabric& live,
                                               const ManagerOptions& options) {
  std::vector<OtherSm> masters;
  std::copy_if(live.other_sms.begin(), live.other_sms.end(), std::back_inserter(masters),
               [&](const OtherSm& sm) { return is_master(live, sm); });
  SmpData own{};
  set(own, sm_info::kGuid, live.fabric.port(live.local).guid.value);
  set(own, sm_info::kKey, options.sm_key);
  set(own, sm_info::kPriority, masters.empty() ? options.sm_priority : kHighestPriority);
  set(own, sm_info::kState, static_cast<std::uint8_t>(SmState::master));
  auto shown = client.become_manager([own](Datagram& datagram) { return answer_sm_info(datagram, own); });
  if (!shown) return tl::unexpected(shown.error());

  const auto still = [](const OtherSm& sm) { return sm.answered && sm.state == SmState::master; };
  for (int poll = 0; poll < kPolls && std::any_of(masters.begin(), masters.end(), still); ++poll) {
    client.serve(kPollEvery);
    if (auto asked = ask_again(client, live, masters); !asked) return tl::unexpected(asked.error());
  }
  std::vector<std::string> remarks;
  remarks.reserve(masters.size());
  for (const OtherSm& sm : masters) {
    remarks.push_back(fmt::format("subnet manager {} {}", describe(live, sm),
                                  still(sm) ? "did not hand over and was written over" : "handed over"));
  }
  return remarks;
}

}  // namespace rch::hw
