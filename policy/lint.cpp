#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/opensm_conf/opensm_conf.h"
#include "policy/policy.h"
#include "policy/rules.h"
#include "policy/chain/steps.h"

namespace rch::policy {
namespace {

enum class Dialect : std::uint8_t { options, groups, topologies, chain, torus };

/// First words of a line that tell a dialect.
struct Sign {
  std::string_view word;
  Dialect dialect;
};
constexpr Sign kSigns[] = {
    {"port-group", Dialect::groups},
    {"end-port-group", Dialect::groups},
    {"port-guid", Dialect::groups},
    {"topology", Dialect::topologies},
    {"end-topology", Dialect::topologies},
    {"sw-grp", Dialect::topologies},
    {"hca-grp", Dialect::topologies},
    {"unicast-step", Dialect::chain},
    {"end-unicast-step", Dialect::chain},
    {"engine", Dialect::chain},
    {"fallback-to", Dialect::chain},
    {"torus", Dialect::torus},
    {"mesh", Dialect::torus},
    {"next_seed", Dialect::torus},
    {"xp_link", Dialect::torus},
    {"xm_link", Dialect::torus},
    {"yp_link", Dialect::torus},
    {"ym_link", Dialect::torus},
    {"zp_link", Dialect::torus},
    {"zm_link", Dialect::torus},
};

/// The dialect most lines speak; the options file when none does. `topology` with a value is a line of a
/// chain.
Dialect recognise(std::string_view text) {
  std::array<std::size_t, 5> votes{};
  while (!text.empty()) {
    const std::string_view line = trim(text.substr(0, text.find('\n')));
    text.remove_prefix(
        std::min(text.size(), text.find('\n') == std::string_view::npos ? text.size() : text.find('\n') + 1));
    const std::string word = to_lower(line.substr(0, line.find_first_of(" \t:")));
    const bool has_value = word == "topology" && trim(line.substr(word.size())).starts_with(':');
    for (const Sign& sign : kSigns)
      if (sign.word == word) ++votes[static_cast<std::size_t>(has_value ? Dialect::chain : sign.dialect)];
  }
  return static_cast<Dialect>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

struct Text {
  SourceId source;
  Dialect dialect;
  parsers::routing_chains::Syntax chain;  ///< of a chain
};

/// Lints what was given together: definitions before uses.
class Linter {
 public:
  Linter(SourceSet& sources, Diagnostics& diagnostics)
      : sources_(sources), diagnostics_(diagnostics), files_(sources, diagnostics) {}

  void run(std::span<const std::filesystem::path> paths) {
    for (const auto& path : paths)
      if (const auto read = files_.read(path, {}); read && read->is_new)
        texts_.push_back({read->source, recognise(sources_.at(read->source).text()), {}});
    for (Text& text : texts_)
      if (text.dialect == Dialect::chain) read_chain(text);
    for (const Text* text : of(Dialect::options)) read_options(*text);
    for (const Text* text : of(Dialect::groups))
      groups_.add(parsers::port_groups::parse(sources_, text->source, diagnostics_), diagnostics_);
    groups_.resolve(diagnostics_);
    lint_topologies();
    lint_steps();
    report_unused();
  }

 private:
  std::vector<const Text*> of(Dialect dialect) const {
    std::vector<const Text*> found;
    for (const Text& text : texts_)
      if (text.dialect == dialect) found.push_back(&text);
    return found;
  }

  std::filesystem::path folder(SourceId source) const {
    return std::filesystem::path(sources_.at(source).name()).parent_path();
  }

  /// Step files that a chain names are read with their steps, not as main files.
  void read_chain(Text& text) {
    text.chain = parsers::routing_chains::parse(sources_, text.source, diagnostics_);
    for (const auto& step : text.chain.steps)
      if (step.config) step_files_.insert((folder(text.source) / step.config->text).lexically_normal());
  }

  void read_options(const Text& text) {
    if (step_files_.contains(std::filesystem::path(sources_.at(text.source).name()).lexically_normal()))
      return;
    const auto syntax = parsers::opensm_conf::parse(sources_, text.source, diagnostics_);
    options_.push_back(read_main_options(syntax, sources_, diagnostics_));
    main_folder_ = folder(text.source);
  }

  void lint_topologies() {
    const bool known = !of(Dialect::groups).empty();
    for (const Text* text : of(Dialect::topologies)) {
      if (!known) note_unresolved(*text, "group");
      const auto syntax = parsers::topologies::parse(sources_, text->source, diagnostics_);
      topologies_.add(syntax, known ? &groups_ : nullptr, diagnostics_);
    }
  }

  void lint_steps() {
    const bool known = !of(Dialect::topologies).empty();
    const OptionFile* main = options_.size() == 1 ? &options_.front() : nullptr;
    StepConfigs configs(main, main_folder_, files_, diagnostics_);
    for (const Text* text : of(Dialect::chain)) {
      const auto& steps = text->chain.steps;
      const bool uses = std::any_of(steps.begin(), steps.end(),
                                    [](const auto& s) { return s.topology && s.topology->value != 0; });
      if (!known && uses) note_unresolved(*text, "topology");
      // Without the topology file nothing is known about ids, whatever the main file says.
      build_chain(text->chain,
                  {known ? main : nullptr, known ? &topologies_ : nullptr, configs, diagnostics_});
    }
    for (const Text* text : of(Dialect::torus)) configs.torus_conf(text->source);
  }

  void report_unused() {
    if (diagnostics_.has_errors()) return;
    if (!of(Dialect::chain).empty()) topologies_.report_unused(diagnostics_);
    if (!of(Dialect::topologies).empty()) groups_.report_unused(diagnostics_);
  }

  void note_unresolved(const Text& text, std::string_view what) {
    diagnostics_
        .add(kUnresolvedNames, {text.source, 0, 0},
             fmt::format("{} names are not checked: their file was not given", what))
        .hint = "name all files of the policy together";
  }

  SourceSet& sources_;
  Diagnostics& diagnostics_;
  FileReader files_;
  std::vector<Text> texts_;
  std::set<std::filesystem::path> step_files_;
  std::vector<OptionFile> options_;
  std::filesystem::path main_folder_;
  GroupTable groups_;
  TopologyTable topologies_;
};

}  // namespace

void lint_files(std::span<const std::filesystem::path> files, SourceSet& sources, Diagnostics& diagnostics) {
  Linter(sources, diagnostics).run(files);
  diagnostics.sort_by_place();
}

}  // namespace rch::policy
