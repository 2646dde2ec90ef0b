#include "policy/builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "policy/partitions/build_partitions.h"
#include "policy/rules.h"

namespace rch::policy {
namespace {

/// The options that name a file of a dialect.
struct FileKey {
  std::string_view key;
  Dialect dialect;
};
constexpr FileKey kFileKeys[] = {
    {"pgrp_policy_file", Dialect::port_groups},
    {"topo_policy_file", Dialect::topologies},
    {"rch_policy_file", Dialect::chain},
    {"partition_config_file", Dialect::partitions},
};

std::filesystem::path folder_of(SourceId source, const SourceSet& sources) {
  return std::filesystem::path(sources.at(source).name()).parent_path();
}

}  // namespace

Builder::Builder(FileReader& files, Diagnostics& diagnostics)
    : files_(files), diagnostics_(diagnostics), before_(diagnostics.all().size()) {}

void Builder::read_options(const parsers::opensm_conf::Syntax& syntax) {
  main_ = read_main_options(syntax, main(), files_.sources(), diagnostics_);
}

void Builder::follow_options() {
  complete_ = true;
  const bool chain = chain_active();
  for (const FileKey& file : kFileKeys) {
    const Setting* setting = main_->find(file.key);
    if (setting == nullptr || (file.dialect == Dialect::chain && !chain)) continue;
    const auto folder = folder_of(setting->value.span.source, files_.sources());
    if (const auto read = files_.read(folder / setting->value.text, setting->value.span))
      add(read->source, file.dialect);
    else
      unread_.insert(file.dialect);
  }
}

Configuration Builder::build() {
  build_groups();
  build_topologies();
  build_steps();
  build_partitions();
  if (complete_) check_qos();
  if (!has_errors()) report_unused();
  Configuration built;
  if (complete_ && !has_errors()) built.policy = finish();
  built.main = std::move(main_);
  built.symbols = std::move(symbols_);
  return built;
}

std::vector<SourceId> Builder::of(Dialect dialect) const {
  std::vector<SourceId> found;
  for (const Text& text : texts_)
    if (text.dialect == dialect) found.push_back(text.source);
  return found;
}

bool Builder::has_errors() const {
  const auto found = diagnostics_.all().subspan(before_);
  return std::any_of(found.begin(), found.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void Builder::build_groups() {
  groups_known_ = complete_ ? !unread_.contains(Dialect::port_groups) : has(Dialect::port_groups);
  for (const SourceId text : of(Dialect::port_groups))
    groups_.add(parsers::port_groups::parse(files_.sources(), text, diagnostics_), diagnostics_);
  groups_.resolve(diagnostics_);
}

void Builder::build_topologies() {
  for (const SourceId text : of(Dialect::topologies)) {
    if (!complete_ && !groups_known_) note_unresolved(text, "group");
    const auto syntax = parsers::topologies::parse(files_.sources(), text, diagnostics_);
    topologies_.add(syntax, groups_known_ ? &groups_ : nullptr, diagnostics_);
  }
}

void Builder::build_steps() {
  const bool known = has(Dialect::topologies);
  StepConfigs configs(main(), files_, diagnostics_);
  // Of files given alone, nothing is known about ids without their file, whatever the main file says.
  const ChainContext context{complete_ || known ? main() : nullptr, known ? &topologies_ : nullptr, configs,
                             diagnostics_, symbols_};
  for (const SourceId text : of(Dialect::chain)) {
    const auto syntax = parsers::routing_chains::parse(files_.sources(), text, diagnostics_);
    const bool uses = std::any_of(syntax.steps.begin(), syntax.steps.end(),
                                  [](const auto& s) { return s.topology && s.topology->value != 0; });
    if (!complete_ && !known && uses) note_unresolved(text, "topology");
    steps_ = build_chain(syntax, context);
  }
  if (complete_ && !has(Dialect::chain) && !unread_.contains(Dialect::chain))
    steps_ = build_engine_list(*main_, context);
  for (const SourceId text : of(Dialect::torus)) configs.torus_conf(text);
}

void Builder::build_partitions() {
  const BuildContext context{files_, diagnostics_, symbols_, main(), groups_known_ ? &groups_ : nullptr};
  for (const SourceId text : of(Dialect::partitions))
    partitions_ = partitions::build_partitions(
        parsers::partitions::parse(files_.sources(), text, diagnostics_), context);
  if (complete_ && !partitions_ && !unread_.contains(Dialect::partitions))
    partitions_ = partitions::without_file();
}

/// A chain is on when it is named, or when its file is set and no engine is (config-files 1.2).
bool Builder::chain_active() {
  const Setting* file = main_->find("rch_policy_file");
  const Setting* engine = main_->find("routing_engine");
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
    unread_.insert(Dialect::chain);
    return false;
  }
  if (words.size() > 1)
    diagnostics_.add(kChainNotAlone, chain->span, "`chain` stands beside other engines, which are not used")
        .hint = "declare fallbacks in the chain itself";
  return true;
}

/// Settings that do nothing without QoS (config-files 12, item 3); torus-2QoS steps see to themselves.
void Builder::check_qos() {
  if (main_->options.qos) return;
  const auto add = [&](const Setting& setting, Severity severity) {
    diagnostics_.add(kNeedsQos, setting.name.span, fmt::format("`{}` needs `qos TRUE`", setting.key->name))
        .severity = severity;
  };
  if (const Setting* s = main_->find("enhanced_qos_policy_file")) add(*s, Severity::error);
  if (const Setting* s = main_->find("qos_policy_file"); s != nullptr && !s->is_default)
    add(*s, Severity::warning);
  const auto table = std::find_if(main_->settings.begin(), main_->settings.end(), [](const Setting& s) {
    return s.key->name.starts_with("qos_") && s.key->type != OptionType::path && !s.is_default && !s.unset;
  });
  if (table != main_->settings.end()) add(*table, Severity::warning);
}

void Builder::report_unused() {
  if (complete_ || has(Dialect::chain)) topologies_.report_unused(diagnostics_);
  if (complete_ || has(Dialect::topologies)) groups_.report_unused(diagnostics_);
}

void Builder::note_unresolved(SourceId text, std::string_view what) {
  diagnostics_
      .add(kUnresolvedNames, {text, 0, 0},
           fmt::format("{} names are not checked: their file was not given", what))
      .hint = "name all files of the policy together";
}

Policy Builder::finish() {
  Policy policy;
  policy.options = main_->options;
  policy.groups = groups_.take();
  policy.topologies = topologies_.take();
  policy.steps = std::move(steps_);
  if (partitions_) policy.partitions = std::move(*partitions_);
  policy.sources = files_.order();
  return policy;
}

}  // namespace rch::policy
