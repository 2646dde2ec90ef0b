#pragma once

// Subnet management packets as requests and answers, and how they look on the wire (IBA 14.2.1).

#include <cstdint>
#include <variant>

#include "base/ids.h"
#include "hw/mad.h"
#include "hw/route.h"
#include "hw/transport.h"

namespace rch::hw {

/// Where an SMP goes: along a directed route, or to a LID. A LID needs ports in state ACTIVE on the way.
using Address = std::variant<Route, Lid>;

/// Machines that share a client have an owner id each.
using OwnerId = Id<struct OwnerTag, std::uint32_t>;
/// Names a request in its answer. The machine that asks chooses `item`, whoever runs several machines
/// `owner`.
struct RequestTag {
  OwnerId owner{};
  std::uint64_t item = 0;

  friend bool operator==(const RequestTag&, const RequestTag&) = default;
};

/// Key of the limit per node. Any numbering will do; none() has no limit.
using NodeKey = Id<struct NodeKeyTag, std::uint32_t>;

/// How many attempts a request that is not answered has.
enum class Patience : std::uint8_t {
  loss,   ///< as many as loss explains, and `retries` + 1 patient ones
  brief,  ///< `retries` + 1 patient ones whatever the loss is: silence is an answer, too
  again,  ///< it was asked before: as many as loss explains, and one patient one
};

struct SmpRequest {
  Address to{};
  Method method = Method::get;
  Attribute attribute = Attribute::node_info;
  std::uint32_t modifier = 0;
  SmpData data{};  ///< of a Set
  NodeKey node = NodeKey::none();
  RequestTag tag{};
  Patience patience = Patience::loss;
};

struct SmpAnswer {
  bool answered = false;     ///< false: no answer to any attempt, or the request was cancelled
  std::uint16_t status = 0;  ///< MAD status, direction bit removed
  SmpData data{};
  bool foreign_key = false;  ///< Get(PortInfo) showed an M_Key that is none of ours (SmpOptions::sets_follow)
  bool good() const { return answered && status == 0; }
};

/// The datagram of one attempt.
Datagram encode(const SmpRequest& request, std::uint32_t transaction, std::uint64_t m_key);
/// True if the header of `datagram` is that of `request`, in either direction. The transaction is not
/// compared.
bool belongs_to(const Datagram& datagram, const SmpRequest& request);
/// True if `datagram`, which belongs to the request, answers it and is no echo.
bool is_answer_to(const Datagram& datagram, const SmpRequest& request);
/// `datagram` must be an answer.
SmpAnswer decode_answer(const Datagram& datagram);

}  // namespace rch::hw
