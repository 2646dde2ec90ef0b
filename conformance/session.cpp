#include "conformance/session.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/attributes.h"
#include "hw/causes.h"

namespace rch::conformance {
namespace {

constexpr hw::Field kSubscribe{23, 0, 8};

}  // namespace

Request subscription(std::uint16_t trap, bool subscribe, std::uint32_t queue_pair) {
  std::vector<std::uint8_t> data(36);
  hw::set(data, {16, 0, 16}, 0xFFFF);  // of any LID
  hw::set(data, {22, 0, 8}, 1);        // generic
  hw::set(data, kSubscribe, subscribe ? 1 : 0);
  hw::set(data, {24, 0, 16}, 0xFFFF);  // of any type
  hw::set(data, {26, 0, 16}, trap);
  hw::set(data, {28, 0, 24}, queue_pair);
  hw::set(data, {31, 3, 5}, 18);  // response time: a second
  hw::set(data, {33, 0, 24}, 0xFFFFFF);
  return {.method = method::kSet, .attribute = attribute::kInformInfo, .mask = 0, .data = data};
}

Result<Session> Session::begin(Client& client, const Settings& settings) {
  Session session(client, settings);
  if (auto found = session.find_host(); !found) return tl::unexpected(found.error());
  const Reply trusted = client.ask({.attribute = attribute::kClassPortInfo, .key = settings.sa_key}, 2);
  if (settings.sa_key != 0 && trusted.good()) session.key_ = settings.sa_key;
  return session;
}

Result<void> Session::find_host() {
  const std::uint64_t m_key = settings_.m_key.value_or(0);
  const auto ask_own = [&](hw::Attribute attribute, std::uint32_t modifier) {
    return client_->ask_agent({.to = hw::Route{}, .attribute = attribute, .modifier = modifier}, m_key);
  };
  const auto node = ask_own(hw::Attribute::node_info, 0);
  const auto port = ask_own(hw::Attribute::port_info, 0);
  const auto keys = ask_own(hw::Attribute::p_key_table, 0);
  if (!node || !port)
    return fail(hw::causes::kOwnPortFault,
                "the port of this machine does not tell its NodeInfo and PortInfo");
  const auto node_info = hw::decode<hw::NodeInfo>(*node);
  const auto port_info = hw::decode<hw::PortInfo>(*port);
  host_ = {.guid = node_info.port_guid,
           .prefix = port_info.gid_prefix,
           .lid = port_info.lid,
           .port_number = node_info.local_port.value,
           .mtu = port_info.neighbor_mtu,
           .pkeys = {}};
  for (std::uint16_t at = 0; keys && at < keys->size(); at = static_cast<std::uint16_t>(at + 2))
    if (const auto key = static_cast<std::uint16_t>(hw::get(*keys, {at, 0, 16})); (key & 0x7FFFU) != 0)
      host_.pkeys.push_back(key);
  server_ = port_info.master_sm_lid;
  if (server_ == kUnassignedLid || host_.lid == kUnassignedLid)
    return fail(hw::causes::kOwnPortFault, "no subnet manager has set up the port of this machine");
  client_->set_server(server_, port_info.master_sm_sl);
  return {};
}

std::uint16_t Session::pkey() const {
  const auto full = std::ranges::find_if(host_.pkeys, [](std::uint16_t key) { return (key & 0x8000U) != 0; });
  return full != host_.pkeys.end() ? *full
         : host_.pkeys.empty()     ? std::uint16_t{0xFFFF}
                                   : host_.pkeys.front();
}

/// Before it is sent: a request whose answer is lost may have been carried out.
void Session::remember(const Request& request) {
  if (request.method != method::kSet) return;
  Request undo = request;
  if (request.attribute == attribute::kServiceRecord) {
    undo.method = method::kDelete;
    undo_.push_back(undo);
  } else if (request.attribute == attribute::kInformInfo && hw::get(request.data, kSubscribe) == 1) {
    hw::set(undo.data, kSubscribe, 0);
    hw::set(undo.data, {28, 0, 24}, 1);
    undo_.push_back(undo);
  } else if (request.attribute == attribute::kMcMemberRecord) {
    memberships_.emplace_back(gid(kMcMemberRecord, request.data, "MGID"),
                              gid(kMcMemberRecord, request.data, "PortGID"));
  }
}

Reply Session::ask(const Request& request) {
  remember(request);
  Reply reply = client_->ask(request);
  const bool joins = request.method == method::kSet && request.attribute == attribute::kMcMemberRecord;
  if (joins && reply.good() &&
      reply.data.size() >= kMcMemberRecord.size)  // subnet administration may choose the MGID
    memberships_.back().first = gid(kMcMemberRecord, reply.data, "MGID");
  return reply;
}

Gid Session::own_group(std::uint8_t number) const {
  constexpr std::uint64_t kTransientLinkLocal = 0xFF12A01C00005250;
  return make_gid(kTransientLinkLocal + (std::uint64_t{number} << 16U), host_.guid.value);
}

Fields Session::membership(const Gid& mgid, const Gid& port, unsigned join_state) const {
  return Fields(kMcMemberRecord)
      .set("MGID", mgid)
      .set("PortGID", port)
      .set("JoinState", std::uint64_t{join_state});
}

Fields Session::creation(const Gid& mgid, unsigned join_state) const {
  constexpr std::uint64_t kQKeyOfOurs = 0x52434801;
  return membership(mgid, host_.gid(), join_state)
      .set("Q_Key", kQKeyOfOurs)
      .set("TClass", std::uint64_t{0})
      .set("P_Key", std::uint64_t{pkey()})
      .set("FlowLabel", std::uint64_t{0})
      .set("SL", std::uint64_t{0});
}

std::optional<Gid> Session::other_host(std::size_t index) {
  if (!others_) {
    others_.emplace();
    constexpr std::uint64_t kChannelAdapter = 1;
    const Record& nodes = kFabricRecords.front();
    const Reply reply =
        client_->ask(Fields(nodes).set("NodeType", kChannelAdapter).request(method::kGetTable));
    for (std::size_t i = 0; i < reply.count(); ++i) {
      const std::uint64_t guid = number(nodes, reply.record(i), "PortGUID");
      if (guid != host_.guid.value) others_->push_back(make_gid(host_.prefix, guid));
    }
  }
  return index < others_->size() ? std::optional((*others_)[index]) : std::nullopt;
}

unsigned Session::join_state(const Gid& mgid, const Gid& port) {
  const Reply reply = client_->ask(
      Fields(kMcMemberRecord).set("MGID", mgid).set("PortGID", port).request(method::kGet, key_.value_or(0)));
  if (!reply.good() || reply.data.size() < kMcMemberRecord.size) return 0;
  return static_cast<unsigned>(number(kMcMemberRecord, reply.data, "JoinState"));
}

void Session::leave(const Gid& mgid, const Gid& port) {
  if (const unsigned state = join_state(mgid, port); state != 0)
    client_->ask(membership(mgid, port, state).request(method::kDelete, key_.value_or(0)));
}

/// A signal that comes now ends the run behind the cleaning, not within it.
void Session::clean() {
  client_->set_cleaning(true);
  for (; !undo_.empty(); undo_.pop_back()) client_->ask(undo_.back());
  std::ranges::sort(memberships_);
  memberships_.erase(std::unique(memberships_.begin(), memberships_.end()), memberships_.end());
  for (; !memberships_.empty(); memberships_.pop_back())
    leave(memberships_.back().first, memberships_.back().second);
  client_->set_cleaning(false);
}

std::string Session::registrations() {
  const Reply groups =
      client_->ask(Fields(kMcMemberRecord).set("PortGID", host_.gid()).request(method::kGetTable));
  const Reply services =
      client_->ask(Fields(kServiceRecord).set("ServiceGID", host_.gid()).request(method::kGetTable));
  const Reply subscriptions =
      client_->ask(Fields(kInformInfoRecord).set("SubscriberGID", host_.gid()).request(method::kGetTable));
  return fmt::format("memberships: {}, services: {}, subscriptions: {}", groups.text(), services.text(),
                     subscriptions.text());
}

}  // namespace rch::conformance
