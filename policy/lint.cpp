#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/opensm_conf/opensm_conf.h"
#include "policy/policy.h"
#include "policy/rules.h"
#include "policy/steps.h"

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
};

/// Lints what was given together: definitions before uses.
class Linter {
 public:
  Linter(SourceSet& sources, Diagnostics& diagnostics)
      : sources_(sources), diagnostics_(diagnostics), files_(sources, diagnostics) {}

  void run(std::span<const std::filesystem::path> files) {
    for (const auto& file : files)
      if (const auto read = files_.read(file, {}); read && read->is_new)
        texts_.push_back({read->source, recognise(sources_.at(read->source).text())});
    for (const Text& text : of(Dialect::options))
      options_.push_back(read_main_options(parsers::opensm_conf::parse(sources_, text.source, diagnostics_),
                                           sources_, diagnostics_));
    for (const Text& text : of(Dialect::groups))
      groups_.add(parsers::port_groups::parse(sources_, text.source, diagnostics_), diagnostics_);
    groups_.resolve(diagnostics_);
    lint_topologies();
    lint_chains();
    for (const Text& text : of(Dialect::torus))
      build_torus(parsers::torus_conf::parse(sources_, text.source, diagnostics_), text.source, diagnostics_);
    report_unused();
  }

 private:
  std::vector<Text> of(Dialect dialect) const {
    std::vector<Text> found;
    std::copy_if(texts_.begin(), texts_.end(), std::back_inserter(found),
                 [&](const Text& t) { return t.dialect == dialect; });
    return found;
  }

  void lint_topologies() {
    const bool known = !of(Dialect::groups).empty();
    for (const Text& text : of(Dialect::topologies)) {
      if (!known) note_unresolved(text, "group");
      topologies_.add(parsers::topologies::parse(sources_, text.source, diagnostics_),
                      known ? &groups_ : nullptr, diagnostics_);
    }
  }

  void lint_chains() {
    const bool known = !of(Dialect::topologies).empty();
    const OptionFile* main = options_.size() == 1 ? &options_.front() : nullptr;
    for (const Text& text : of(Dialect::chain)) {
      const auto syntax = parsers::routing_chains::parse(sources_, text.source, diagnostics_);
      const bool uses = std::any_of(syntax.steps.begin(), syntax.steps.end(),
                                    [](const auto& s) { return s.topology && s.topology->value != 0; });
      if (!known && uses) note_unresolved(text, "topology");
      StepConfigs configs(main, {}, files_, diagnostics_);
      // Without the topology file nothing is known about ids, whatever the main file says.
      TopologyTable* topologies = known ? &topologies_ : nullptr;
      build_chain(syntax, {known ? main : nullptr, topologies, configs, diagnostics_});
    }
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
  std::vector<OptionFile> options_;
  GroupTable groups_;
  TopologyTable topologies_;
};

}  // namespace

void lint_files(std::span<const std::filesystem::path> files, SourceSet& sources, Diagnostics& diagnostics) {
  Linter(sources, diagnostics).run(files);
  diagnostics.sort_by_place();
}

}  // namespace rch::policy
