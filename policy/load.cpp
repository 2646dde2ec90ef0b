#include <algorithm>

#include <fmt/format.h>

#include "parsers/opensm_conf/opensm_conf.h"
#include "policy/policy.h"
#include "policy/rules.h"
#include "policy/chain/steps.h"

namespace rch::policy {
namespace {

/// Builds a policy from a main file: options, groups, topologies, steps, in this order.
class Loader {
 public:
  Loader(SourceId conf, SourceSet& sources, Diagnostics& diagnostics)
      : conf_(conf), sources_(sources), diagnostics_(diagnostics), files_(sources, diagnostics) {}

  std::optional<Policy> load() {
    const auto syntax = parsers::opensm_conf::parse(sources_, conf_, diagnostics_);
    main_ = read_main_options(syntax, sources_, diagnostics_);
    load_groups();
    load_topologies();
    load_steps();
    check_qos();
    if (has_errors()) return std::nullopt;
    topologies_.report_unused(diagnostics_);
    groups_.report_unused(diagnostics_);
    return finish();
  }

 private:
  /// Counts from the start of this load; the caller's collection may hold more.
  bool has_errors() const {
    const auto found = diagnostics_.all().subspan(before_);
    return std::any_of(found.begin(), found.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::error; });
  }

  std::optional<SourceId> named_file(std::string_view key) {
    const Setting* setting = main_.find(key);
    if (setting == nullptr) return std::nullopt;
    const auto folder = std::filesystem::path(sources_.at(conf_).name()).parent_path();
    const auto file = files_.read(folder / setting->value.text, setting->value.span);
    return file ? std::optional(file->source) : std::nullopt;
  }

  void load_groups() {
    if (const auto source = named_file("pgrp_policy_file")) {
      groups_known_ = true;
      groups_.add(parsers::port_groups::parse(sources_, *source, diagnostics_), diagnostics_);
    } else {
      groups_known_ = main_.find("pgrp_policy_file") == nullptr;
    }
    groups_.resolve(diagnostics_);
  }

  void load_topologies() {
    if (const auto source = named_file("topo_policy_file")) {
      topologies_known_ = true;
      const auto syntax = parsers::topologies::parse(sources_, *source, diagnostics_);
      topologies_.add(syntax, groups_known_ ? &groups_ : nullptr, diagnostics_);
    }
  }

  void load_steps() {
    const auto folder = std::filesystem::path(sources_.at(conf_).name()).parent_path();
    StepConfigs configs(&main_, folder, files_, diagnostics_);
    const ChainContext context{&main_, topologies_known_ ? &topologies_ : nullptr, configs, diagnostics_};
    if (!chain_active()) {
      steps_ = build_engine_list(main_, context);
      return;
    }
    if (const auto source = named_file("rch_policy_file"))
      steps_ = build_chain(parsers::routing_chains::parse(sources_, *source, diagnostics_), context);
  }

  /// A chain is on when it is named, or when its file is set and no engine is (config-files 1.2).
  bool chain_active() {
    const Setting* file = main_.find("rch_policy_file");
    const Setting* engine = main_.find("routing_engine");
    if (engine == nullptr) return file != nullptr;
    const auto words = split_words(engine->value);
    const auto chain =
        std::find_if(words.begin(), words.end(), [](const parsers::Token& w) { return w.text == "chain"; });
    if (chain == words.end()) {
      if (file != nullptr)
        diagnostics_
            .add(kChainNotActive, file->name.span,
                 "the routing chain stays off: `routing_engine` does not name `chain`")
            .labels.push_back({engine->value.span, "these engines are used"});
      return false;
    }
    if (file == nullptr) {
      diagnostics_.add(kChainWithoutFile, chain->span, "`chain` needs `rch_policy_file`");
      return true;
    }
    if (words.size() > 1)
      diagnostics_.add(kChainNotAlone, chain->span, "`chain` stands beside other engines, which are not used")
          .hint = "declare fallbacks in the chain itself";
    return true;
  }

  /// Settings that do nothing without QoS (config-files 12, item 3); torus-2QoS steps see to themselves.
  void check_qos() {
    if (main_.options.qos) return;
    const auto add = [&](const Setting& setting, Severity severity) {
      diagnostics_.add(kNeedsQos, setting.name.span, fmt::format("`{}` needs `qos TRUE`", setting.key->name))
          .severity = severity;
    };
    if (const Setting* s = main_.find("enhanced_qos_policy_file")) add(*s, Severity::error);
    if (const Setting* s = main_.find("qos_policy_file"); s != nullptr && !s->is_default)
      add(*s, Severity::warning);
    const auto table = std::find_if(main_.settings.begin(), main_.settings.end(), [](const Setting& s) {
      return s.key->name.starts_with("qos_") && s.key->type != OptionType::path && !s.is_default && !s.unset;
    });
    if (table != main_.settings.end()) add(*table, Severity::warning);
  }

  Policy finish() {
    Policy policy;
    policy.options = main_.options;
    policy.groups = groups_.take();
    policy.topologies = topologies_.take();
    policy.steps = std::move(steps_);
    policy.sources = {conf_};
    policy.sources.insert(policy.sources.end(), files_.order().begin(), files_.order().end());
    return policy;
  }

  SourceId conf_;
  SourceSet& sources_;
  Diagnostics& diagnostics_;
  std::size_t before_ = diagnostics_.all().size();
  FileReader files_;
  OptionFile main_;
  GroupTable groups_;
  TopologyTable topologies_;
  bool groups_known_ = false;  ///< false: their file cannot be read, so names are not checked
  bool topologies_known_ = false;
  std::vector<Step> steps_;
};

}  // namespace

Result<std::optional<Policy>> load(const std::filesystem::path& conf, SourceSet& sources,
                                   Diagnostics& diagnostics) {
  const auto source = sources.load(conf);
  if (!source) return tl::unexpected(source.error());
  auto policy = Loader(*source, sources, diagnostics).load();
  diagnostics.sort_by_place();
  return policy;
}

}  // namespace rch::policy
