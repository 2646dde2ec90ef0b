#include "random_systems.h"

#include <algorithm>
#include <random>
#include <set>

#include <fmt/format.h>

#include "parsers/ibdm/cluster.h"

namespace rch::test {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t bound) { return engine_() % bound; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  /// Takes an element out.
  template <class T>
  T take(std::vector<T>& all) {
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(below(all.size()));
    T taken = *at;
    all.erase(at);
    return taken;
  }

 private:
  std::mt19937_64 engine_;
};

const std::vector<std::string> kArrows = {"->", "-1x->", "-4x->", "-8x-5G->", "-12x-10G->", "-10G->"};

/// A board type and the front panel ports of each of its variants.
struct BoardType {
  std::string name;
  struct Variant {
    std::string modifier;  ///< empty: the default
    std::vector<std::string> ports;
    std::vector<std::pair<std::string, std::size_t>> boards;  ///< parts: name, index of type
  };
  std::vector<Variant> variants;
};

struct End {
  std::string part, port;
};

class TypeMaker {
 public:
  TypeMaker(Random& random, std::string name) : random_(random), name_(std::move(name)) {}

  std::string make() {
    const std::size_t boards = random_.below(4);
    for (std::size_t i = 0; i < boards; ++i) {
      BoardType type{fmt::format("BD{}", i), {}};
      type.variants.push_back(board(fmt::format("SYSTEM BD{0},BD{0}:std", i), i));
      if (random_.one_in(2)) {
        type.variants.push_back(board(fmt::format("SYSTEM BD{}:wide, ALIAS{}", i, i), i));
        type.variants.back().modifier = "wide";
      }
      types_.push_back(std::move(type));
    }
    top_ = board(fmt::format("TOPSYSTEM {}", name_), boards);
    return text_;
  }

  /// Path and possible modifiers of every board of the default system.
  std::vector<std::pair<std::string, std::vector<std::string>>> boards() const {
    std::vector<std::pair<std::string, std::vector<std::string>>> found;
    list(top_, "", found);
    return found;
  }

 private:
  void list(const BoardType::Variant& board, const std::string& path,
            std::vector<std::pair<std::string, std::vector<std::string>>>& found) const {
    for (const auto& [part, type] : board.boards) {
      std::vector<std::string> modifiers{"R", "X", "Removed", "std"};
      if (types_[type].variants.size() > 1) modifiers.push_back("wide");
      found.emplace_back(path + part, modifiers);
      list(types_[type].variants.front(), path + part + "/", found);
    }
  }

  BoardType::Variant board(const std::string& heading, std::size_t types) {
    text_ += heading + "\n\n";
    BoardType::Variant made;
    std::vector<End> nodes, boards;
    std::vector<std::string> headings;
    const std::size_t node_count = 1 + random_.below(3);
    for (std::size_t i = 0; i < node_count; ++i) {
      const std::size_t ports = 2 + random_.below(7);
      const bool sw = !random_.one_in(4);
      headings.push_back(fmt::format("NODE {} {} MT{} U{}",
                                     sw                  ? "SW"
                                     : random_.one_in(2) ? "CA"
                                                         : "HCA",
                                     ports, 100 + random_.below(9000), i + 1));
      for (std::size_t p = 1; p <= ports; ++p)
        nodes.push_back({fmt::format("U{}", i + 1), fmt::format("{}", p)});
    }
    const std::size_t board_count = types > 0 ? random_.below(4) : 0;
    for (std::size_t i = 0; i < board_count; ++i) {
      const std::size_t type = random_.below(types);
      made.boards.emplace_back(fmt::format("bd{}", i), type);
      headings.push_back(fmt::format("SUBSYSTEM {} bd{}", types_[type].name, i));
      std::set<std::string> ports;
      for (const auto& variant : types_[type].variants)
        ports.insert(variant.ports.begin(), variant.ports.end());
      for (const std::string& port : ports) boards.push_back({fmt::format("bd{}", i), port});
    }
    std::vector<std::pair<std::string, std::string>> lines;  // part, text
    connect(nodes, lines, made);
    connect(boards, lines, made);
    for (const std::string& part : headings) {
      const std::string name = part.substr(part.rfind(' ') + 1);
      text_ += part + "\n";
      for (const auto& [of, line] : lines)
        if (of == name) text_ += line + "\n";
      if (random_.one_in(2)) text_ += "\n";
    }
    return made;
  }

  /// Connects ports of nodes, or of boards, to each other and to the front panel.
  void connect(std::vector<End> free, std::vector<std::pair<std::string, std::string>>& lines,
               BoardType::Variant& made) {
    while (!free.empty()) {
      const End a = random_.take(free);
      const std::string& arrow = random_.of(kArrows);
      if (random_.one_in(3)) {
        const std::string port = fmt::format("P{}-{}", made.ports.size(), random_.below(2));
        lines.emplace_back(a.part, fmt::format("  {} {} {}", a.port, arrow, port));
        made.ports.push_back(port);
      } else if (!free.empty() && !random_.one_in(4)) {
        const End b = random_.take(free);
        lines.emplace_back(a.part, fmt::format("{}\t{}  {} {}", a.port, arrow, b.part, b.port));
        if (random_.one_in(3))
          lines.emplace_back(b.part, fmt::format(" {} {} {} {}", b.port, arrow, a.part, a.port));
      }
    }
  }

  Random& random_;
  std::string name_, text_;
  std::vector<BoardType> types_;
  BoardType::Variant top_;
};

/// `CFG:` for some boards; none below a board that is not the default, whose parts may be others.
std::string choose_boards(Random& random, const TypeMaker& type) {
  std::string cfg;
  std::vector<std::string> changed;
  for (const auto& [path, modifiers] : type.boards()) {
    const auto inside = [&board = path](const std::string& outer) { return board.starts_with(outer + "/"); };
    if (!random.one_in(4) || std::any_of(changed.begin(), changed.end(), inside)) continue;
    cfg += fmt::format("{}{}={}", cfg.empty() ? " CFG: " : ",", path, random.of(modifiers));
    changed.push_back(path);
  }
  return cfg;
}

/// A section and its free front panel ports.
struct Section {
  std::string type, name, text;
  std::vector<std::string> ports;
};

void find_ports(std::vector<Section>& sections, const std::vector<std::string>& ibnl) {
  SourceSet sources;
  Diagnostics diagnostics;
  parsers::ibdm::Library library;
  for (const std::string& text : ibnl) library.add(sources, sources.add("types", text));
  std::string topo;
  for (const Section& section : sections) topo += section.text;
  const auto syntax = parsers::topo::parse(sources, sources.add("topo", topo), diagnostics);
  const auto cluster = parsers::ibdm::build_cluster(syntax, library, diagnostics);
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (cluster.systems.at(i).assembly)
      for (const auto& port : cluster.systems.at(i).assembly->panel)
        sections[i].ports.emplace_back(port.name);
}

void lay_cables(Random& random, std::vector<Section>& sections) {
  for (std::size_t i = 0; i < 12; ++i) {
    const std::size_t a = random.below(sections.size()), b = random.below(sections.size());
    if (a == b || sections[a].ports.empty() || sections[b].ports.empty()) continue;
    const std::string near = random.take(sections[a].ports), far = random.take(sections[b].ports);
    const std::string& arrow = random.of(kArrows);
    sections[a].text +=
        fmt::format("  {} {} {} {} {}\n", near, arrow, sections[b].type, sections[b].name, far);
    if (random.one_in(3))
      sections[b].text +=
          fmt::format("\t{}\t{} {} {} {}\n", far, arrow, sections[a].type, sections[a].name, near);
  }
}

}  // namespace

RandomCluster random_cluster(std::uint64_t seed, const std::string& name) {
  Random random(seed);
  RandomCluster cluster;
  std::vector<TypeMaker> types;
  const std::size_t type_count = 1 + random.below(3);
  for (std::size_t i = 0; i < type_count; ++i) {
    types.emplace_back(random, fmt::format("{}-T{}", name, i));
    cluster.ibnl.push_back(types.back().make());
  }
  std::vector<Section> sections(1 + random.below(5));
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::size_t type = random.below(types.size());
    sections[i] = {fmt::format("{}-T{}", name, type), fmt::format("{}-s{}", name, i), {}, {}};
    sections[i].text = fmt::format("{}{} {}{}\n", random.one_in(2) ? "  " : "", sections[i].type,
                                   sections[i].name, choose_boards(random, types[type]));
  }
  find_ports(sections, cluster.ibnl);
  lay_cables(random, sections);
  for (const Section& section : sections) cluster.topo += section.text + "\n";
  return cluster;
}

}  // namespace rch::test
