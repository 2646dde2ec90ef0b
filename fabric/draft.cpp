#include "fabric/draft.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "fabric/line_cursor.h"
#include "fabric/rules.h"

namespace rch::fabric {
namespace {

bool is_switch(const NodeSpec& spec) { return spec.type == NodeType::sw; }

/// Port numbers of a node that own LIDs and a GUID.
std::pair<std::size_t, std::size_t> end_port_range(const NodeSpec& spec) {
  return is_switch(spec) ? std::pair<std::size_t, std::size_t>{0, 1}
                         : std::pair<std::size_t, std::size_t>{1, spec.ports.size()};
}

/// What FabricBuilder will give the port.
Guid end_port_guid(const NodeSpec& spec, std::size_t port) {
  const Guid said = spec.ports[port].guid;
  return said.value != 0 ? said : Guid(spec.guid.value + port);
}

}  // namespace

std::uint32_t Draft::add_node(NodeSpec spec, Span span) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  const auto [first, fresh] = by_guid_.emplace(spec.guid, index);
  if (!fresh) {
    Diagnostic& d = report_.add(kDuplicateGuid, span,
                                fmt::format("`{}` has the node GUID {} of `{}`", spec.description, spec.guid,
                                            nodes_[first->second].spec.description));
    d.labels.push_back({nodes_[first->second].span, "first used here"});
    d.hint = "give one of the two nodes another GUID";
  }
  claim_at_.emplace_back(spec.ports.size(), 0);
  nodes_.push_back({std::move(spec), span, !fresh});
  return index;
}

std::optional<std::uint32_t> Draft::find(Guid node_guid) const {
  const auto found = by_guid_.find(node_guid);
  if (found == by_guid_.end()) return std::nullopt;
  return found->second;
}

std::string Draft::name(std::uint32_t node) const {
  return fmt::format("`{}` ({})", nodes_[node].spec.description, nodes_[node].spec.guid);
}

bool Draft::check_port(std::uint32_t node, std::uint64_t port, Span span) {
  const std::size_t ports = nodes_[node].spec.ports.size() - 1;
  if (port >= 1 && port <= ports) return true;
  Diagnostic& d = report_.add(kPortOutOfRange, span,
                              fmt::format("{} has no port {}, only 1-{}", name(node), port, ports));
  d.labels.push_back({nodes_[node].span, fmt::format("said to have {} ports", ports)});
  return false;
}

const LinkClaim* Draft::claim_of(std::uint32_t node, PortNum port) const {
  const std::uint32_t at = claim_at_[node][port.index()];
  return at == 0 ? nullptr : &claims_[at - 1];
}

void Draft::add_claim(LinkClaim claim) {
  if (const LinkClaim* first = claim_of(claim.node, claim.port)) {
    Diagnostic& d = report_.add(kPortUsedTwice, claim.span,
                                fmt::format("port {} of {} has two links", claim.port, name(claim.node)));
    d.labels.push_back({first->span, "first used here"});
    return;
  }
  claims_.push_back(claim);
  claim_at_[claim.node][claim.port.index()] = static_cast<std::uint32_t>(claims_.size());
}

bool Draft::confirm(const LinkClaim& claim, LinksNamed links) {
  if (claim.node == claim.peer && claim.port == claim.peer_port) {
    report_.add(kEndsDisagree, claim.span,
                fmt::format("port {} of {} is linked to itself", claim.port, name(claim.node)));
    return false;
  }
  const LinkClaim* back = claim_of(claim.peer, claim.peer_port);
  if (back != nullptr && back->peer == claim.node && back->peer_port == claim.port) return true;
  if (nodes_[claim.peer].damaged) return false;
  if (back == nullptr) {
    if (links != LinksNamed::from_both_ends) return true;
    Diagnostic& d = report_.add(kOneSidedLink, claim.span,
                                fmt::format("port {} of {} does not name port {} of {} as its peer",
                                            claim.peer_port, name(claim.peer), claim.port, name(claim.node)));
    d.labels.push_back({nodes_[claim.peer].span, "the peer's record"});
    d.hint = "name the link from both ends; if lines are missing here, the file was cut short";
    return false;
  }
  Diagnostic& d = report_.add(kEndsDisagree, claim.span,
                              fmt::format("port {} of {} leads to port {} of {}, which leads elsewhere",
                                          claim.port, name(claim.node), claim.peer_port, name(claim.peer)));
  d.labels.push_back({back->span, fmt::format("port {} of {} leads to port {} of {}", back->port,
                                              name(back->node), back->peer_port, name(back->peer))});
  return false;
}

void Draft::check_listing() {
  std::size_t both = 0;
  const LinkClaim* single = nullptr;
  for (const LinkClaim& claim : claims_) {
    const bool answered = claim_of(claim.peer, claim.peer_port) != nullptr;
    both += answered ? 1 : 0;
    if (!answered && single == nullptr) single = &claim;
  }
  if (single == nullptr) return;
  if (both == 0) {
    report_.add(kLinksListedOnce, single->span, "every link is listed from one end only").hint =
        "make sure that the list is complete";
    return;
  }
  Diagnostic& d = report_.add(
      kOneSidedLink, single->span,
      fmt::format("the link between port {} of {} and port {} of {} is listed once, others are listed twice",
                  single->port, name(single->node), single->peer_port, name(single->peer)));
  d.hint = "the list was probably cut short; write it again";
}

void Draft::set_rates(const LinkClaim& claim, const LinkClaim* back) {
  PortSpec& mine = nodes_[claim.node].spec.ports[claim.port.index()];
  PortSpec& theirs = nodes_[claim.peer].spec.ports[claim.peer_port.index()];
  std::optional<LinkRate> rate = claim.rate;
  if (!rate && back != nullptr) rate = back->rate;
  if (!rate) {
    const EnabledRates here = claim.enabled.value_or(EnabledRates{});
    const EnabledRates there = back != nullptr && back->enabled ? *back->enabled : EnabledRates{};
    rate = best_common(here, there);
    const bool first_end = back == nullptr || &claim < back;  // say it once
    if (first_end && (rate->width == LinkWidth::unknown || rate->speed == LinkSpeed::unknown)) {
      Diagnostic& d = report_.add(
          kNoCommonRate, claim.span,
          fmt::format("the ends enable no common {}: widths {:#x} and {:#x}, speeds {:#x} and {:#x}",
                      rate->width == LinkWidth::unknown ? "width" : "speed", here.width, there.width,
                      here.speed, there.speed));
      if (back != nullptr) d.labels.push_back({back->span, "the other end"});
      d.hint = "give both ends the same `w=` and `s=`; without them a port enables 4x (2) and SDR (1)";
    }
  }
  mine.width = rate->width;
  mine.speed = rate->speed;
  if (back != nullptr) return;
  theirs.width = rate->width;
  theirs.speed = rate->speed;
}

void Draft::check_lids() {
  std::vector<std::uint32_t> order(nodes_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  // As OpenSM and rch settle it live: the lower GUID keeps the LID.
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].spec.guid < nodes_[b].spec.guid; });
  std::vector<std::uint32_t> owner(kMaxUnicastLid.index() + 1, kNoNode);
  for (std::uint32_t index : order) {
    const auto [first, last] = end_port_range(nodes_[index].spec);
    for (std::size_t p = first; p < last; ++p)
      if (nodes_[index].spec.ports[p].lid != kUnassignedLid) settle_lid(index, p, owner);
  }
}

void Draft::settle_lid(std::uint32_t node, std::size_t number, std::vector<std::uint32_t>& owner) {
  PortSpec& port = nodes_[node].spec.ports[number];
  const std::size_t begin = port.lid.index();
  const std::size_t end = begin + (std::size_t{1} << port.lmc);
  if (end > owner.size()) {
    report_.add(kBadNumber, nodes_[node].span,
                fmt::format("LID {} with LMC {} of port {} of {} leaves the unicast range 1-{}", port.lid,
                            port.lmc, number, name(node), kMaxUnicastLid));
    return;
  }
  for (std::size_t lid = begin; lid < end; ++lid) {
    if (owner[lid] == kNoNode) continue;
    Diagnostic& d = report_.add(
        kLidConflict, nodes_[node].span,
        fmt::format("LID {} of port {} of {} also belongs to {}", lid, number, name(node), name(owner[lid])));
    d.labels.push_back({nodes_[owner[lid]].span, "the node that keeps it"});
    port.lid = kUnassignedLid;
    port.lmc = 0;
    return;
  }
  std::fill(owner.begin() + static_cast<std::ptrdiff_t>(begin),
            owner.begin() + static_cast<std::ptrdiff_t>(end), node);
}

/// GUIDs that the text says come first. A port without a cable, whose GUID the text leaves open, is no reason
/// to refuse a fabric.
void Draft::check_port_guids() {
  std::unordered_map<Guid, std::uint32_t> first_use;
  for (const bool said : {true, false})
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const NodeSpec& spec = nodes_[i].spec;
      const auto [first, last] = end_port_range(spec);
      for (std::size_t p = first; p < last; ++p) {
        if ((spec.ports[p].guid.value != 0) != said) continue;
        if (!said && p != 0 && claim_at_[i][p] == 0) continue;
        const Guid guid = end_port_guid(spec, p);
        const auto [used, fresh] = first_use.emplace(guid, i);
        if (fresh || nodes_[i].damaged) continue;
        Diagnostic& d = report_.add(
            kDuplicateGuid, nodes_[i].span,
            fmt::format("port {} of {} has the port GUID {} of {}", p, name(i), guid, name(used->second)));
        d.labels.push_back({nodes_[used->second].span, "first used here"});
      }
    }
}

bool Draft::set_origin(Guid port_guid) {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const auto [first, last] = end_port_range(nodes_[i].spec);
    for (std::size_t p = first; p < last; ++p) {
      if (end_port_guid(nodes_[i].spec, p) != port_guid) continue;
      set_origin(i, PortNum(static_cast<std::uint8_t>(p)));
      return true;
    }
  }
  return false;
}

Draft::End Draft::default_origin() const {
  const NodeSpec& spec = nodes_.front().spec;
  if (is_switch(spec)) return {0, PortNum(0)};
  const std::vector<std::uint32_t>& at = claim_at_.front();
  const auto linked = std::find_if(at.begin(), at.end(), [](std::uint32_t claim) { return claim != 0; });
  return {0, PortNum(static_cast<std::uint8_t>(linked == at.end() ? 1 : linked - at.begin()))};
}

void Draft::check_unlinked() {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const auto linked = [](std::uint32_t claim) { return claim != 0; };
    if (std::any_of(claim_at_[i].begin(), claim_at_[i].end(), linked)) continue;
    report_.add(kUnlinkedNode, nodes_[i].span, fmt::format("{} has no link", name(i))).hint =
        "if its links are missing here, the file was cut short";
  }
}

std::optional<Fabric> Draft::finish(LinksNamed links) {
  if (nodes_.empty()) {
    if (!report_.failed()) report_.add(kEmptyFabric, file_, "the file holds no node");
    return std::nullopt;
  }
  FabricBuilder builder;
  check_port_guids();
  check_lids();
  if (links == LinksNamed::once_or_twice) check_listing();
  for (const LinkClaim& claim : claims_)
    if (confirm(claim, links)) set_rates(claim, claim_of(claim.peer, claim.peer_port));
  if (report_.failed()) return std::nullopt;
  if (links == LinksNamed::from_both_ends) check_unlinked();

  const End origin = origin_.node == kNoNode ? default_origin() : origin_;
  for (Node& node : nodes_) builder.add(std::move(node.spec));
  const auto handle = [](std::uint32_t node) { return FabricBuilder::Handle(node); };
  for (const LinkClaim& claim : claims_) {
    const auto connected =
        builder.connect(handle(claim.node), claim.port, handle(claim.peer), claim.peer_port);
    if (!connected) report_.add(kEndsDisagree, claim.span, connected.error().message);
  }
  builder.set_origin(handle(origin.node), origin.port);
  auto fabric = std::move(builder).build();
  if (!fabric) report_.add(kBadNode, file_, fabric.error().message);
  if (report_.failed()) return std::nullopt;
  return std::move(*fabric);
}

bool check_bytes(std::string_view text, SourceId source, Reporter& report) {
  if (text.starts_with(kByteOrderMarkBytes))
    report.add(kByteOrderMark, {source, 0, 3}, "the file starts with a byte order mark").hint =
        "save the file without it";
  const std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos) return true;
  const auto at = static_cast<std::uint32_t>(nul);
  report.add(kNulByte, {source, at, at + 1}, "NUL byte in the text").hint =
      "the file is damaged; write it again";
  return false;
}

bool check_last_line(std::string_view text, SourceId source, Reporter& report) {
  const std::size_t begin = text.rfind('\n') + 1;  // 0 if there is no line end at all
  if (trim(text.substr(begin)).empty()) return true;
  const Span span{source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(text.size())};
  report.add(kTruncated, span, "the last line has no line end, so the file may be cut short").hint =
      "write the file again; if it is complete, end its last line";
  return false;
}

}  // namespace rch::fabric
