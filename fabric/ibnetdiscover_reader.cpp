// Reader of ibnetdiscover text, in what ibnetdiscover writes and what ibsim accepts beyond that
// (ibnetdiscover(8) and ibsim's sim_net.c).
//
// A file is a list of records. Attribute lines (`vendid=`, `caguid=`, ...) describe the node whose header
// follows; port lines follow the header. Node ids are only names that port lines use, so links are resolved
// at the end. What differs from ibsim on purpose: lines that mean nothing are errors, a header ends the
// record before it, and an id such as `S-0002c90200400000` gives the GUID of a node that has no GUID line.

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "fabric/draft.h"
#include "fabric/formats.h"
#include "fabric/ibnetdiscover_attributes.h"
#include "fabric/ibnetdiscover_lines.h"
#include "fabric/rules.h"

namespace rch::fabric {
namespace {

struct HeaderWord {
  std::string_view word;
  NodeType type;
};
constexpr HeaderWord kHeaders[] = {
    {"Switch", NodeType::sw}, {"Ca", NodeType::ca}, {"Hca", NodeType::ca}, {"Rt", NodeType::router}};

constexpr std::string_view kHeadings[] = {"Chassis ", "Non-Chassis"};  // of ibnetdiscover -g
constexpr std::string_view kDirectives[] = {"include", "do ", "@"};    // of ibsim

class IbnetdiscoverReader {
 public:
  IbnetdiscoverReader(const SourceSet& sources, SourceId source, Diagnostics& diagnostics)
      : text_(sources.at(source).text()),
        source_(source),
        report_(diagnostics),
        draft_(report_, {source, 0, 0}),
        attributes_(report_) {}

  std::optional<Fabric> read() {
    if (!check_bytes(text_, source_, report_)) return std::nullopt;
    for_each_line(whole_lines(), [&](std::string_view line, std::uint32_t begin) {
      LineCursor at(line, source_, begin);
      read_line(at);
    });
    check_end();
    resolve();
    auto fabric = draft_.finish(Draft::LinksNamed::from_both_ends);
    report_.finish();
    return fabric;
  }

 private:
  /// A port line whose peer is still a name.
  struct NamedLink {
    LinkClaim claim;
    std::string_view peer;
    Span peer_span;
    Span peer_port_span;
    Guid peer_guid;  ///< 0: not said
  };

  /// The text without a last line that has no end: what is missing of it is one mistake.
  std::string_view whole_lines() const { return text_.substr(0, text_.rfind('\n') + 1); }

  void read_line(LineCursor& at) {
    at.skip_blanks();
    if (at.at_end()) return;
    if (!is_foreign(at)) {
      has_begun_ = true;
      return read_own_line(at);
    }
    report_
        .add(kForeignLine, at.span_line(), "this line above the nodes is not ibnetdiscover's; it is skipped")
        .hint = "if a program reported an error there, the file may lack nodes";
  }

  /// A line of another program above the text: nothing that the text could begin with, and no setting.
  bool is_foreign(const LineCursor& at) const {
    const std::string_view line = at.rest();
    if (has_begun_ || line.front() == '#' || line.front() == '[') return false;
    const std::size_t end = line.find_first_of(" \t=+\"");
    if (end != std::string_view::npos && (line[end] == '=' || line[end] == '+')) return false;
    const auto begins = [&](std::string_view word) { return line.starts_with(word); };
    return std::ranges::none_of(kHeaders, begins, &HeaderWord::word) &&
           std::ranges::none_of(kHeadings, begins) && std::ranges::none_of(kDirectives, begins);
  }

  void read_own_line(LineCursor& at) {
    if (at.peek() == '#') return read_comment(at);
    if (at.peek() == '[') return read_port(at);
    for (const HeaderWord& header : kHeaders)
      if (at.rest().starts_with(header.word)) {
        const std::size_t start = at.pos();
        at.accept(header.word);
        if (at.at_end() || at.peek() == ' ' || at.peek() == '\t') return read_header(at, header.type);
        at.seek(start);
      }
    if (!attributes_.read_line(at)) read_other(at);
  }

  /// `# Initiated from node 0002c90300010000 port 0002c90300010001`; other comments mean nothing.
  void read_comment(LineCursor& at) {
    at.accept('#');
    at.skip_blanks();
    if (!at.accept("Initiated from node ") || !at.number(16) || !at.accept(" port ")) return;
    const std::size_t start = at.pos();
    if (const auto port = at.number(16)) origin_ = {Guid(*port), at.span_from(start)};
  }

  void read_other(LineCursor& at) {
    for (std::string_view heading : kHeadings)
      if (at.rest().starts_with(heading)) return;
    for (std::string_view directive : kDirectives)
      if (at.rest().starts_with(directive)) {
        report_.add(kUnsupportedLine, at.span_line(), fmt::format("`{}` is not supported", trim(directive)))
            .hint = "let the simulator load the file, and save what ibnetdiscover shows of it";
        return;
      }
    report_
        .add(kUnknownLine, at.span_line(), "this line is neither a node, a port nor an attribute of a node")
        .hint = "start comments with `#`";
    if (attributes_.pending()) return note_damaged_header(at);
    if (node_ != Draft::kNoNode) draft_.node(node_).damaged = true;
  }

  /// A line that was reported, where the header of a node is due.
  void note_damaged_header(LineCursor& at) {
    has_damaged_header_ = true;
    if (at.find('"') && at.accept('"'))
      if (const auto id = at.until('"')) lost_ids_.insert(full_id(*id));
  }

  /// Port lines come, and the header of their node did not: one mistake, with all links of that node.
  void lose_node(Span span) {
    if (!std::exchange(has_damaged_header_, false)) {
      Diagnostic& d = report_.add(kStrayLine, span, "this port line belongs to no node");
      d.labels.push_back({*attributes_.pending(), "the node that this line describes is missing"});
      d.hint = "put it under the line of its node";
    }
    if (const Guid guid = attributes_.forget_node(); guid.value != 0)
      for (const char kind : {'S', 'H', 'R'})
        lost_ids_.insert(full_id(*names_.insert(fmt::format("{}-{:016x}", kind, guid.value)).first));
    if (node_ != Draft::kNoNode) draft_.node(node_).damaged = true;
    node_ = Draft::kNoNode;
    in_record_ = true;
  }

  /// ibnetdiscover makes the id of the GUID. ibsim takes the GUID line.
  void check_id(std::string_view id, const NodeSpec& spec, Span span) {
    const auto named = guid_of_id(id);
    const auto said = attributes_.guid_span();
    if (!named || !said || *named == spec.guid || spec.guid.value == 0) return;
    Diagnostic& d = report_.add(kGuidDiffers, span,
                                fmt::format("the id `{}` names another GUID than the line `{}`: {} is used",
                                            id, NodeAttributes::guid_word(spec.type), spec.guid));
    d.labels.push_back({*said, "said here"});
  }

  /// Both ends of a link say the GUID of an adapter's port.
  void check_port_guid(const NamedLink& link, const Draft::Node& peer) {
    if (link.peer_guid.value == 0 || peer.spec.type == NodeType::sw) return;
    const Guid own = peer.spec.ports[link.claim.peer_port.index()].guid;
    if (own.value == 0 || own == link.peer_guid) return;
    Diagnostic& d = report_.add(
        kGuidDiffers, link.peer_port_span,
        fmt::format("port {} of `{}` has the GUID {} here, and {} in its own record: the latter is used",
                    link.claim.peer_port, peer.spec.description, link.peer_guid, own));
    d.labels.push_back({peer.span, "its record"});
  }

  void read_header(LineCursor& at, NodeType type) {
    const Span span = at.span_line();
    node_ = Draft::kNoNode;
    has_damaged_header_ = false;
    in_record_ = true;
    const auto header = read_header_line(at, type, report_);
    if (!header) return;
    const std::string_view id = full_id(header->id);

    NodeSpec spec;
    spec.type = type;
    spec.ports.resize(header->ports.value_or(254) + std::size_t{1});
    spec.enhanced_port0 = header->enhanced_port0;
    spec.description = header->description.empty() ? id : header->description;
    attributes_.apply(spec, header->id);
    if (type == NodeType::sw) {
      spec.ports[0].lid = header->lid;
      spec.ports[0].lmc = header->lmc;
      spec.ports[0].state = PortState::active;
    }
    if (spec.guid.value == 0) report_no_guid(type, id, span);
    check_id(header->id, spec, span);
    if (const auto known = ids_.find(id); known != ids_.end()) {
      Diagnostic& d =
          report_.add(kDuplicateId, span, fmt::format("there is a node with the id `{}` already", id));
      d.labels.push_back({draft_.node(known->second).span, "first used here"});
      draft_.node(known->second).damaged = true;
      return;
    }
    node_ = last_node_ = draft_.add_node(std::move(spec), span);
    if (!header->ports) draft_.node(node_).damaged = true;
    ids_.emplace(id, node_);
  }

  void report_zero_guid(Span span, const Draft::Node& node, std::uint64_t port) {
    report_
        .add(kZeroPortGuid, span, fmt::format("port {} of `{}` has the GUID 0", port, node.spec.description))
        .hint = "write the GUID of the port, as `ibstat` shows it on its host";
  }

  void report_no_guid(NodeType type, std::string_view id, Span span) {
    const std::string_view attribute = NodeAttributes::guid_word(type);
    Diagnostic& d = report_.add(kBadNode, span, fmt::format("`{}` has no GUID", id));
    if (const auto said = attributes_.guid_span()) {
      d.message = fmt::format("`{}` has the GUID 0", id);
      d.labels.push_back({*said, "said here"});
      d.hint = fmt::format(
          "the firmware of the device holds no GUID, or the file was damaged; write the node's own in "
          "`{}=0x...`, or take the node and its links out",
          attribute);
    } else {
      d.hint = fmt::format("write a line `{}=0x...` before it", attribute);
    }
  }

  void read_port(LineCursor& at) {
    const Span span = at.span_line();
    if (attributes_.pending()) lose_node(span);
    if (!in_record_) {
      report_.add(kStrayLine, span, "this port line belongs to no node").hint =
          "put it under the line of its node";
      return;
    }
    if (node_ == Draft::kNoNode) return;  // of a node that was reported
    Draft::Node& node = draft_.node(node_);
    const auto line = read_port_line(at, node.spec.type, attributes_.default_rates(), report_);
    if (!line || !draft_.check_port(node_, line->port, span)) {
      node.damaged = true;
      return;
    }
    PortSpec& port = node.spec.ports[line->port];
    if (line->zero_guid) report_zero_guid(*line->zero_guid, node, line->port);
    if (line->guid.value != 0 && node.spec.type != NodeType::sw) port.guid = line->guid;
    port.lid = line->lid;
    port.lmc = line->lmc;
    port.vl_cap = line->vl_cap;
    const LinkClaim claim{node_,
                          Draft::kNoNode,
                          PortNum(static_cast<std::uint8_t>(line->port)),
                          PortNum(static_cast<std::uint8_t>(line->peer_port)),
                          span,
                          line->rate,
                          line->enabled};
    links_.push_back({claim, full_id(line->peer), line->peer_span, line->peer_port_span, line->peer_guid});
  }

  /// The id with its module; the view stays valid.
  std::string_view full_id(std::string_view id) {
    if (attributes_.module().empty() || id.find('#') != std::string_view::npos) return id;
    return *names_.insert(fmt::format("{}#{}", attributes_.module(), id)).first;
  }

  void check_end() {
    is_cut_off_ = !check_last_line(text_, source_, report_);
    if (is_cut_off_ || !attributes_.pending()) return;
    is_cut_off_ = true;
    report_.add(kTruncated, *attributes_.pending(), "the node that this line describes is missing").hint =
        "write the file again; it may be cut short";
  }

  /// Peers that have no record. A file that was cut off lacks many, and its last record lacks links: that is
  /// one mistake.
  void check_peers() {
    std::unordered_set<std::string_view> absent;
    const NamedLink* first = nullptr;
    for (const NamedLink& link : links_) {
      if (ids_.contains(link.peer) || lost_ids_.contains(link.peer)) continue;
      if (first == nullptr) first = &link;
      absent.insert(link.peer);
    }
    constexpr std::size_t kMistyped = 3;  // more are no mistakes of single lines
    if (absent.size() > kMistyped && !std::exchange(is_cut_off_, true))
      report_
          .add(kTruncated, first->peer_span,
               fmt::format("{} nodes to which links lead are missing, such as `{}`", absent.size(),
                           first->peer))
          .hint = "write the file again; it may be cut short";
    if (is_cut_off_ && last_node_ != Draft::kNoNode) draft_.node(last_node_).damaged = true;
  }

  void resolve() {
    check_peers();
    std::unordered_set<std::string_view> told;
    for (NamedLink& link : links_) {
      const auto peer = ids_.find(link.peer);
      if (peer == ids_.end()) {
        if (!is_cut_off_ && !lost_ids_.contains(link.peer) && told.insert(link.peer).second)
          report_
              .add(kUnknownPeer, link.peer_span, fmt::format("there is no node with the id `{}`", link.peer))
              .hint = "check the id; if records are missing, the file was cut short";
        draft_.node(link.claim.node).damaged = true;
        continue;
      }
      link.claim.peer = peer->second;
      if (draft_.check_port(peer->second, link.claim.peer_port.value, link.peer_port_span)) {
        check_port_guid(link, draft_.node(peer->second));
        draft_.add_claim(link.claim);
      } else {
        draft_.node(link.claim.node).damaged = true;
      }
    }
    if (!origin_ || is_cut_off_ || draft_.empty() || draft_.set_origin(origin_->guid)) return;
    report_
        .add(kUnknownPeer, origin_->span,
             fmt::format("the file was made at port {}, which it does not hold", origin_->guid))
        .hint = "if records are missing, the file was cut short; else remove this comment";
  }

  struct Origin {
    Guid guid;
    Span span;
  };

  std::string_view text_;
  SourceId source_;
  Reporter report_;
  Draft draft_;
  NodeAttributes attributes_;
  bool has_begun_ = false;   ///< some line was ibnetdiscover's
  bool is_cut_off_ = false;  ///< records are missing at the end, which was reported
  bool in_record_ = false;
  bool has_damaged_header_ = false;      ///< which was reported; no header came since
  std::uint32_t node_ = Draft::kNoNode;  ///< whose port lines are being read
  std::uint32_t last_node_ = Draft::kNoNode;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  std::unordered_set<std::string_view> lost_ids_;  ///< of nodes whose headers are damaged or missing
  std::vector<NamedLink> links_;
  std::optional<Origin> origin_;
};

}  // namespace

std::optional<Fabric> read_ibnetdiscover(const SourceSet& sources, SourceId source,
                                         Diagnostics& diagnostics) {
  return IbnetdiscoverReader(sources, source, diagnostics).read();
}

}  // namespace rch::fabric
