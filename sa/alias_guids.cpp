#include "sa/alias_guids.h"

#include <algorithm>

#include "hw/mad.h"

namespace rch::sa {
namespace {

using hw::Field;

constexpr std::size_t kTable = 8;
constexpr Field kLid{0, 0, 16}, kBlock{2, 0, 8};
constexpr unsigned kLidPart = 0, kBlockPart = 1, kFirstGuidPart = 4;

Field guid_field(std::size_t index) { return {static_cast<std::uint16_t>(kTable + 8 * index), 0, 64}; }

bool selects(const Query& query, std::size_t index) {
  return query.has(kFirstGuidPart + static_cast<unsigned>(index));
}

std::vector<std::uint8_t> record_of(Lid lid, std::uint8_t block, const GuidBlock& guids) {
  std::vector<std::uint8_t> record(AliasGuids::kSize);
  hw::set(record, kLid, lid.value);
  hw::set(record, kBlock, block);
  for (std::size_t i = 0; i < guids.size(); ++i) hw::set(record, guid_field(i), guids[i].value);
  return record;
}

JournalRecord registration(Guid port, std::uint8_t block, const GuidBlock& guids, bool gone) {
  return {.attribute = Attribute::guid_info_record,
          .gone = gone,
          .port = port,
          .record = record_of(kUnassignedLid, block, guids)};
}

/// The one that the port came with is none.
bool is_alias(std::uint8_t block, std::size_t index) { return block != 0 || index != 0; }

bool has_aliases(std::uint8_t block, const GuidBlock& guids) {
  for (std::size_t i = 0; i < guids.size(); ++i)
    if (is_alias(block, i) && guids[i] != Guid{}) return true;
  return false;
}

bool is_member_of_a_group(const MulticastGroups& groups, Guid guid) {
  return std::ranges::any_of(groups.all(),
                             [guid](const auto& entry) { return entry.second.member(guid) != nullptr; });
}

}  // namespace

std::variant<GuidWrite, Answer> AliasGuids::change(const Snapshot& snapshot, const Requester& requester,
                                                   const Query& query, const MulticastGroups& groups) {
  const auto refuse = [](Status status) { return Answer{.status = status}; };
  if (!query.has(kLidPart) || !query.has(kBlockPart)) return refuse(Status::insufficient_components);
  const auto lid = Lid(static_cast<std::uint16_t>(get(query.record, kLid)));
  const auto number = static_cast<std::uint8_t>(get(query.record, kBlock));
  const auto port = snapshot.fabric().lid_owner(lid);
  if (!port) return refuse(Status::no_records);
  if (!requester.trusted && *port != requester.port) return refuse(Status::request_denied);
  if (number * kGuidsOfBlock >= snapshot.ports[port->index()].guid_cap) return refuse(Status::no_records);
  if (number == 0 && selects(query, 0)) return refuse(Status::request_invalid);
  GuidWrite write{.port = snapshot.fabric().port(*port).guid, .block = number};
  write.guids = block(write.port, number);
  const GuidBlock before = write.guids;
  const bool sets = query.method == Method::set;
  const Status status = sets ? set_guids(snapshot, query, write) : remove_guids(query, groups, write);
  if (status != Status::good) return refuse(status);
  GuidBlock told{};
  for (std::size_t i = 0; i < told.size(); ++i)
    if (selects(query, i)) told[i] = sets ? write.guids[i] : before[i];
  write.answer = {.record_size = kSize, .records = record_of(lid, number, told)};
  return write;
}

/// A GUID that somebody else has is not given, and comes back as 0. For 0 one is made up.
Status AliasGuids::set_guids(const Snapshot& snapshot, const Query& query, GuidWrite& write) {
  const unsigned room = snapshot.ports[snapshot.fabric().find_port(write.port)->index()].guid_cap;
  for (std::size_t i = 0; i < write.guids.size(); ++i) {
    if (!selects(query, i) || write.block * kGuidsOfBlock + i >= room) continue;
    const Guid asked(get(query.record, guid_field(i)));
    if (asked != Guid{} && asked == write.guids[i]) continue;
    write.guids[i] = Guid{};
    if (asked == Guid{}) {
      const auto made = unused(snapshot, write.guids);
      if (!made) return Status::no_resources;
      write.guids[i] = *made;
    } else if (is_free(snapshot.fabric(), asked, write.guids)) {
      write.guids[i] = asked;
    }
  }
  return Status::good;
}

Status AliasGuids::remove_guids(const Query& query, const MulticastGroups& groups, GuidWrite& write) const {
  for (std::size_t i = 0; i < write.guids.size(); ++i) {
    if (!selects(query, i)) continue;
    if (write.guids[i] != Guid{} && is_member_of_a_group(groups, write.guids[i]))
      return Status::request_denied;
    write.guids[i] = Guid{};
  }
  return Status::good;
}

bool AliasGuids::is_free(const fabric::Fabric& fabric, Guid guid, const GuidBlock& block) const {
  return !fabric.find_port(guid) && !owners_.contains(guid) && std::ranges::find(block, guid) == block.end();
}

/// As OpenSM makes them: the OUI of OpenFabrics, the byte of `sm_assigned_guid`, 0, and 24 bits of a count.
std::optional<Guid> AliasGuids::unused(const Snapshot& snapshot, const GuidBlock& block) {
  constexpr std::uint64_t kOui = 0x001405ULL << 40U, kCounted = (1U << 24U) - 1;
  constexpr unsigned kTries = 1U << 16;
  const std::uint64_t base = kOui | std::uint64_t{snapshot.plan.options.administration.assigned_guid} << 32U;
  for (unsigned i = 0; i < kTries; ++i) {
    const Guid guid(base | (++last_unique_ & kCounted));
    if (is_free(snapshot.fabric(), guid, block)) return guid;
  }
  return std::nullopt;
}

void AliasGuids::note(const GuidWrite& written) {
  put({written.port, written.block}, written.guids);
  const bool gone = !has_aliases(written.block, written.guids);
  changes_.push_back(registration(written.port, written.block, written.guids, gone));
}

void AliasGuids::put(const Place& place, const GuidBlock& guids) {
  std::erase_if(owners_, [&, old = block(place.first, place.second)](const auto& entry) {
    return entry.second == place.first && std::ranges::find(old, entry.first) != old.end();
  });
  blocks_.erase(place);
  if (!has_aliases(place.second, guids)) return;
  blocks_[place] = guids;
  for (std::size_t i = 0; i < guids.size(); ++i)
    if (is_alias(place.second, i) && guids[i] != Guid{}) owners_[guids[i]] = place.first;
}

std::optional<Guid> AliasGuids::owner(Guid alias) const {
  const auto at = owners_.find(alias);
  return at == owners_.end() ? std::nullopt : std::optional(at->second);
}

GuidBlock AliasGuids::block(Guid port, std::uint8_t number) const {
  if (const auto at = blocks_.find({port, number}); at != blocks_.end()) return at->second;
  GuidBlock block{};
  if (number == 0) block[0] = port;
  return block;
}

void AliasGuids::follow(const fabric::Fabric& fabric) {
  std::erase_if(blocks_, [&](const auto& entry) {
    if (fabric.find_port(entry.first.first)) return false;
    changes_.push_back(registration(entry.first.first, entry.first.second, {}, true));
    return true;
  });
  std::erase_if(owners_, [&](const auto& entry) { return !fabric.find_port(entry.second); });
}

void AliasGuids::list(std::vector<JournalRecord>& out) const {
  for (const auto& [place, guids] : blocks_)
    out.push_back(registration(place.first, place.second, guids, false));
}

void AliasGuids::restore(std::span<const JournalRecord> records) {
  blocks_.clear();
  owners_.clear();
  changes_.clear();
  for (const JournalRecord& record : records) {
    if (record.attribute != Attribute::guid_info_record || record.record.size() != kSize) continue;
    GuidBlock guids{};
    for (std::size_t i = 0; !record.gone && i < guids.size(); ++i)
      guids[i] = Guid(get(record.record, guid_field(i)));
    put({record.port, static_cast<std::uint8_t>(get(record.record, kBlock))}, guids);
  }
}

std::optional<PortId> find_port(const Snapshot& snapshot, const Query& query, Guid guid) {
  if (const auto port = snapshot.fabric().find_port(guid)) return port;
  const auto owner = query.aliases == nullptr ? std::nullopt : query.aliases->owner(guid);
  return owner ? snapshot.fabric().find_port(*owner) : std::nullopt;
}

}  // namespace rch::sa
