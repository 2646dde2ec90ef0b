// What a master tells managers that stand by. Whatever the bytes are, what is read is written as the same.
// The rest of the input is a state behind a good hash: one that follows takes it or leaves it.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fabric_target.h"
#include "sa/follower.h"

namespace {

using namespace rch;

/// A whole answer in one segment.
hw::Datagram answer_to(const hw::Datagram& question, std::span<const std::uint8_t> records) {
  namespace h = hw::mad_header;
  hw::Datagram answer = question;
  set(answer.mad, h::kResponse, 1);
  sa::set_rmpp_fields(answer.mad,
                      {.type = sa::RmppType::data,
                       .flags = sa::rmpp_flags::kActive | sa::rmpp_flags::kFirst | sa::rmpp_flags::kLast,
                       .segment = 1,
                       .length = static_cast<std::uint32_t>(sa::kSegmentHeader + records.size())});
  std::ranges::copy(records, answer.mad.begin() + sa::header::kData);
  return answer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  if (const auto state = sa::decode_state(input)) require(sa::decode_state(sa::encode(*state)) == *state);
  if (size < 4) return 0;
  const sa::ManagerState bent{.now = {data[0], data[1], data[2], data[3]},
                              .counts = data[0] % 2 != 0,
                              .afresh = data[1] % 2 != 0,
                              .plan = data[2] % 2 != 0 ? std::optional(std::string(1, 'x')) : std::nullopt,
                              .lids = data[3] % 2 != 0 ? std::optional(std::string()) : std::nullopt,
                              .records = {data, data + std::min<std::size_t>(size, 64)}};
  sa::Follower follower([](sa::Follower::News, const std::string&) {});
  const hw::TimePoint now{};
  follower.follow(Lid(1), 0, 1, now);
  follower.on_time(now);
  std::vector<hw::OutgoingDatagram> asked;
  follower.take_datagrams(asked);
  follower.on_datagram(answer_to(asked.at(0).datagram, sa::encode(bent)), now);
  require(follower.followed() == nullptr);  // a plan of one letter is none
  if (size <= sa::kDataSize) follower.on_datagram(answer_to(asked.at(0).datagram, input), now);
  return 0;
}
