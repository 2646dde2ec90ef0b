#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "engines/dfsssp/next_hop_sets.h"

namespace rch::engines::dfsssp {

/// By output port (NextHopSets): paths from a host to a LID that use it. Fewer than 2^32.
using PortLoads = std::vector<std::uint32_t>;

/// The next hops selected for the LIDs on one switch, by equivalence class.
struct SelectedHops {
  std::size_t lids = 0;
  std::vector<std::uint16_t> class_of;  ///< by position of a switch that has a path, the number of its class
  std::vector<std::uint8_t> places;     ///< by class, then LID: place in the port sets of the class
};

struct SelectionContext {
  SelectionContext(const HopMatrix& hops, const NextHopSets& next_hops, const fabric::SubFabric& view);

  const HopMatrix& hops;
  const NextHopSets& next_hops;
  std::vector<std::uint32_t> hosts;  ///< by switch
};

/// Selects an output port at every switch for the LIDs on one destination switch, balancing loads over the
/// minimal paths. Switches with the same next hops form an equivalence class and select alike, so that paths
/// to a LID join early and stay together. Two sweeps suffice. The first goes outwards and finds the load of
/// the least loaded path from each switch. The second goes inwards: once all farther classes have selected,
/// the number of paths that pass a switch to each LID is known.
class PortSelection {
 public:
  /// Keeps a reference.
  explicit PortSelection(const SelectionContext& context);

  /// `lids`: which LIDs, by number among those on the switch; `selected` has room for all of them.
  void select(SwitchId to, std::span<const std::uint32_t> lids, const PortLoads& loads,
              SelectedHops& selected);

  /// Loads added by all selections since they were last set to 0.
  PortLoads& added() { return added_; }

 private:
  struct Class {
    NextHopSets::ClassId id;
    std::uint8_t hops = 0;
    std::uint32_t begin = 0, end = 0;  ///< into members_
    std::size_t candidates = 0;        ///< into candidates_: the first, one for each next hop
  };
  struct ClassNumber {
    std::uint32_t round = 0;  ///< that it holds for
    std::uint32_t number = 0;
  };
  /// Load of the paths by a next hop, summed over the class. The last kPlaceBits are its place.
  using Candidate = std::uint64_t;
  static constexpr unsigned kPlaceBits = 8;
  static std::uint8_t place(Candidate candidate) { return candidate & ((1U << kPlaceBits) - 1); }

  void find_classes(SwitchId to);
  void list_members();
  void find_path_loads(Class& cls, const PortLoads& loads);
  void count_flows(const Class& cls);
  void choose_next_hops(const Class& cls);
  std::uint8_t take_least_loaded(std::uint64_t added_load);
  void pass_flows_on(const Class& cls);
  void add_loads(const NextHopSets::PortSet& set);
  void record(std::uint32_t number, std::span<const std::uint32_t> lids, SelectedHops& selected) const;
  std::span<const NextHopSets::PortSet> members(const Class& cls) const {
    return std::span(members_).subspan(cls.begin, cls.end - cls.begin);
  }
  std::uint32_t* transit(SwitchId sw) { return transit_.data() + sw.index() * lids_; }

  const SelectionContext& context_;
  const NextHopSets& next_hops_;
  PortLoads added_;

  // For the destination of this round:
  std::uint32_t round_ = 0;
  std::size_t lids_ = 0;
  std::uint64_t all_hosts_ = 0;                                        ///< paths to a LID
  std::vector<ClassNumber> class_numbers_;                             ///< by ClassId
  std::vector<std::uint16_t> class_of_;                                ///< by position, a class number
  std::vector<Class> classes_;                                         ///< by number
  std::vector<std::uint32_t> nearest_first_;                           ///< class numbers
  std::vector<std::pair<std::uint32_t, NextHopSets::PortSet>> found_;  ///< class number and member
  std::vector<NextHopSets::PortSet> members_;                          ///< by class
  std::vector<std::uint64_t> path_load_;                               ///< by switch: least loaded path
  std::vector<Candidate> candidates_;                                  ///< by class
  std::vector<std::uint32_t> transit_;        ///< by switch and LID: paths that start or pass there
  std::vector<std::uint32_t> transit_round_;  ///< by switch: round of transit_; in others only its hosts send

  // For the class that selects:
  std::vector<std::uint32_t> sums_;   ///< by place: load of the members' ports
  std::vector<std::uint32_t> flows_;  ///< by LID: paths of all members
  std::vector<std::uint32_t> used_;   ///< LIDs with paths
  std::vector<Candidate> queue_;      ///< ascending from queue_begin_ on; those before were taken
  std::size_t queue_begin_ = 0;
  std::vector<std::uint8_t> chosen_;    ///< by LID: place
  std::vector<std::uint32_t> lids_by_;  ///< by place: used LIDs
};

}  // namespace rch::engines::dfsssp
