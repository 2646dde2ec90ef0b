#include "engines/tree/index.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace rch::engines::tree {
namespace {

struct TupleHash {
  std::size_t operator()(const Tuple& tuple) const {
    return std::hash<std::string_view>()(
        std::string_view(reinterpret_cast<const char*>(tuple.data()), sizeof tuple));
  }
};

class Indexer {
 public:
  explicit Indexer(const IndexInput& input)
      : input_(input), tuples_(input.view.switch_count(), kNoTuple), subtrees_(0) {}

  std::vector<Tuple> run() && {
    for (SwitchId start : starts()) {
      if (tuples_[start.index()] == kNoTuple) assign(start, first_tuple(input_.rank[start.index()]));
      index_from(start);
    }
    return std::move(tuples_);
  }

 private:
  /// Switches to start from, in OpenSM's order. OpenSM starts from one leaf only; the others serve trees in
  /// several components.
  std::vector<SwitchId> starts() const {
    std::vector<SwitchId> found;
    for (std::uint32_t s = 0; s < tuples_.size(); ++s)
      if (input_.from_roots ? input_.rank[s] == 0 : input_.is_leaf[s] != 0) found.push_back(SwitchId(s));
    std::ranges::sort(found, {}, [&](SwitchId s) { return fabric::opensm_order(input_.view.node(s).guid); });
    return found;
  }

  void assign(SwitchId sw, const Tuple& tuple) {
    tuples_[sw.index()] = tuple;
    used_.insert(tuple);
  }

  Tuple first_tuple(std::uint8_t rank) {
    Tuple tuple = kNoTuple;
    tuple[0] = rank;
    for (std::uint8_t level = 1; level <= input_.leaf_rank; ++level) tuple[level] = 0;
    if (rank == 0 && input_.leaf_rank > 1) tuple[input_.leaf_rank] = subtrees_++;
    return with_lowest_unused(tuple, 1);
  }

  Tuple with_lowest_unused(Tuple tuple, std::size_t position) {
    tuple[position] = 0xFFFF;
    std::uint16_t& next = lowest_[tuple];
    for (tuple[position] = next; used_.contains(tuple);) ++tuple[position];
    next = tuple[position];
    return tuple;
  }

  Tuple below(Tuple tuple) {
    ++tuple[0];
    return with_lowest_unused(tuple, tuple[0]);
  }
  Tuple above(Tuple tuple) {
    --tuple[0];
    return with_lowest_unused(tuple, tuple[0] + 1U);
  }

  /// Breadth first: down groups, then up groups, in port order. A search from the roots ends at leaves.
  void index_from(SwitchId start) {
    std::vector<SwitchId> queue{start};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const SwitchId sw = queue[i];
      const std::uint8_t rank = input_.rank[sw.index()];
      const Tuple tuple = tuples_[sw.index()];
      const auto visit = [&](bool down) {
        for (const fabric::Neighbor& n : input_.view.graph().neighbors(sw)) {
          const std::uint8_t other = input_.rank[n.sw.index()];
          if ((down ? other <= rank : other >= rank) || tuples_[n.sw.index()] != kNoTuple) continue;
          assign(n.sw, down ? below(tuple) : above(tuple));
          queue.push_back(n.sw);
        }
      };
      if (rank < input_.leaf_rank) visit(true);
      if (rank != 0 && !(input_.from_roots && input_.is_leaf[sw.index()] != 0)) visit(false);
    }
  }

  const IndexInput& input_;
  std::vector<Tuple> tuples_;
  std::unordered_set<Tuple, TupleHash> used_;
  std::unordered_map<Tuple, std::uint16_t, TupleHash>
      lowest_;  ///< by tuple with one digit open: lowest value that may be free
  std::uint16_t subtrees_;
};

}  // namespace

std::vector<Tuple> index_switches(const IndexInput& input) { return Indexer(input).run(); }

}  // namespace rch::engines::tree
