#include "engines/torus_2qos/earlier.h"

#include <fmt/format.h>

namespace rch::engines::torus_2qos {
namespace {

class Comparison {
 public:
  Comparison(const Earlier& earlier, const fabric::SubFabric& view, const Torus& now)
      : view_before_(earlier.installed.changes->before()),
        before_(earlier.survey.torus),
        view_(view),
        now_(now) {}

  std::vector<std::string> lines() {
    for (std::size_t i = 0; i < now_.lattice().size(); ++i)
      compare_switch(Position(static_cast<std::uint16_t>(i)));
    for (std::size_t i = 0; i < now_.lattice().size(); ++i)
      for (std::size_t d = 0; d < kDimensions; ++d)
        compare_cables(Position(static_cast<std::uint16_t>(i)), up(d));
    return std::move(lines_);
  }

 private:
  SwitchId then(Position p) const { return before_.placement().switch_at[p.index()]; }
  SwitchId here(Position p) const { return now_.placement().switch_at[p.index()]; }
  bool stayed(Position p) const {
    return before_.present(p) && now_.present(p) &&
           view_before_.node(then(p)).guid == view_.node(here(p)).guid;
  }

  void compare_switch(Position p) {
    if (stayed(p)) {
      const int ports = view_before_.node(then(p)).num_ports, ports_now = view_.node(here(p)).num_ports;
      if (ports != ports_now)
        lines_.push_back(
            fmt::format("{} had {} ports and has {}", place(view_, here(p), p), ports, ports_now));
      return;
    }
    if (before_.present(p)) lines_.push_back(place(view_before_, then(p), p) + " is gone");
    if (now_.present(p)) lines_.push_back(place(view_, here(p), p) + " is new");
  }

  void compare_cables(Position p, Direction way) {
    const Position to = now_.lattice().neighbor(p, way);
    if (to.is_none()) return;
    const std::size_t before = before_.ports(p, way).size(), now = now_.ports(p, way).size();
    if (before != now && stayed(p) && stayed(to))
      lines_.push_back(fmt::format("{} to {} had {} and has {}", place(view_, here(p), p),
                                   place(view_, here(to), to), counted(before, "cable"), now));
  }

  /// `sw_1_1` (0x…) at (1,1,0).
  std::string place(const fabric::SubFabric& view, SwitchId sw, Position p) const {
    return fmt::format("{} at {}", title(view, sw), now_.lattice().name(p));
  }

  const fabric::SubFabric& view_before_;
  const Torus& before_;
  const fabric::SubFabric& view_;
  const Torus& now_;
  std::vector<std::string> lines_;
};

}  // namespace

std::optional<Earlier> earlier_torus(const Options& options) {
  if (!options.installed) return std::nullopt;
  auto found = survey(options.installed->changes->before(), options);
  if (!found) return std::nullopt;
  return Earlier{*options.installed, std::move(*found)};
}

std::vector<std::string> changes(const Earlier& earlier, const fabric::SubFabric& view, const Torus& now,
                                 std::size_t most) {
  auto lines = Comparison(earlier, view, now).lines();
  if (lines.size() > most) {
    const std::size_t left_out = lines.size() - most;
    lines.resize(most);
    lines.push_back(fmt::format("and {} more", counted(left_out, "change")));
  }
  return lines;
}

}  // namespace rch::engines::torus_2qos
