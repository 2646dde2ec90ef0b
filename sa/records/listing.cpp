#include "sa/records/listing.h"

#include <cstring>

namespace rch::sa {
namespace {

/// Bytes of an answer: the largest fabrics we know stay below, and one query must not take all the memory.
constexpr std::size_t kMostBytes = std::size_t{128} << 20;

}  // namespace

Listing::Listing(const RecordType& type, const Snapshot& snapshot, const Requester& requester,
                 const Query& query)
    : type_(type), snapshot_(snapshot), requester_(requester), query_(query) {
  most_ =
      query.method == Method::get ? 2 * type.size : kMostBytes;  // two are enough to know that there are many
  std::copy_n(query.record.begin(), std::min(query.record.size(), type.size), example_.begin());
  for (const Component& component : type.components)
    if (query.has(component.number)) select(component);
}

void Listing::select(const Component& component) {
  const bool all_bits_set = component.number == type_.bits_component && (query_.modifier >> 31) != 0;
  for (unsigned bit = component.first_bit; bit < component.first_bit + std::size_t{component.width}; ++bit) {
    const unsigned here = 0x80U >> bit % 8;
    mask_[bit / 8] =
        static_cast<std::uint8_t>(mask_[bit / 8] | (all_bits_set ? example_[bit / 8] & here : here));
  }
}

bool Listing::matches(const Bytes& compared) const {
  std::uint64_t record[kWords], example[kWords], mask[kWords], difference = 0;
  std::memcpy(record, compared.data(), sizeof record);
  std::memcpy(example, example_.data(), sizeof example);
  std::memcpy(mask, mask_.data(), sizeof mask);
  for (std::size_t i = 0; i < kWords; ++i) difference |= (record[i] ^ example[i]) & mask[i];
  return difference == 0;
}

bool Listing::lid_selects(unsigned number, hw::Field field, PortId end_port) const {
  return !query_.has(number) || fabric().lid_owner(Lid(static_cast<std::uint16_t>(value(field)))) == end_port;
}

Listing::Range Listing::numbers(unsigned number, hw::Field field, unsigned first, unsigned last) const {
  if (!query_.has(number)) return {first, last};
  const auto one = static_cast<unsigned>(value(field));
  return one < first || one > last ? Range{1, 0} : Range{one, one};
}

std::span<std::uint8_t> Listing::begin(Lid lid) {
  record_ = {};
  set(record_, kLid, lid.value);
  return record_;
}

void Listing::offer(std::initializer_list<hw::Field> ignored) {
  Bytes compared = record_;
  for (const hw::Field field : ignored) set(compared, field, value(field));
  if (full_ || !matches(compared)) return;
  if (records_.size() + type_.size > kMostBytes) {
    full_ = true;
    return;
  }
  records_.insert(records_.end(), record_.begin(), record_.begin() + static_cast<std::ptrdiff_t>(type_.size));
  full_ = records_.size() == most_;
}

Answer Listing::finish() {
  if (query_.method == Method::get) {
    if (records_.empty()) return {.status = Status::no_records};
    if (full_) return {.status = Status::too_many_records};
  } else if (full_) {
    return {.status = Status::no_resources};
  }
  return {.record_size = records_.empty() ? 0 : type_.size, .records = std::move(records_)};
}

}  // namespace rch::sa
