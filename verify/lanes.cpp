#include "verify/lanes.h"

#include <string>
#include <unordered_map>

namespace rch::verify {
namespace {

constexpr std::uint8_t kDropVl = 15;
constexpr fabric::Sl2VlMap kDropAll{15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};

/// Maps of one set of tables as rows; the last row is for cells that the tables do not hold.
class Rows {
 public:
  explicit Rows(const fabric::Sl2VlTables& tables) : tables_(tables) {}

  std::size_t count() const { return tables_.maps().size() + 1; }
  std::size_t at(std::size_t sw, std::uint8_t in, std::uint8_t out) const {
    const bool covered = sw < tables_.switch_count() && std::max(in, out) <= num_ports(sw);
    return covered ? tables_.id_at(SwitchId(static_cast<std::uint32_t>(sw)), PortNum(in), PortNum(out))
                   : tables_.maps().size();
  }
  /// What at() answers from for one switch.
  void append_ids(std::size_t sw, std::string& key) const {
    if (sw >= tables_.switch_count()) return key.push_back('-');
    const auto ids = tables_.ids(SwitchId(static_cast<std::uint32_t>(sw)));
    key.push_back('+');
    key.append(ids.begin(), ids.end());
  }
  const fabric::Sl2VlMap& map(std::size_t row) const {
    if (tables_.empty()) return fabric::kIdentitySl2Vl;
    return row < tables_.maps().size() ? tables_.maps()[row] : kDropAll;
  }

 private:
  std::uint8_t num_ports(std::size_t sw) const {
    return tables_.num_ports(SwitchId(static_cast<std::uint32_t>(sw)));
  }

  const fabric::Sl2VlTables& tables_;
};

}  // namespace

SlSet Lanes::dropped(const fabric::Sl2VlMap& map, std::uint8_t data_vls) {
  SlSet sls = 0;
  for (std::uint8_t sl = 0; sl < 16; ++sl)
    if (map[sl] >= std::min(data_vls, kDropVl)) sls = static_cast<SlSet>(sls | sl_bit(sl));
  return sls;
}

Lanes::Lanes(const Wiring& wiring, const fabric::Sl2VlTables& one, const fabric::Sl2VlTables& other,
             SlSet used)
    : used_(used),
      end_maps_(one.maps().begin(), one.maps().end()),
      end_port_(one.end_port_id()),
      own_(one.own_ids().begin(), one.own_ids().end()) {
  if (one.empty()) end_maps_ = {fabric::kIdentitySl2Vl};
  for (const fabric::Sl2VlMap& map : end_maps_)
    for (std::uint8_t data_vls = 0; auto& sls : unsendable_.emplace_back()) sls = dropped(map, data_vls++);
  constexpr std::uint16_t kNone = 0xFFFF;
  const Rows rows(one), other_rows(other);
  const bool same = &one == &other;
  // Distinct (map, other map, data VLs) triples.
  const std::size_t width = same ? 1 : other_rows.count();
  std::vector<std::uint16_t> known(rows.count() * width * 16, kNone);
  const auto id_at = [&](std::size_t sw, std::uint8_t in, std::uint8_t out) {
    const std::uint8_t data_vls = wiring.data_vls(sw, out);
    const std::size_t row = rows.at(sw, in, out), other_row = same ? row : other_rows.at(sw, in, out);
    std::uint16_t& id = known[(row * width + (same ? 0 : other_row)) * 16 + data_vls];
    if (id != kNone) return id;
    id = static_cast<std::uint16_t>(maps_.size());
    LaneMap& map = maps_.emplace_back();
    map.vl = rows.map(row);
    others_.push_back(other_rows.map(other_row));
    data_vls_.push_back(std::min(data_vls, kDropVl));
    map.drops = dropped(map.vl, data_vls) & dropped(others_.back(), data_vls);
    return id;
  };
  std::unordered_map<std::string, std::uint32_t> alike;  // first id, by all that a switch's maps depend on
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw) {
    const unsigned ports = wiring.num_ports(sw);
    std::string key;
    for (unsigned out = 0; out <= ports; ++out)
      key.push_back(static_cast<char>(wiring.data_vls(sw, static_cast<std::uint8_t>(out))));
    rows.append_ids(sw, key);
    if (!same) other_rows.append_ids(sw, key);
    const auto [found, fresh] = alike.try_emplace(std::move(key), static_cast<std::uint32_t>(ids_.size()));
    switches_.push_back({found->second, ports + 1});
    for (unsigned in = 0; fresh && in <= ports; ++in)
      for (unsigned out = 0; out <= ports; ++out)
        ids_.push_back(id_at(sw, static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(out)));
  }
  number_lanes();
}

void Lanes::number_lanes() {
  constexpr std::uint8_t kNone = 16;
  std::array<std::uint8_t, 16> lane_of_vl;
  lane_of_vl.fill(kNone);
  const auto put = [&](LaneMap& map, std::uint8_t sl, std::uint8_t vl) {
    std::uint8_t& lane = lane_of_vl[vl];
    if (lane == kNone) {
      lane = static_cast<std::uint8_t>(vls_.size());
      vls_.push_back(vl);
    }
    map.on_lane[lane] = static_cast<SlSet>(map.on_lane[lane] | sl_bit(sl));
  };
  for (std::size_t m = 0; m < maps_.size(); ++m)
    for (std::uint8_t sl = 0; sl < 16; ++sl) {
      if ((sl_bit(sl) & used_ & ~maps_[m].drops) == 0) continue;
      for (const std::uint8_t vl : {maps_[m].vl[sl], others_[m][sl]})
        if (vl < data_vls_[m]) put(maps_[m], sl, vl);
    }
  if (vls_.empty()) vls_.push_back(0);
}

}  // namespace rch::verify
