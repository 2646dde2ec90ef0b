#include "cli/torus_grid.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

// The pictures of the manual page torus-2QoS(8), drawn from a fabric: five columns and two lines a switch,
// stubs at the edges for cables across the dateline.

namespace rch::cli {
namespace {

namespace torus = engines::torus_2qos;
using torus::Direction;
using torus::Geometry;
using torus::kAxisName;
using torus::kDimensions;
using torus::plus;
using torus::Torus;
using Place = torus::Position;

constexpr std::size_t kMargin = 8;  ///< columns left of the first switch: label and wrapping cable
constexpr std::size_t kPitch = 5;   ///< columns from switch to switch

/// Which dimension runs which way.
struct Layout {
  std::size_t across = 0, upwards = 1, deep = 2;

  explicit Layout(const Geometry& geometry) {
    std::array<std::size_t, kDimensions> order{0, 1, 2};
    std::stable_partition(order.begin(), order.end(), [&](std::size_t d) { return geometry.radix(d) > 1; });
    across = order[0];
    upwards = order[1];
    deep = order[2];
  }
};

enum Sign { kSwitch, kMissing, kCut, kDateline, kRoot, kPath, kSignCount };
constexpr std::array<const char*, kSignCount> kLegend{"+ -|     switch, cable",
                                                      "o        no switch",
                                                      "x        no cable between two switches",
                                                      "~ :      cable across the dateline",
                                                      "R        root of the tree, of which all cables are",
                                                      "S * D    path; its cables: > < ^ v"};

class Drawing {
 public:
  Drawing(const Torus& torus, const GridMarks& marks)
      : torus_(torus),
        geometry_(torus.geometry()),
        layout_(geometry_),
        path_(marks.path),
        parent_(marks.parent) {
    for (std::size_t i = 0; i + 1 < path_.size(); ++i)
      path_directions_.emplace(path_[i], geometry_.direction_to(path_[i], path_[i + 1]));
  }

  std::string draw() {
    std::string text;
    for (std::uint32_t z = 0; z < geometry_.radix(layout_.deep); ++z) {
      if (geometry_.radix(layout_.deep) > 1) text += fmt::format("{}={}\n", kAxisName[layout_.deep], z);
      text += plane(z) + "\n";
    }
    return text + legend();
  }

 private:
  /// A rectangle of characters; blanks at line ends and blank lines are left out when it is read.
  class Canvas {
   public:
    Canvas(std::size_t width, std::size_t height) : lines_(height, std::string(width, ' ')) {}
    void put(std::size_t line, std::size_t column, std::string_view text) {
      lines_[line].replace(column, text.size(), text);
    }
    std::string text() const {
      std::string all;
      for (const std::string& line : lines_)
        if (const auto end = line.find_last_not_of(' '); end != std::string::npos)
          all += line.substr(0, end + 1) + "\n";
      return all;
    }

   private:
    std::vector<std::string> lines_;
  };

  Place at(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    torus::Coordinates c{};
    c[layout_.across] = static_cast<std::uint16_t>(x);
    c[layout_.upwards] = static_cast<std::uint16_t>(y);
    c[layout_.deep] = static_cast<std::uint16_t>(z);
    return geometry_.at(c);
  }

  std::string plane(std::uint32_t z) {
    const std::uint32_t columns = geometry_.radix(layout_.across), rows = geometry_.radix(layout_.upwards);
    // A line of cables above each row of switches, one below the lowest, and the column numbers.
    Canvas canvas(kMargin + columns * kPitch, 2 * rows + 2);
    for (std::uint32_t y = 0; y < rows; ++y) {
      const std::size_t line = 2 * (rows - 1 - y) + 1;
      if (rows > 1)
        canvas.put(line, 0,
                   fmt::format("{:>4}", y > 0 ? fmt::format("{}", y)
                                              : fmt::format("{}=0", kAxisName[layout_.upwards])));
      for (std::uint32_t x = 0; x < columns; ++x) {
        const std::size_t column = kMargin + x * kPitch;
        const Place p = at(x, y, z);
        canvas.put(line, column, std::string(1, node(p)));
        across(canvas, line, column, p, x + 1 == columns);
        upwards(canvas, line, column, p, y + 1 == rows, 2 * rows);
      }
    }
    label_columns(canvas, columns, 2 * rows + 1);
    return canvas.text();
  }

  void label_columns(Canvas& canvas, std::uint32_t columns, std::size_t line) const {
    for (std::uint32_t x = 0; x < columns; ++x) {
      const std::string label = x > 0 ? fmt::format("{}", x) : fmt::format("{}=0", kAxisName[layout_.across]);
      canvas.put(line, kMargin + x * kPitch + 1 - std::min<std::size_t>(label.size(), 3), label);
    }
  }

  char node(Place p) {
    static constexpr std::string_view kNodes = "+oS*DR";
    std::size_t sign = 0;
    if (!torus_.present(p)) {
      sign = 1;
    } else if (!path_.empty() && p == path_.front()) {
      sign = 2;
    } else if (!path_.empty() && p == path_.back()) {
      sign = 4;
    } else if (std::find(path_.begin(), path_.end(), p) != path_.end()) {
      sign = 3;
    }
    if (sign == 0 && !parent_.empty() && parent_[p.index()].is_none()) sign = 5;
    seen_.insert(std::array{kSwitch, kMissing, kPath, kPath, kPath, kRoot}[sign]);
    return kNodes[sign];
  }

  /// The cable from p to higher coordinates, to the right; in the last column two stubs at the edges.
  void across(Canvas& canvas, std::size_t line, std::size_t column, Place p, bool last) {
    const char sign = cable(p, plus(layout_.across), last);
    const std::string cable(last ? 2 : kPitch - 1, sign);
    if (sign == ' ') return;
    const auto ports = torus_.ports(p, plus(layout_.across)).size();
    const bool counted = ports > 1 && !last && sign == '-';
    canvas.put(line, column + 1,
               sign == 'x' ? (last ? "x" : " xx ")
               : counted   ? fmt::format("-{:-<3}", ports)
                           : cable);
    if (last) canvas.put(line, kMargin - 2, sign == 'x' ? " x" : cable);
  }

  /// The same upwards; at the top two stubs, one below the plane.
  void upwards(Canvas& canvas, std::size_t line, std::size_t column, Place p, bool last, std::size_t bottom) {
    const char sign = cable(p, plus(layout_.upwards), last);
    const auto ports = torus_.ports(p, plus(layout_.upwards)).size();
    const std::string text = ports > 1 && sign == '|' ? fmt::format("{}", ports) : std::string(1, sign);
    canvas.put(line - 1, column, text);
    if (last) canvas.put(bottom, column, text);
  }

  /// Sign of the cables that way; blank where there can be none or one end is missing.
  char cable(Place p, Direction direction, bool crossing) {
    const Place next = geometry_.neighbor(p, direction);
    if (next.is_none() || !torus_.present(p) || !torus_.present(next)) return ' ';
    if (!torus_.linked(p, direction)) return use(kCut, 'x');
    const bool vertical = dimension_of(direction) == layout_.upwards;
    if (on_path(p, direction)) return use(kPath, vertical ? '^' : '>');
    if (on_path(next, opposite(direction))) return use(kPath, vertical ? 'v' : '<');
    if (!parent_.empty() && parent_[p.index()] != next && parent_[next.index()] != p) return ' ';
    if (crossing) return use(kDateline, vertical ? ':' : '~');
    return vertical ? '|' : '-';
  }

  bool on_path(Place p, Direction direction) const {
    const auto hop = path_directions_.find(p);
    return hop != path_directions_.end() && hop->second == direction;
  }

  char use(Sign sign, char drawn) {
    seen_.insert(sign);
    return drawn;
  }

  std::string legend() const {
    std::string text;
    for (Sign sign : seen_) text += fmt::format("    {}\n", kLegend[sign]);
    return text;
  }

  const Torus& torus_;
  const Geometry& geometry_;
  Layout layout_;
  std::vector<Place> path_;
  std::vector<Place> parent_;
  std::map<Place, Direction> path_directions_;  ///< by position the path leaves
  std::set<Sign> seen_;
};

}  // namespace

std::string draw_grid(const Torus& torus, const GridMarks& marks) { return Drawing(torus, marks).draw(); }

}  // namespace rch::cli
