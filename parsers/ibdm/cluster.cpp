#include "parsers/ibdm/cluster.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/topo/rules.h"

namespace rch::parsers::ibdm {
namespace {

class Builder {
 public:
  Builder(const topo::Syntax& syntax, const Library& library, Diagnostics& diagnostics)
      : syntax_(syntax), library_(library), diagnostics_(diagnostics) {}

  Cluster run() {
    for (const topo::Section& section : syntax_.sections)
      if (!section.damaged) declare(section);
    for (const topo::Section& section : syntax_.sections)
      for (const topo::Cable& cable : section.cables)
        if (!systems_.contains(cable.name.text)) {
          check_undeclared(cable);
          add({cable.type, cable.name, {}, {}, {}});
        }
    for (const topo::Section& section : syntax_.sections) lay_cables(section);
    return std::move(cluster_);
  }

 private:
  struct Known {
    Token type, name;  ///< where the system was first named
    std::vector<topo::Modifier> cfg;
    Span cfg_span;
    const SystemFile* file = nullptr;  ///< null: the type was reported
    std::uint32_t index = 0;           ///< into the cluster's systems
  };
  struct Use {
    PanelEnd peer;
    const topo::Cable* cable = nullptr;
    Span span;
  };

  void declare(const topo::Section& section) {
    const auto known = systems_.find(section.name.text);
    if (known == systems_.end()) return add(section);
    if (!check_type(known->second, section.type)) return;
    const Known& first = known->second;
    const bool same = std::equal(first.cfg.begin(), first.cfg.end(), section.cfg.begin(), section.cfg.end(),
                                 [](const topo::Modifier& a, const topo::Modifier& b) {
                                   return a.board.text == b.board.text && a.value.text == b.value.text;
                                 });
    const bool says_nothing = section.cfg_span.source == SourceId::none();
    if (same || says_nothing)
      diagnostics_
          .add(topo::kRepeatedSystem, section.name.span,
               fmt::format("system `{}` is declared again", section.name.text))
          .labels.push_back({first.name.span, "the first declaration"});
    else
      diagnostics_
          .add(topo::kCfgDiffers, section.cfg_span,
               fmt::format("system `{}` was declared with other boards", section.name.text))
          .labels.push_back({first.cfg.empty() ? first.name.span : first.cfg_span, "the first declaration"});
  }

  /// Names that differ in numbers only are brothers: `n01` and `n02`.
  static std::string without_digits(std::string name) {
    std::erase_if(name, [](char c) { return '0' <= c && c <= '9'; });
    return name;
  }

  void check_undeclared(const topo::Cable& cable) {
    if (suggestions_++ >= kSuggestions) return;
    const std::string& name = cable.name.text;
    std::vector<std::string_view> declared;
    for (const topo::Section& section : syntax_.sections)
      if (section.type.text == cable.type.text && without_digits(section.name.text) != without_digits(name))
        declared.push_back(section.name.text);
    if (const std::string_view meant = nearest(name, declared); !meant.empty())
      diagnostics_
          .add(topo::kUndeclaredSystem, cable.name.span, fmt::format("system `{}` is not declared", name))
          .hint = fmt::format("did you mean `{}`?", meant);
  }

  /// False, reported, when a system is given another type than before. Aliases of one type are equal.
  bool check_type(const Known& known, const Token& type) {
    if (known.type.text == type.text) return true;
    const SystemFile* file = find_type(type);
    if (file == nullptr || known.file == nullptr || file == known.file) return file == known.file;
    diagnostics_
        .add(topo::kTypesDiffer, type.span,
             fmt::format("system `{}` is a `{}`, not a `{}`", known.name.text, known.type.text, type.text))
        .labels.push_back({known.type.span, "its type was said here"});
    return false;
  }

  void add(const topo::Section& section) {
    Known known{section.type, section.name, section.cfg, section.cfg_span, find_type(section.type), 0};
    known.index = static_cast<std::uint32_t>(cluster_.systems.size());
    std::shared_ptr<const Assembly> assembly;
    if (known.file != nullptr) assembly = assembly_of(*known.file, section);
    if (assembly == nullptr) known.file = nullptr;
    cluster_.systems.push_back({section.name.text, std::move(assembly)});
    systems_.emplace(section.name.text, std::move(known));
  }

  /// Systems of one type without modifiers are alike.
  std::shared_ptr<const Assembly> assembly_of(const SystemFile& file, const topo::Section& section) {
    if (too_large_) return nullptr;
    std::shared_ptr<const Assembly> made;
    const auto plain = section.cfg.empty() ? plain_.find(&file) : plain_.end();
    if (plain != plain_.end()) {
      made = plain->second;
    } else {
      auto assembly = assemble(file, section, diagnostics_);
      if (assembly) made = std::make_shared<const Assembly>(std::move(*assembly));
      if (section.cfg.empty()) plain_.emplace(&file, made);
    }
    if (made == nullptr) return nullptr;
    nodes_ += made->nodes.size();
    parts_ += made->parts;
    if (nodes_ > kMostParts || parts_ > kMostBoards) {
      diagnostics_.add(topo::kTooLarge, section.name.span,
                       fmt::format("with system `{}` the fabric has more than {} {}", section.name.text,
                                   nodes_ > kMostParts ? kMostParts : kMostBoards,
                                   nodes_ > kMostParts ? "nodes" : "nodes and boards"));
      too_large_ = true;
    }
    return too_large_ ? nullptr : made;
  }

  /// Null, reported once a type, when it cannot be used.
  const SystemFile* find_type(const Token& type) {
    const auto [known, is_new] = types_.try_emplace(type.text, nullptr);
    if (!is_new) return known->second;
    const SystemFile* file = library_.find(type.text);
    if (file == nullptr)
      report_unknown_type(type);
    else if (file->broken())
      pass_on_errors(*file);
    else
      known->second = file;
    return known->second;
  }

  void report_unknown_type(const Token& type) {
    Diagnostic& d =
        diagnostics_.add(topo::kUnknownType, type.span, fmt::format("no IBNL file defines `{}`", type.text));
    if (library_.empty()) {
      d.hint = "no IBNL file was found; install ibutils, or name their directories in IBDM_IBNL_PATH";
      return;
    }
    if (suggestions_++ >= kSuggestions) return;
    const auto types = library_.types();
    const std::string_view meant = nearest(type.text, types);
    d.hint = meant.empty() ? "IBDM_IBNL_PATH names the directories of IBNL files"
                           : fmt::format("did you mean `{}`?", meant);
  }

  /// The errors of an IBNL file whose type is used, unless the library told all it has. The file is not the
  /// user's, perhaps, so its repairs are not offered.
  void pass_on_errors(const SystemFile& file) {
    if (library_.reported() || !told_.insert(&file).second) return;
    for (const Diagnostic& d : file.findings().all()) {
      if (d.severity != Severity::error) continue;
      Diagnostic& told = diagnostics_.add(*d.rule, d.span, d.message);
      told = d;
      told.fixes.clear();
    }
  }

  void lay_cables(const topo::Section& section) {
    Lowered lowered;
    const Known* local = section.damaged ? nullptr : &systems_.at(section.name.text);
    // A section of another type than its system's was reported.
    if (local != nullptr && find_type(section.type) != local->file) local = nullptr;
    for (const topo::Cable& cable : section.cables) {
      const Known& remote = systems_.at(cable.name.text);
      const bool typed = check_type(remote, cable.type);
      const auto far = typed ? find_port(remote, cable.remote_port) : std::nullopt;
      const auto near = local != nullptr ? find_port(*local, cable.port) : std::nullopt;
      if (near && far) lay(cable, *near, *far, lowered);
    }
    report_lowered(section, lowered);
  }

  std::optional<PanelEnd> find_port(const Known& system, const Token& port) {
    if (system.file == nullptr) return std::nullopt;
    const Assembly& assembly = *cluster_.systems[system.index].assembly;
    const auto found = assembly.panel_by_name.find(port.text);
    if (found != assembly.panel_by_name.end()) return PanelEnd{system.index, found->second};
    Diagnostic& d =
        diagnostics_.add(topo::kUnknownPort, port.span,
                         fmt::format("`{}` has no front panel port `{}`", system.name.text, port.text));
    const auto absent = assembly.absent.find(port.text);
    if (absent != assembly.absent.end()) {
      d.hint = "the port is absent with the boards that this system has";
      if (absent->second.source != SourceId::none())
        d.labels.push_back({absent->second, "its board is removed here"});
    } else if (suggestions_++ < kSuggestions) {
      std::vector<std::string_view> names;
      for (const Assembly::PanelPort& p : assembly.panel) names.push_back(p.name);
      const std::string_view meant = nearest(port.text, names);
      if (!meant.empty()) d.hint = fmt::format("did you mean `{}`?", meant);
    }
    return std::nullopt;
  }

  /// Cables of one section that say less than their ports have.
  struct Lowered {
    const topo::Cable* first = nullptr;
    fabric::LinkRate had;
    std::size_t count = 0;
  };

  void lay(const topo::Cable& cable, PanelEnd near, PanelEnd far, Lowered& lowered) {
    if (near == far) {
      diagnostics_.add(topo::kPortUsedTwice, cable.remote_port.span, "a cable from a port to itself");
      return;
    }
    const auto [near_use, near_new] = uses_.emplace(near, Use{far, &cable, cable.port.span});
    const auto [far_use, far_new] = uses_.emplace(far, Use{near, &cable, cable.remote_port.span});
    if (!near_new && near_use->second.peer != far) return report_used(cable.port, near_use->second);
    if (!far_new && far_use->second.peer != near) {
      if (near_new) uses_.erase(near_use);
      return report_used(cable.remote_port, far_use->second);
    }
    const fabric::LinkRate rate = complete(cable.rate);
    if (!near_new) return restate(cable, rate, *near_use->second.cable);
    cluster_.cables.push_back({near, far, rate});
    const fabric::LinkRate a = rate_of(near), b = rate_of(far);
    const fabric::LinkRate ports{std::max(a.width, b.width), std::max(a.speed, b.speed)};
    if (!cable.rate.empty() || (ports.width <= rate.width && ports.speed <= rate.speed)) return;
    if (lowered.count++ == 0) lowered = {&cable, ports, 1};
  }

  void report_used(const Token& port, const Use& before) {
    diagnostics_.add(topo::kPortUsedTwice, port.span, fmt::format("a second cable at port `{}`", port.text))
        .labels.push_back({before.span, "the first one"});
  }

  /// The same cable again, as its other end's section may say it.
  void restate(const topo::Cable& cable, const fabric::LinkRate& rate, const topo::Cable& before) {
    const fabric::LinkRate there = complete(before.rate);
    if (there.width == rate.width && there.speed == rate.speed) return;
    diagnostics_
        .add(topo::kRatesDiffer, cable.rate.span,
             fmt::format("this line says {}, an earlier one {}", to_string(rate), to_string(there)))
        .labels.push_back({before.rate.span, "the same cable"});
  }

  fabric::LinkRate rate_of(PanelEnd end) const {
    return cluster_.systems[end.system].assembly->panel[end.port].rate;
  }

  void report_lowered(const topo::Section& section, const Lowered& lowered) {
    if (lowered.count == 0) return;
    const std::string cables =
        lowered.count == 1 ? "this cable is" : fmt::format("{} cables of this system are", lowered.count);
    diagnostics_
        .add(topo::kRateLowered, lowered.first->rate.span,
             fmt::format("{} read as {}; the ports of `{}` have up to {}", cables, to_string(kDefaultRate),
                         section.name.text, to_string(lowered.had)))
        .hint = fmt::format("write `-{}->` where that is meant", to_string(lowered.had));
  }

  static constexpr std::size_t kMostBoards = 4 * kMostParts;

  const topo::Syntax& syntax_;
  const Library& library_;
  Diagnostics& diagnostics_;
  Cluster cluster_;
  std::unordered_map<std::string, Known> systems_;
  std::unordered_map<std::string, const SystemFile*> types_;  ///< null: reported
  std::unordered_map<const SystemFile*, std::shared_ptr<const Assembly>> plain_;
  std::set<const SystemFile*> told_;  ///< files whose errors were passed on
  std::map<PanelEnd, Use> uses_;
  std::size_t nodes_ = 0, parts_ = 0;
  bool too_large_ = false;
  std::size_t suggestions_ = 0;
};

}  // namespace

Cluster build_cluster(const topo::Syntax& syntax, const Library& library, Diagnostics& diagnostics) {
  if (syntax.sections.empty()) {
    diagnostics.add(topo::kNoSystem, {syntax.source, 0, 0}, "the file names no system");
    return {};
  }
  return Builder(syntax, library, diagnostics).run();
}

}  // namespace rch::parsers::ibdm
