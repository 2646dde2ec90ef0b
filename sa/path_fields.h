#pragma once

#include "hw/mad.h"

/// Places of fields and component numbers of PathRecord and MultiPathRecord (IBA 15.2.5).
namespace rch::sa {

/// Two fields that hold one value. Of a MultiPathRecord other fields lie between them.
struct SplitField {
  hw::Field high, low;
};
inline std::uint64_t get(std::span<const std::uint8_t> record, const SplitField& field) {
  return hw::get(record, field.high) << field.low.width | hw::get(record, field.low);
}
inline void set(std::span<std::uint8_t> record, const SplitField& field, std::uint64_t value) {
  hw::set(record, field.high, value >> field.low.width);
  hw::set(record, field.low, value);
}

/// A field with the two bits that say how it is meant.
struct SelectedField {
  unsigned component;  ///< of the selector; that of the value is the next
  hw::Field selector, value;
};

/// A field and its bit in the component mask.
struct MaskedField {
  unsigned number;
  hw::Field field;
};

/// What both records have.
struct PathFields {
  unsigned service_id_high, service_id_low;  ///< components
  SplitField service_id;
  MaskedField flow_label, qos_class, traffic_class, reversible, number_of_paths, pkey, sl;
  SelectedField mtu, rate, life;
};

namespace path_record {

inline constexpr std::size_t kSize = 64;
inline constexpr std::size_t kDgid = 8, kSgid = 24;
inline constexpr hw::Field kDlid{40, 0, 16};
inline constexpr hw::Field kSlid{42, 0, 16};
inline constexpr hw::Field kPreference{57, 0, 8};
inline constexpr PathFields kFields{.service_id_high = 0,
                                    .service_id_low = 1,
                                    .service_id = {{0, 0, 32}, {4, 0, 32}},
                                    .flow_label = {8, {44, 4, 20}},
                                    .qos_class = {14, {52, 0, 12}},
                                    .traffic_class = {10, {48, 0, 8}},
                                    .reversible = {11, {49, 0, 1}},
                                    .number_of_paths = {12, {49, 1, 7}},
                                    .pkey = {13, {50, 0, 16}},
                                    .sl = {15, {53, 4, 4}},
                                    .mtu = {16, {54, 0, 2}, {54, 2, 6}},
                                    .rate = {18, {55, 0, 2}, {55, 2, 6}},
                                    .life = {20, {56, 0, 2}, {56, 2, 6}}};
inline constexpr MaskedField kHopLimit{9, {47, 0, 8}};
inline constexpr unsigned kDgidComponent = 2, kSgidComponent = 3, kDlidComponent = 4, kSlidComponent = 5;

}  // namespace path_record

namespace multi_path_record {

inline constexpr std::size_t kMostGids = 11, kGids = 24;  ///< sources first
inline constexpr MaskedField kSources{19, {15, 0, 8}}, kDestinations{20, {16, 0, 8}};
inline constexpr PathFields kFields{.service_id_high = 16,
                                    .service_id_low = 21,
                                    .service_id = {{13, 0, 8}, {17, 0, 56}},
                                    .flow_label = {2, {0, 4, 20}},
                                    .qos_class = {8, {8, 0, 12}},
                                    .traffic_class = {4, {4, 0, 8}},
                                    .reversible = {5, {5, 0, 1}},
                                    .number_of_paths = {6, {5, 1, 7}},
                                    .pkey = {7, {6, 0, 16}},
                                    .sl = {9, {9, 4, 4}},
                                    .mtu = {10, {10, 0, 2}, {10, 2, 6}},
                                    .rate = {12, {11, 0, 2}, {11, 2, 6}},
                                    .life = {14, {12, 0, 2}, {12, 2, 6}}};

}  // namespace multi_path_record

}  // namespace rch::sa
