#include "parsers/ibdm/checks.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/ibdm/nesting.h"
#include "parsers/ibdm/port_uses.h"
#include "parsers/ibdm/system_file.h"
#include "parsers/ibnl/rules.h"

namespace rch::parsers::ibdm {
namespace {

/// Checks one file; the boards a SUBSYSTEM may be are those of its type in any variant.
class Checks {
 public:
  Checks(const SystemFile& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  void run() {
    for (const Board& board : file_.boards()) {
      PortUses uses(diagnostics_);
      for (const ibnl::Instance& part : board.system().instances) {
        check_type(part);
        for (const ibnl::Connection& line : part.connections)
          if (check_ends(board, part, line) && board.find(part.name.text) == &part) uses.add(part, line);
      }
    }
    if (!check_nesting(file_, diagnostics_)) return;
    for (const Board& board : file_.boards()) check_rates(board);
    if (file_.top() != nullptr)
      for (const ibnl::Attribute& attribute : file_.top()->system().attributes) check_attribute(attribute);
  }

 private:
  void check_type(const ibnl::Instance& part) {
    const Token& type = part.type;
    if (type.text.empty()) return;
    if (!part.is_board() && type.text.find_first_of("0123456789") == std::string::npos)
      diagnostics_.add(ibnl::kNoDeviceId, type.span, fmt::format("no device id in `{}`", type.text)).hint =
          "the id is the first number in the name, as in MT47396";
    if (part.is_board() && file_.variants(type.text).empty() && !file_.syntax().damaged)
      report_unknown_board(part);
  }

  /// False, reported, when an end of the connection does not exist.
  bool check_ends(const Board& board, const ibnl::Instance& part, const ibnl::Connection& line) {
    if (!check_port(part, line.port, line.number)) return false;
    if (!line.peer_port) return true;
    const ibnl::Instance* peer = find_peer(board, part, line);
    return peer != nullptr && check_port(*peer, *line.peer_port, line.peer_number);
  }

  bool check_port(const ibnl::Instance& part, const Token& port, std::uint8_t number) {
    return part.is_board() ? check_board_port(part, port) : check_node_port(part, port, number);
  }

  void report_unknown_board(const ibnl::Instance& part) {
    Diagnostic& d = diagnostics_.add(
        ibnl::kUnknownBoard, part.type.span,
        fmt::format("`{}` is a `{}`, which this file does not define", part.name.text, part.type.text));
    std::vector<std::string_view> names;
    for (const Board& board : file_.boards())
      for (const Token& name : board.system().names)
        if (!board.system().top && suggestions_ < kSuggestions) names.push_back(name.text);
    ++suggestions_;
    const std::string_view meant = nearest(part.type.text, names);
    d.hint = meant.empty() ? "boards are SYSTEMs of the same file" : fmt::format("did you mean `{}`?", meant);
  }

  bool check_node_port(const ibnl::Instance& node, const Token& port, std::uint8_t number) {
    if (node.ports == 0 || number <= node.ports) return true;
    diagnostics_
        .add(ibnl::kPortOutOfRange, port.span,
             fmt::format("NODE `{}` has no port {}, only 1-{}", node.name.text, number, node.ports))
        .labels.push_back({node.name.span, "the NODE"});
    return false;
  }

  /// Nothing is said of boards that are unknown or damaged: their ports are not all known.
  bool check_board_port(const ibnl::Instance& part, const Token& port) {
    const auto& variants = file_.variants(part.type.text);
    if (variants.empty() || file_.syntax().damaged || ports_of(part.type.text).contains(port.text))
      return true;
    for (const Board* board : variants)
      if (board->system().damaged) return true;
    diagnostics_
        .add(ibnl::kDanglingPort, port.span,
             fmt::format("`{}` has no port `{}`{}", part.type.text, port.text,
                         variants.size() > 1 ? " in any variant" : ""))
        .hint = "the connection is dropped, and with it what it wires";
    return false;
  }

  const std::unordered_set<std::string_view>& ports_of(std::string_view type) {
    const auto [found, is_new] = ports_.try_emplace(type);
    if (is_new)
      for (const Board* board : file_.variants(type))
        for (const auto& [name, wiring] : board->front_ports()) found->second.insert(name);
    return found->second;
  }

  /// The NODE or SUBSYSTEM behind the arrow; null, reported, if there is none of that kind.
  const ibnl::Instance* find_peer(const Board& board, const ibnl::Instance& part,
                                  const ibnl::Connection& line) {
    const ibnl::Instance* peer = board.find(line.peer.text);
    if (peer != nullptr && peer->is_board() == part.is_board()) return peer;
    if (peer == nullptr && board.system().damaged) return nullptr;
    const std::string_view kind = part.is_board() ? "SUBSYSTEM" : "NODE";
    Diagnostic& d = diagnostics_.add(ibnl::kUnknownInstance, line.peer.span,
                                     fmt::format("there is no {} `{}` in this system", kind, line.peer.text));
    if (peer != nullptr) {
      d.labels.push_back(
          {peer->name.span, fmt::format("this is a {}", part.is_board() ? "NODE" : "SUBSYSTEM")});
      d.hint = "NODEs connect to NODEs, SUBSYSTEMs to SUBSYSTEMs; put a NODE into a board of its own";
    } else if (suggestions_++ < kSuggestions) {
      std::vector<std::string_view> names;
      for (const ibnl::Instance& other : board.system().instances)
        if (other.is_board() == part.is_board()) names.push_back(other.name.text);
      const std::string_view meant = nearest(line.peer.text, names);
      if (!meant.empty()) d.hint = fmt::format("did you mean `{}`?", meant);
    }
    return nullptr;
  }

  void check_rates(const Board& board) {
    for (const auto& [name, wiring] : board.front_ports()) {
      const ibnl::Connection& line = board.line(wiring);
      const ibnl::Instance& part = board.instance(wiring.instance);
      if (!part.is_board() || line.rate.empty()) continue;
      const ibnl::Connection* inner = innermost(part, line);
      if (inner == nullptr) continue;
      const fabric::LinkRate rate = complete(inner->rate);
      if (line.rate.width.value_or(rate.width) == rate.width &&
          line.rate.speed.value_or(rate.speed) == rate.speed)
        continue;
      Diagnostic& d = diagnostics_.add(
          ibnl::kIneffectiveRate, line.rate.span,
          fmt::format("front panel port `{}` is {}, whatever this line says", name, to_string(rate)));
      d.labels.push_back({inner->rate.span, "the port's rate is said here"});
      d.hint = "state the rate at the NODE's port";
    }
  }

  /// The NODE's line behind a board's port, boards being their default variants; null if it ends before.
  const ibnl::Connection* innermost(const ibnl::Instance& part, const ibnl::Connection& line) const {
    const ibnl::Instance* at = &part;
    const ibnl::Connection* wire = &line;
    while (at->is_board()) {
      const Board* board = file_.board(at->type.text);
      if (board == nullptr) return nullptr;
      const Board::Wiring* wiring = board->front_port(wire->port.text);
      if (wiring == nullptr) return nullptr;
      at = &board->instance(wiring->instance);
      wire = &board->line(*wiring);
    }
    return wire;
  }

  /// A path leads through any variant of its boards.
  void check_attribute(const ibnl::Attribute& attribute) {
    std::vector<const Board*> boards{file_.top()};
    std::string_view rest = attribute.path.text;
    bool node = false;
    for (std::size_t depth = 0; !rest.empty() && !boards.empty() && depth < SystemFile::kDeepest; ++depth) {
      const std::string_view name = rest.substr(0, rest.find('/'));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      std::vector<const Board*> below;
      node = false;
      for (const Board* board : boards) {
        if (board->system().damaged) return;
        const ibnl::Instance* part = board->find(name);
        if (part == nullptr) continue;
        node = node || !part->is_board();
        if (!part->is_board() || !below.empty()) continue;
        below = file_.variants(part->type.text);
      }
      boards = std::move(below);
    }
    if (node && rest.empty()) return;
    diagnostics_
        .add(ibnl::kUnknownAttributeNode, attribute.path.span,
             fmt::format("the system has no NODE `{}`", attribute.path.text))
        .hint = "the path begins at the top: BOARD/…/NODE";
  }

  const SystemFile& file_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> ports_;  ///< by board type
  std::size_t suggestions_ = 0;
};

}  // namespace

void check_definitions(const SystemFile& file, Diagnostics& diagnostics) { Checks(file, diagnostics).run(); }

}  // namespace rch::parsers::ibdm
