#pragma once

// One request to subnet administration and its answer, without the datagrams that carry them.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "fabric/fabric.h"
#include "sa/mad.h"

namespace rch::sa {

/// Who asks. The port is known from the source LID of the datagram.
struct Requester {
  PortId port{};
  bool trusted = false;  ///< sent our SM_Key: sees all ports and all fields (IBA 15.4)
};

class AliasGuids;

/// A request. `record` are the 200 bytes behind the header, or what RMPP assembled.
struct Query {
  Method method = Method::get;
  Attribute attribute{};
  std::uint32_t modifier = 0;
  std::uint64_t mask = 0;  ///< component mask: bit n selects component n of the record
  std::span<const std::uint8_t> record{};

  bool in_segments = false;             ///< came by RMPP
  const AliasGuids* aliases = nullptr;  ///< null: nobody has any

  bool has(unsigned component) const { return (mask >> component & 1) != 0; }
};

/// A part of a request, or the status by which it is refused.
template <class T>
using Read = tl::expected<T, Status>;

/// `records` are whole records one behind the other, each of `record_size` bytes, a multiple of 8.
/// Empty if `status` is not good.
struct Answer {
  Status status = Status::good;
  std::size_t record_size = 0;
  std::vector<std::uint8_t> records{};
  std::optional<Attribute> attribute{};  ///< of the records, if it is not that of the request
  std::string why{};  ///< a group is not joined; empty: it is, or that is not what was asked
};

}  // namespace rch::sa
