#include "sa/rmpp_datagram.h"

#include <algorithm>

namespace rch::sa {

namespace h = hw::mad_header;

TransferKey transfer_key(const hw::Datagram& datagram) {
  return {.lid = datagram.lid,
          .queue_pair = datagram.queue_pair,
          .transaction = get(datagram.mad, h::kTransaction)};
}

RmppFields rmpp_fields(const hw::Mad& mad) {
  return {.type = static_cast<RmppType>(get(mad, header::kRmppType)),
          .flags = static_cast<std::uint8_t>(get(mad, header::kRmppFlags)),
          .status = static_cast<RmppStatus>(get(mad, header::kRmppStatus)),
          .segment = static_cast<std::uint32_t>(get(mad, header::kSegment)),
          .length = static_cast<std::uint32_t>(get(mad, header::kPayloadLength))};
}

void set_rmpp_fields(hw::Mad& mad, const RmppFields& fields) {
  set(mad, header::kRmppVersion, kRmppVersion);
  set(mad, header::kRmppType, static_cast<std::uint64_t>(fields.type));
  set(mad, header::kResponseTime, kNoResponseTime);
  set(mad, header::kRmppFlags, fields.flags);
  set(mad, header::kRmppStatus, static_cast<std::uint64_t>(fields.status));
  set(mad, header::kSegment, fields.segment);
  set(mad, header::kPayloadLength, fields.length);
}

hw::Datagram rmpp_answer(const hw::Datagram& datagram, const RmppFields& fields) {
  hw::Datagram answer = datagram;
  std::fill(answer.mad.begin() + header::kData, answer.mad.end(), std::uint8_t{0});
  set(answer.mad, h::kResponse, 1 - get(datagram.mad, h::kResponse));
  set_rmpp_fields(answer.mad, fields);
  return answer;
}

RmppFields rmpp_end(RmppStatus status) {
  const bool stop = status == RmppStatus::no_resources;
  return {.type = stop ? RmppType::stop : RmppType::abort, .status = status};
}

}  // namespace rch::sa
