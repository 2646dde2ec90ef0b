#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "fabric/fabric_builder.h"
#include "fabric/link_rate.h"
#include "fabric/reporter.h"

namespace rch::fabric {

/// What one line of a file says about the cable of one port.
struct LinkClaim {
  std::uint32_t node = 0;  ///< index into Draft::nodes
  std::uint32_t peer = 0;
  PortNum port;
  PortNum peer_port;
  Span span;
  std::optional<LinkRate> rate;         ///< said in words
  std::optional<EnabledRates> enabled;  ///< said as masks
};

/// A fabric file as it was read, before its claims are checked against each other.
///
/// Readers add nodes and claims and report what they could not read; finish() reports what does not fit
/// together and builds the Fabric.
class Draft {
 public:
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
  /// How often a sound file names each link.
  enum class LinksNamed { from_both_ends, once_or_twice, once };

  struct Node {
    NodeSpec spec;
    Span span;
    /// Something on this node could not be read: links to it that it does not confirm are not reported again.
    bool damaged = false;
  };

  /// `file`: where to report what is about no line.
  Draft(Reporter& report, Span file) : report_(report), file_(file) {}

  /// Reports a node GUID used before, and gives the node that has it. `ports` of the spec must be set.
  std::uint32_t add_node(NodeSpec spec, Span span);
  std::optional<std::uint32_t> find(Guid node_guid) const;
  Node& node(std::uint32_t index) { return nodes_[index]; }
  const Node& node(std::uint32_t index) const { return nodes_[index]; }
  bool empty() const { return nodes_.empty(); }

  /// False if the port does not exist (reported). `span` is the port number's place.
  bool check_port(std::uint32_t node, std::uint64_t port, Span span);
  /// Reports a port that has a claim which says otherwise. `port` must be of the node.
  void add_claim(LinkClaim claim);
  /// The port where the fabric was seen; without one it is the first node's.
  void set_origin(std::uint32_t node, PortNum port) { origin_ = {node, port}; }
  /// The same by port GUID; false if no end port has it.
  bool set_origin(Guid port_guid);

  /// Nothing if anything of error grade was reported, here or by the reader.
  std::optional<Fabric> finish(LinksNamed links);

 private:
  struct End {
    std::uint32_t node = kNoNode;
    PortNum port;
  };

  const LinkClaim* claim_of(std::uint32_t node, PortNum port) const;
  bool confirm(const LinkClaim& claim, LinksNamed links);
  void check_listing();
  void check_unlinked();
  void set_rates(const LinkClaim& claim, const LinkClaim* back);
  /// Takes LIDs from ports whose range another port holds.
  void check_lids();
  void settle_lid(std::uint32_t node, std::size_t number, std::vector<std::uint32_t>& owner);
  void check_port_guids();
  End default_origin() const;
  std::string name(std::uint32_t node) const;

  Reporter& report_;
  Span file_;
  std::vector<Node> nodes_;
  std::unordered_map<Guid, std::uint32_t> by_guid_;
  std::vector<LinkClaim> claims_;
  std::vector<std::vector<std::uint32_t>> claim_at_;  ///< by node and port: index into claims_ + 1, 0 none
  End origin_;
};

/// Reports a byte order mark, which for_each_line() leaves out, and a NUL byte (false): nothing in a damaged
/// file is worth reading.
bool check_bytes(std::string_view text, SourceId source, Reporter& report);

/// A last line without a line end may be half a line (reported, false): nothing else tells `lid 1` from `lid
/// 12`.
bool check_last_line(std::string_view text, SourceId source, Reporter& report);

}  // namespace rch::fabric
