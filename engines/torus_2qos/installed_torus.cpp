#include "engines/torus_2qos/installed_torus.h"

#include <fmt/format.h>

#include "base/text.h"

namespace rch::engines::torus_2qos {
namespace {

class Comparison {
 public:
  Comparison(const InstalledTorus& before, const fabric::SubFabric& view, const Torus& now)
      : view_before_(before.installed.changes->before()),
        before_(before.discovered.torus),
        view_(view),
        now_(now) {}

  std::vector<std::string> lines() {
    for (const Position p : now_.geometry().positions()) compare_switch(p);
    for (const Position p : now_.geometry().positions())
      for (std::size_t d = 0; d < kDimensions; ++d) compare_links(p, plus(d));
    return std::move(lines_);
  }

 private:
  SwitchId then(Position p) const { return before_.switch_at(p); }
  SwitchId now(Position p) const { return now_.switch_at(p); }
  bool stayed(Position p) const {
    return before_.present(p) && now_.present(p) &&
           view_before_.node(then(p)).guid == view_.node(now(p)).guid;
  }

  void compare_switch(Position p) {
    if (stayed(p)) {
      const int ports = view_before_.node(then(p)).num_ports, ports_now = view_.node(now(p)).num_ports;
      if (ports != ports_now)
        lines_.push_back(
            fmt::format("{} had {} ports and has {}", place(view_, now(p), p), ports, ports_now));
      return;
    }
    if (before_.present(p)) lines_.push_back(place(view_before_, then(p), p) + " is gone");
    if (now_.present(p)) lines_.push_back(place(view_, now(p), p) + " is new");
  }

  void compare_links(Position p, Direction direction) {
    const Position to = now_.geometry().neighbor(p, direction);
    if (to.is_none()) return;
    const std::size_t had = before_.ports(p, direction).size(), has = now_.ports(p, direction).size();
    if (had != has && stayed(p) && stayed(to))
      lines_.push_back(fmt::format("{} to {} had {} and has {}", place(view_, now(p), p),
                                   place(view_, now(to), to), counted(had, "cable"), has));
  }

  /// `sw_1_1` (0x…) at (1,1,0).
  std::string place(const fabric::SubFabric& view, SwitchId sw, Position p) const {
    return fmt::format("{} at {}", title(view, sw), now_.geometry().name(p));
  }

  const fabric::SubFabric& view_before_;
  const Torus& before_;
  const fabric::SubFabric& view_;
  const Torus& now_;
  std::vector<std::string> lines_;
};

}  // namespace

std::optional<InstalledTorus> installed_torus(const Options& options) {
  if (!options.installed) return std::nullopt;
  auto found = discover_torus(options.installed->changes->before(), options);
  if (!found) return std::nullopt;
  return InstalledTorus{*options.installed, std::move(*found)};
}

std::vector<std::string> changes_since(const InstalledTorus& installed, const fabric::SubFabric& view,
                                       const Torus& now, std::size_t max) {
  auto lines = Comparison(installed, view, now).lines();
  if (lines.size() > max) {
    const std::size_t omitted = lines.size() - max;
    lines.resize(max);
    lines.push_back(fmt::format("and {} more", counted(omitted, "change")));
  }
  return lines;
}

}  // namespace rch::engines::torus_2qos
