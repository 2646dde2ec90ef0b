#include "torus_reference.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "fabric/fabric.h"

namespace rch::test {
namespace {

struct Hop {
  std::size_t d;
  int step;
};

class Rule {
 public:
  explicit Rule(const Grid& grid) : grid_(grid) {}

  bool wraps(std::size_t d, const At& from, const At& to) const {
    const std::uint32_t direct = from[d] < to[d] ? to[d] - from[d] : from[d] - to[d];
    return grid_.looped(d) && grid_.spec().radix[d] - direct < direct;
  }

  std::optional<Hop> next(const At& c, const At& t) const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (c[d] == t[d]) continue;
      const int first = (t[d] > c[d]) != wraps(d, c, t) ? 1 : -1;
      At turn = c;
      turn[d] = t[d];
      if (!grid_.sw(turn).is_none()) {
        if (leads(c, turn, d, first)) return Hop{d, first};
        if (leads(c, turn, d, -first)) return Hop{d, -first};
      } else if (d < 2 && linked(c, d, first)) {
        return Hop{d, first};
      }
    }
    return std::nullopt;
  }

 private:
  bool linked(const At& at, std::size_t d, int step) const {
    At to = at;
    if (grid_.sw(at).is_none() || !grid_.step(to, d, step)) return false;
    const auto around = grid_.fabric().graph().neighbors(grid_.sw(at));
    return std::any_of(around.begin(), around.end(),
                       [&](const fabric::Neighbor& n) { return n.sw == grid_.sw(to); });
  }

  bool leads(At from, const At& to, std::size_t d, int step) const {
    for (std::uint32_t hops = 0; hops < grid_.spec().radix[d]; ++hops) {
      if (from == to) return true;
      if (!linked(from, d, step)) return false;
      grid_.step(from, d, step);
    }
    return from == to;
  }

  const Grid& grid_;
};

/// Position left, dimension, step, VL.
using TorusChannel = std::tuple<At, std::size_t, int, unsigned>;
using TorusDependencies = std::map<TorusChannel, std::set<TorusChannel>>;

bool has_cycle(const TorusDependencies& dependencies) {
  std::map<TorusChannel, int> state;  // 1: on the way, 2: done
  const std::function<bool(const TorusChannel&)> visit = [&](const TorusChannel& c) {
    if (state[c] != 0) return state[c] == 1;
    state[c] = 1;
    if (const auto next = dependencies.find(c); next != dependencies.end())
      for (const TorusChannel& n : next->second)
        if (visit(n)) return true;
    state[c] = 2;
    return false;
  };
  return std::any_of(dependencies.begin(), dependencies.end(),
                     [&](const auto& entry) { return visit(entry.first); });
}

/// Adds the dependencies of one route; false if it does not arrive.
bool follow(const Grid& grid, const Rule& rule, const At& from, const At& to, bool turn_vl,
            TorusDependencies& dependencies) {
  At at = from;
  std::optional<TorusChannel> before;
  for (std::size_t hops = 0; at != to; ++hops) {
    const auto hop = rule.next(at, to);
    if (!hop || hops > grid.positions()) return false;
    unsigned vl = rule.wraps(hop->d, from, to) ? 1 : 0;
    if (turn_vl && before && std::get<1>(*before) > hop->d) vl |= 2;
    const TorusChannel channel{at, hop->d, hop->step, vl};
    if (before) dependencies[*before].insert(channel);
    before = channel;
    grid.step(at, hop->d, hop->step);
  }
  return true;
}

}  // namespace

RuleOutcome follow_rule(const Grid& grid, bool turn_vl) {
  const Rule rule(grid);
  RuleOutcome outcome;
  TorusDependencies dependencies;
  for (std::uint32_t a = 0; a < grid.fabric().switch_count(); ++a)
    for (std::uint32_t b = 0; b < grid.fabric().switch_count(); ++b)
      if (a != b && !follow(grid, rule, grid.at(SwitchId(a)), grid.at(SwitchId(b)), turn_vl, dependencies))
        ++outcome.unroutable;
  outcome.credit_loop = has_cycle(dependencies);
  return outcome;
}

}  // namespace rch::test
