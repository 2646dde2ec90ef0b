#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::verify {

enum class FindingKind {
  unreachable,    ///< a pair of end ports without a path: a table entry drops, or leads to a dead port
  dropped_by_vl,  ///< the SL of a path maps to VL 15 or to a VL that the port does not have
  loop,           ///< a forwarding loop: the tables send a packet to a switch where it was before
  credit_loop,    ///< a cycle in the channel dependency graph: traffic can deadlock
  multicast_unreachable,  ///< a member of a multicast group does not get what the others send
  multicast_loop,         ///< packets of a multicast group come twice, or for ever
  multicast_unrouted,  ///< groups that wait, since no route is safe; forbids nothing; whoever routes says so
  disconnected,        ///< pairs in parts of the fabric that no cable joins: no routing reaches them
};

/// `unreachable`, `dropped-by-vl`, `loop`, `credit-loop`, `multicast-unreachable`, `multicast-loop`,
/// `multicast-unrouted`, `disconnected`: what `--accept` takes.
std::string_view name(FindingKind kind);

/// One hop of a witness: the packet sits on the channel that leaves `sw` by `out` on `vl`.
struct Hop {
  SwitchId sw;
  PortNum in;   ///< port the packet came in by: of a host, or of the hop before
  PortNum out;  ///< as the table says; 255 is no entry
  std::uint8_t vl = 0;
  /// The path; of a credit loop: one that holds this channel and asks for the next one.
  PortId source = PortId::none();  ///< none of multicast: any member
  Lid destination;                 ///< or multicast LID
  std::uint8_t sl = 0;
};

struct Finding {
  FindingKind kind;
  /// One sentence that names nodes (description and GUID), ports and LIDs.
  std::string message;
  /// Pairs lost; of a credit loop the channels on cycles; of ports without a LID those ports; of multicast
  /// the places at fault; of forwarding loops that no path between hosts meets the LIDs. The witness shows
  /// one case: lowest LID, then lowest source.
  std::uint64_t count = 0;
  /// The path as far as it goes (of a loop: once round), or a shortest cycle (the last hop leads to the
  /// first). Empty when the packet never leaves its own port.
  std::vector<Hop> witness;
  bool accepted = false;  ///< the operator allowed this kind by name
};

/// What becomes of the tables when hosts send every packet at SL 0, as those do that get no path record.
struct WithoutPathSls {
  /// Unreachable, dropped or in a forwarding loop. Pairs that no cable joins are not lost.
  std::uint64_t lost_pairs = 0;
  std::uint64_t channels = 0;         ///< in use
  std::uint64_t on_credit_loops = 0;  ///< of these

  bool sound() const { return lost_pairs == 0 && on_credit_loops == 0; }
};

/// Packets of hosts to LIDs of switches, beside the paths between hosts and the groups: management datagrams,
/// IPoIB. Their answers are not looked at. Aggregation nodes of switches without hosts are no sources.
struct SwitchLids {
  std::uint64_t pairs = 0;               ///< of a source end port and a LID
  std::uint64_t lost_pairs = 0;          ///< of these: unreachable, dropped or in a forwarding loop
  std::uint64_t disconnected_pairs = 0;  ///< of these: in parts of the fabric that no cable joins
  std::uint64_t on_credit_loops = 0;     ///< channels on cycles that only these packets close
  std::string credit_loop;               ///< one of them in words

  bool sound() const { return on_credit_loops == 0; }
};

struct Verdict {
  std::vector<Finding> findings;
  std::uint64_t pairs = 0;         ///< ordered (source end port, destination LID) pairs examined
  std::uint64_t channels = 0;      ///< (link between switches, VL) in use
  std::uint64_t dependencies = 0;  ///< of a channel on another: some path takes one after the other
  /// Channels and dependencies of an earlier proof are counted that may be out of use.
  bool at_most = false;
  std::uint64_t groups = 0;  ///< multicast LIDs examined
  /// Pairs of aggregation nodes without a path that need none (fabric::AggregationNodes). Not a finding.
  std::uint64_t unneeded_pairs = 0;
  SwitchLids switch_lids;
  std::optional<WithoutPathSls> without_path_sls;  ///< none: the SL of every path is 0

  /// Nothing found but what was accepted, and groups that wait.
  bool clean() const;
};

struct ChannelDependencyGraph;
struct EarlierProof;
struct KnownDependencies;
class GivenSls;

struct Options {
  std::uint8_t max_op_vls = 5;  ///< code 1..5: VLs configured at most, besides what each port is capable of
  /// Memory for columns of the tables, beside the tables themselves; less costs time only.
  std::size_t column_bytes = std::size_t{32} << 20;
  bool path_sls = true;     ///< false: packets have SL 0 whatever the SL of their path is
  bool switch_lids = true;  ///< false: leaves Verdict::switch_lids empty
  /// Service levels that hosts have, where these are not those of the steps. Null: they are. Not together
  /// with `earlier` or `known`.
  const GivenSls* given = nullptr;
  bool loop_free = false;  ///< the entries are known to have no forwarding loop that packets reach
  /// Gets the channel dependency graph of the paths, multicast left out, if not null. With an earlier proof
  /// it may hold more.
  ChannelDependencyGraph* graph = nullptr;
  /// The proof of tables that may be nearly the same: then only what differs is judged. Null: none.
  const EarlierProof* earlier = nullptr;
  /// Gets what the next proof can build on, null if nothing; if not null.
  std::shared_ptr<const KnownDependencies>* known = nullptr;
};

/// Judges the tables alone; knows nothing of engines. Tables may hold anything: entries without meaning are
/// findings. Sources are all CA and router ports on switches, destinations all LIDs of the others. LIDs of
/// switches are judged apart from those. A forwarding loop is a finding whatever the LID is, of a switch or
/// of nobody, and whether packets of hosts come by or not. Service levels come from fabric::path_sls_to, VLs
/// from the SL2VL maps. Multicast groups must be trees that join their members; their packets hold and
/// request channels like those of paths. Returns at most one finding of each kind, and one for ports without
/// a LID; a pair counts once, for what stops it first. The result does not depend on the number of threads.
Verdict verify(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
               const Options& options = {});

/// The case without subnet administration: hosts learn the SL of a path from its path record only. None when
/// the SL of every path is 0. `proven`: verdict on the same tables with the SLs of the paths.
std::optional<WithoutPathSls> without_path_sls(const fabric::Fabric& fabric,
                                               const fabric::RoutingTables& tables, const Verdict& proven,
                                               const Options& options = {});

/// A virtual lane of the link that a port sends on depends on one of the link of another: packets hold the
/// one and request the other.
struct ChannelDependency {
  PortId from;
  std::uint8_t from_vl;
  PortId to;
  std::uint8_t to_vl;
};

/// Those of paths, ascending; with Options::switch_lids also those of packets to LIDs of switches.
std::vector<ChannelDependency> channel_dependencies(const fabric::Fabric& fabric,
                                                    const fabric::RoutingTables& tables,
                                                    const Options& options = {});

}  // namespace rch::verify
