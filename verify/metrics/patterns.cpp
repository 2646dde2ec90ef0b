#include "verify/metrics/patterns.h"

#include <algorithm>
#include <numeric>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "fabric/random.h"

namespace rch::verify {
namespace {

using fabric::Fabric;
using fabric::ForwardingTables;

/// Flows that go on at the same time.
class Pattern {
 public:
  Pattern(const Fabric& fabric, const ForwardingTables& lfts, const Wiring& wiring)
      : fabric_(fabric), lfts_(lfts), wiring_(wiring), load_(wiring.slot_count()) {}

  void clear() {
    for (const std::uint32_t slot : links_) load_[slot] = 0;
    links_.clear();
    flows_.clear();
  }

  /// By index of wiring.sources(); a host sends nothing to itself.
  void add(std::size_t from, std::size_t to) {
    if (from == to) return;
    const std::size_t begin = links_.size();
    const bool arrives = follow(wiring_.sources()[from], wiring_.sources()[to]);
    if (!arrives) links_.resize(begin);
    for (std::size_t i = begin; i < links_.size(); ++i) ++load_[links_[i]];
    flows_.push_back({links_.size(), arrives});
  }

  std::uint32_t fullest() const {
    std::uint32_t most = 0;
    for (const std::uint32_t slot : links_) most = std::max(most, load_[slot]);
    return most;
  }

  double mean_bandwidth() const {
    double sum = 0;
    std::size_t begin = 0;
    for (const Flow& flow : flows_) {
      std::uint32_t most = 1;
      for (; begin < flow.end; ++begin) most = std::max(most, load_[links_[begin]]);
      sum += flow.arrives ? 1.0 / most : 0.0;
    }
    return flows_.empty() ? 0 : sum / static_cast<double>(flows_.size());
  }

 private:
  struct Flow {
    std::size_t end;  ///< of its links; they begin where those of the flow before end
    bool arrives;
  };

  /// Appends the links of a path; false if it does not end at `to`.
  bool follow(const Source& from, const Source& to) {
    const Lid lid = fabric_.port(to.port).lid;
    std::uint32_t sw = from.sw.value;
    for (std::size_t met = 0; met < wiring_.switch_count(); ++met) {
      const std::uint8_t out = entry(lfts_, SwitchId(sw), lid);
      const Exit& exit = wiring_.exit(sw, out);
      if (exit.kind != Exit::Kind::to_switch)
        return exit.kind == Exit::Kind::to_host && exit.to == to.port.value;
      links_.push_back(static_cast<std::uint32_t>(wiring_.slot(sw, out)));
      sw = exit.to;
    }
    return false;
  }

  const Fabric& fabric_;
  const ForwardingTables& lfts_;
  const Wiring& wiring_;
  std::vector<std::uint32_t> links_;  ///< slots, of one flow after the other
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> load_;  ///< by slot
};

/// Calls body(pattern, i) for every i below `count`, each with an empty pattern, on all threads.
template <class Body>
void for_patterns(const Pattern& prototype, std::size_t count, const Body& body) {
  tbb::enumerable_thread_specific<Pattern> patterns(prototype);
  parallel_ranges(count, 1, [&](std::size_t begin, std::size_t end) {
    Pattern& pattern = patterns.local();
    for (std::size_t i = begin; i < end; ++i) {
      pattern.clear();
      body(pattern, i);
    }
  });
}

double mean(const std::vector<double>& values) {
  return values.empty()
             ? 0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Metrics::Shifts shifts(const Fabric& fabric, const ForwardingTables& lfts, const Wiring& wiring) {
  constexpr std::size_t kAll = 2000, kSome = 300;
  const std::size_t hosts = wiring.sources().size();
  if (hosts < 2) return {};
  const std::size_t step = hosts <= kAll ? 1 : (hosts + kSome - 1) / kSome;
  std::vector<double> fullest((hosts - 1 + step - 1) / step);
  for_patterns(Pattern(fabric, lfts, wiring), fullest.size(), [&](Pattern& pattern, std::size_t i) {
    const std::size_t shift = 1 + i * step;
    for (std::size_t h = 0; h < hosts; ++h) pattern.add(h, (h + shift) % hosts);
    fullest[i] = pattern.fullest();
  });
  return {fullest.size(), mean(fullest),
          static_cast<std::uint64_t>(*std::max_element(fullest.begin(), fullest.end()))};
}

Metrics::Samples samples(const Fabric& fabric, const ForwardingTables& lfts, const Wiring& wiring,
                         const MetricsOptions& options) {
  const std::size_t hosts = wiring.sources().size();
  if (hosts < 2) return {};
  std::vector<double> permutation(options.samples), bisection(options.samples);
  for_patterns(Pattern(fabric, lfts, wiring), options.samples, [&](Pattern& pattern, std::size_t i) {
    fabric::Random random(options.seed + i);
    std::vector<std::uint32_t> order(hosts);
    std::iota(order.begin(), order.end(), 0U);
    random.shuffle(order);
    for (std::size_t h = 0; h < hosts; ++h) pattern.add(h, order[h]);
    permutation[i] = pattern.fullest();
    // An order drawn at random is a split into halves and a matching of them, all in one.
    pattern.clear();
    random.shuffle(order);
    for (std::size_t h = 0; h + 1 < hosts; h += 2) pattern.add(order[h], order[h + 1]);
    bisection[i] = pattern.mean_bandwidth();
  });
  return {options.samples, options.seed, mean(permutation), mean(bisection)};
}

}  // namespace rch::verify
