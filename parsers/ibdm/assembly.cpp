#include "parsers/ibdm/assembly.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/topo/rules.h"

namespace rch::parsers::ibdm {
namespace {

/// Words that say that a board is absent.
constexpr std::string_view kRemovals[] = {"R", "X", "Removed"};

bool removes(const topo::Modifier& modifier) {
  return std::find(std::begin(kRemovals), std::end(kRemovals), modifier.value.text) != std::end(kRemovals);
}

std::uint32_t device_id(std::string_view device) {
  const std::size_t begin = std::min(device.find_first_of("0123456789"), device.size());
  const std::size_t end = std::min(device.find_first_not_of("0123456789", begin), device.size());
  const auto id = parse_integer(device.substr(begin, end - begin));
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(id.value_or(0), 0xFFFF));
}

class Assembler {
 public:
  Assembler(const SystemFile& file, const topo::Section& section, Diagnostics& diagnostics)
      : file_(file), section_(section), diagnostics_(diagnostics) {}

  std::optional<Assembly> run() {
    read_modifiers();
    if (!place(*file_.top(), "")) {
      diagnostics_.add(topo::kTooLarge, section_.type.span,
                       fmt::format("a `{}` has more than {} parts", section_.type.text, kMostParts));
      return std::nullopt;
    }
    report_unused();
    for (const Placed& board : placed_) connect(board);
    wire_panel();
    report_removed();
    return std::move(result_);
  }

 private:
  enum class State : std::uint8_t { node, board, absent };
  /// What stands in the place of a part.
  struct Part {
    State state = State::absent;
    std::uint32_t index = 0;                     ///< into nodes, or into placed_
    const topo::Modifier* removed_by = nullptr;  ///< of an absent board
  };
  struct Placed {
    const Board* board;
    std::vector<Part> parts;  ///< as in the board's instances
  };
  struct Chosen {
    const topo::Modifier* modifier;
    bool used = false;
    std::size_t ports = 0;  ///< of the front panel, that went with the board
    std::string_view first_port;
  };

  void read_modifiers() {
    for (const topo::Modifier& modifier : section_.cfg) {
      const auto [first, is_new] = by_path_.emplace(modifier.board.text, chosen_.size());
      if (is_new) {
        chosen_.push_back({&modifier, false, 0, {}});
        continue;
      }
      diagnostics_
          .add(topo::kRepeatedModifier, modifier.board.span,
               fmt::format("a second modifier for board `{}`", modifier.board.text))
          .labels.push_back({chosen_[first->second].modifier->board.span, "the first one"});
    }
  }

  /// Places a board and all below it; false when there are too many parts.
  bool place(const Board& board, const std::string& path) {
    const std::size_t at = placed_.size();
    placed_.push_back({&board, {}});
    if (++depth_ > 2 * SystemFile::kDeepest) return false;
    for (const ibnl::Instance& instance : board.system().instances) {
      if (++result_.parts > kMostParts) return false;
      Part part;
      const std::string name = path + instance.name.text;
      if (!instance.is_board()) {
        part = {State::node, static_cast<std::uint32_t>(result_.nodes.size()), nullptr};
        result_.nodes.push_back({name, instance.kind, instance.ports, device_id(instance.type.text)});
      } else if (const Board* chosen = choose(instance, name, part)) {
        part.state = State::board;
        part.index = static_cast<std::uint32_t>(placed_.size());
        if (!place(*chosen, name + '/')) return false;
      }
      placed_[at].parts.push_back(part);
    }
    --depth_;
    return true;
  }

  /// The variant of a board; null if it is absent.
  const Board* choose(const ibnl::Instance& instance, const std::string& path, Part& part) {
    const auto found = by_path_.find(path);
    Chosen* chosen = found == by_path_.end() ? nullptr : &chosen_[found->second];
    if (chosen != nullptr) {
      chosen->used = true;
      if (removes(*chosen->modifier)) {
        part.removed_by = chosen->modifier;
        return nullptr;
      }
    }
    const std::string& type = instance.type.text;
    const Board* board = file_.board(chosen == nullptr ? type : type + ':' + chosen->modifier->value.text);
    if (board == nullptr) report_variant(instance, path, chosen);
    return board;
  }

  void report_variant(const ibnl::Instance& instance, const std::string& path, const Chosen* chosen) {
    const std::string& type = instance.type.text;
    std::vector<std::string_view> modifiers;
    for (const Board* board : file_.variants(type))
      for (const Token& name : board->system().names)
        if (name.text.starts_with(type + ':'))
          modifiers.push_back(std::string_view(name.text).substr(type.size() + 1));
    if (chosen == nullptr) {
      diagnostics_
          .add(topo::kUnknownVariant, section_.name.span,
               fmt::format("board `{}` needs a modifier: there is no plain `{}`", path, type))
          .hint = modifiers.empty() ? "" : fmt::format("write `CFG: {}={}`", path, modifiers.front());
      return;
    }
    const Token& value = chosen->modifier->value;
    Diagnostic& d =
        diagnostics_.add(topo::kUnknownVariant, value.span,
                         fmt::format("board `{}` has no variant `{}:{}`", path, type, value.text));
    const std::string_view meant = nearest(value.text, modifiers);
    d.hint = !meant.empty()      ? fmt::format("did you mean `{}`?", meant)
             : modifiers.empty() ? "R says that the board is absent"
                                 : fmt::format("variants of `{}` are {}", type, fmt::join(modifiers, ", "));
  }

  /// A modifier that met no board: near paths are looked for among those that were placed.
  void report_unused() {
    std::vector<std::string> paths;
    for (const Chosen& chosen : chosen_) {
      if (chosen.used) continue;
      if (paths.empty()) list_boards(0, "", paths);
      const Token& board = chosen.modifier->board;
      Diagnostic& d =
          diagnostics_.add(topo::kUnknownBoard, board.span,
                           fmt::format("a `{}` has no board `{}`", section_.type.text, board.text));
      const std::vector<std::string_view> names(paths.begin(), paths.end());
      const std::string_view meant = nearest(board.text, names);
      if (!meant.empty()) d.hint = fmt::format("did you mean `{}`?", meant);
    }
  }

  void list_boards(std::uint32_t at, const std::string& path, std::vector<std::string>& paths) const {
    const Placed& placed = placed_[at];
    for (std::size_t i = 0; i < placed.parts.size() && paths.size() < kPathsTried; ++i) {
      const ibnl::Instance& instance = placed.board->instance(static_cast<std::uint32_t>(i));
      if (!instance.is_board()) continue;
      paths.push_back(path + instance.name.text);
      if (placed.parts[i].state == State::board)
        list_boards(placed.parts[i].index, paths.back() + '/', paths);
    }
  }

  /// The NODE's port behind a port of a part. Nothing, with the board that is missing, if it ends before.
  struct Wire {
    Assembly::Port port;
    fabric::LinkRate rate;
  };
  std::optional<Wire> follow(const Placed& from, std::uint32_t instance, const ibnl::Connection& line,
                             const topo::Modifier*& removed_by) const {
    const Placed* at = &from;
    const ibnl::Connection* wire = &line;
    for (Part part = at->parts[instance];; part = at->parts[instance]) {
      if (part.state == State::node) return Wire{{part.index, wire->number}, complete(wire->rate)};
      removed_by = part.removed_by;
      if (part.state == State::absent) return std::nullopt;
      at = &placed_[part.index];
      const Board::Wiring* wiring = at->board->front_port(wire->port.text);
      if (wiring == nullptr) return std::nullopt;
      instance = wiring->instance;
      wire = &at->board->line(*wiring);
    }
  }

  /// Links between the parts of one board.
  void connect(const Placed& placed) {
    const topo::Modifier* ignored = nullptr;
    const auto& instances = placed.board->system().instances;
    for (std::uint32_t i = 0; i < instances.size(); ++i)
      for (const ibnl::Connection& line : instances[i].connections) {
        const ibnl::Instance* peer = line.peer_port ? placed.board->find(line.peer.text) : nullptr;
        if (peer == nullptr) continue;
        ibnl::Connection far;
        far.port = *line.peer_port;
        far.number = line.peer_number;
        const auto a = follow(placed, i, line, ignored);
        const auto b = a ? follow(placed, placed.board->index(*peer), far, ignored) : std::nullopt;
        if (b) result_.links.push_back({a->port, b->port, complete(line.rate)});
      }
  }

  void wire_panel() {
    for (const auto& [name, wiring] : file_.top()->front_ports()) {
      const topo::Modifier* removed_by = nullptr;
      const auto wire = follow(placed_.front(), wiring.instance, file_.top()->line(wiring), removed_by);
      if (!wire) {
        result_.absent.emplace(name, removed_by == nullptr ? Span{} : removed_by->board.span);
        if (removed_by != nullptr) count_removed(*removed_by, name);
        continue;
      }
      result_.panel_by_name.emplace(name, static_cast<std::uint32_t>(result_.panel.size()));
      result_.panel.push_back({name, wire->port, wire->rate});
    }
  }

  void count_removed(const topo::Modifier& modifier, std::string_view port) {
    Chosen& chosen = chosen_[by_path_.at(modifier.board.text)];
    if (chosen.ports++ == 0) chosen.first_port = port;
  }

  void report_removed() {
    for (const Chosen& chosen : chosen_) {
      if (chosen.ports == 0) continue;
      diagnostics_.add(topo::kRemovedPorts, chosen.modifier->board.span,
                       chosen.ports == 1
                           ? fmt::format("front panel port `{}` is absent with board `{}`", chosen.first_port,
                                         chosen.modifier->board.text)
                           : fmt::format("{} front panel ports, `{}` first, are absent with board `{}`",
                                         chosen.ports, chosen.first_port, chosen.modifier->board.text));
    }
  }

  static constexpr std::size_t kPathsTried = 1000;

  const SystemFile& file_;
  const topo::Section& section_;
  Diagnostics& diagnostics_;
  Assembly result_;
  std::vector<Placed> placed_;  ///< the top first
  std::vector<Chosen> chosen_;
  std::unordered_map<std::string_view, std::size_t> by_path_;  ///< index into chosen_
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<Assembly> assemble(const SystemFile& file, const topo::Section& section,
                                 Diagnostics& diagnostics) {
  return Assembler(file, section, diagnostics).run();
}

}  // namespace rch::parsers::ibdm
