#include "verify/lanes.h"

namespace rch::verify {
namespace {

constexpr std::uint8_t kDropVl = 15;
constexpr fabric::Sl2VlMap kDropAll{15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};

/// Distinct (map of the tables, data VLs) pairs; the last row is for cells that the tables do not hold.
class Interner {
 public:
  Interner(const fabric::Sl2VlTables& tables, std::vector<LaneMap>& maps)
      : tables_(tables), maps_(maps), ids_((tables.maps().size() + 1) * 16, kNone) {}

  std::uint16_t id(std::size_t sw, std::uint8_t in, std::uint8_t out, std::uint8_t data_vls) {
    const bool held = sw < tables_.switch_count() && std::max(in, out) <= num_ports(sw);
    const std::size_t row =
        held ? tables_.id_at(SwitchId(static_cast<std::uint32_t>(sw)), PortNum(in), PortNum(out))
             : tables_.maps().size();
    std::uint16_t& id = ids_[row * 16 + data_vls];
    if (id == kNone) {
      id = static_cast<std::uint16_t>(maps_.size());
      maps_.push_back(make(row, data_vls));
    }
    return id;
  }

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;

  std::uint8_t num_ports(std::size_t sw) const {
    return tables_.num_ports(SwitchId(static_cast<std::uint32_t>(sw)));
  }

  LaneMap make(std::size_t row, std::uint8_t data_vls) const {
    LaneMap map;
    if (tables_.empty())
      map.vl = fabric::kIdentitySl2Vl;
    else
      map.vl = row < tables_.maps().size() ? tables_.maps()[row] : kDropAll;
    map.drops = Lanes::dropped(map.vl, data_vls);
    return map;
  }

  const fabric::Sl2VlTables& tables_;
  std::vector<LaneMap>& maps_;
  std::vector<std::uint16_t> ids_;
};

}  // namespace

SlSet Lanes::dropped(const fabric::Sl2VlMap& map, std::uint8_t data_vls) {
  SlSet sls = 0;
  for (std::uint8_t sl = 0; sl < 16; ++sl)
    if (map[sl] >= std::min(data_vls, kDropVl)) sls = static_cast<SlSet>(sls | sl_bit(sl));
  return sls;
}

Lanes::Lanes(const Wiring& wiring, const fabric::Sl2VlTables& tables, SlSet used)
    : used_(used), end_port_(tables.empty() ? fabric::kIdentitySl2Vl : tables.end_port()) {
  fill(wiring, tables);
  number_lanes();
}

void Lanes::fill(const Wiring& wiring, const fabric::Sl2VlTables& tables) {
  Interner interner(tables, maps_);
  ids_.reserve(wiring.cell_count());
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw) {
    const unsigned ports = wiring.num_ports(sw);
    for (unsigned in = 0; in <= ports; ++in)
      for (unsigned out = 0; out <= ports; ++out)
        ids_.push_back(interner.id(sw, static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(out),
                                   wiring.data_vls(sw, static_cast<std::uint8_t>(out))));
  }
}

void Lanes::number_lanes() {
  constexpr std::uint8_t kNone = 16;
  std::array<std::uint8_t, 16> lane_of_vl;
  lane_of_vl.fill(kNone);
  for (LaneMap& map : maps_) {
    for (std::uint8_t sl = 0; sl < 16; ++sl) {
      if ((sl_bit(sl) & used_ & ~map.drops) == 0) continue;
      std::uint8_t& lane = lane_of_vl[map.vl[sl]];
      if (lane == kNone) {
        lane = static_cast<std::uint8_t>(vls_.size());
        vls_.push_back(map.vl[sl]);
      }
      map.on_lane[lane] = static_cast<SlSet>(map.on_lane[lane] | sl_bit(sl));
    }
  }
  if (vls_.empty()) vls_.push_back(0);
}

}  // namespace rch::verify
