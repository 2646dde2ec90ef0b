#include "policy/build/builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "engines/registry.h"
#include "policy/build/enhanced_qos/build_enhanced_qos.h"
#include "policy/build/options/lock_down.h"
#include "policy/build/options/option_compat.h"
#include "policy/build/options/option_uses.h"
#include "policy/build/partitions/build_partitions.h"
#include "policy/build/partitions/views.h"
#include "policy/build/qos/build_qos.h"
#include "policy/build/qos/vl_rules.h"
#include "policy/build/side_files/fabric_files.h"
#include "policy/build/side_files/side_files.h"
#include "policy/lint/roles.h"
#include "policy/lint/rules.h"
#include "policy/lint/rules/chain.h"
#include "policy/lint/rules/options.h"

namespace rch::policy {
namespace {

/// The options that name a file of a dialect.
struct FileKey {
  std::string_view key;
  Dialect dialect;
  bool needs_qos = false;              ///< not read while QoS is off
  std::string_view default_name = {};  ///< read when it is there and the option names no other
  bool can_be_none = false;            ///< `(null)` is no file, as in OpenSM; else it is the default
};
constexpr FileKey kFileKeys[] = {
    {"pgrp_policy_file", Dialect::port_groups},
    {"topo_policy_file", Dialect::topologies},
    {"rch_policy_file", Dialect::chain},
    {"partition_config_file", Dialect::partitions, false, "partitions.conf"},
    {"qos_policy_file", Dialect::qos_policy, true, "qos-policy.conf", true},
    {"enhanced_qos_policy_file", Dialect::enhanced_qos, true},
};

std::filesystem::path folder_of(SourceId source, const SourceSet& sources) {
  return std::filesystem::path(sources.at(source).name()).parent_path();
}

/// Whether a file has most options at their defaults, as the one that `opensm -c` writes: nobody chose its
/// paths.
bool is_template(const OptionFile& main) {
  constexpr std::ptrdiff_t kMany = 40;
  return std::ranges::count_if(main.settings, &Setting::is_default) > kMany;
}

/// The path that OpenSM has by default stands in the options file, and no file is there.
void report_absent_default(const FileKey& file, const std::filesystem::path& path, Span named,
                           Diagnostics& diagnostics) {
  const bool partitions = file.dialect == Dialect::partitions;
  diagnostics
      .add(kAbsentDefaultFile, named,
           fmt::format("`{}` does not exist: {}", path.string(),
                       partitions ? "every port is a full member of the default partition"
                                  : "paths have no QoS levels"))
      .hint = fmt::format("make the file, or leave `{}` out", file.key);
}

/// What the options say of single ports and switches.
std::vector<OptionGuid> guids_of(const OptionFile& main) {
  std::vector<OptionGuid> guids;
  for (const Setting& setting : main.settings) {
    const std::string_view key = setting.key->name;
    if (setting.unset || setting.is_default) continue;
    if (const auto* list = std::get_if<std::vector<Guid>>(&setting.meaning))
      for (const Guid guid : *list) guids.push_back({key, guid, setting.value.span});
    const auto* number = std::get_if<std::uint64_t>(&setting.meaning);
    if (number != nullptr && *number != 0 && key.ends_with("_root_guid"))
      guids.push_back({key, Guid(*number), setting.value.span});
  }
  return guids;
}

}  // namespace

Builder::Builder(FileReader& files, Diagnostics& diagnostics)
    : files_(files), diagnostics_(diagnostics), before_(diagnostics.all().size()) {}

void Builder::read_options(const parsers::opensm_conf::Syntax& syntax) {
  main_text_ = syntax.source;
  main_ = read_main_options(syntax, main(), files_.sources(), diagnostics_);
}

void Builder::follow_options() {
  complete_ = true;
  if (!files_.absent_is_note()) check_output_folders(*main_, files_.sources(), diagnostics_);
  const bool chain = chain_active();
  for (const FileKey& file : kFileKeys) {
    if ((file.dialect == Dialect::chain && !chain) || has(file.dialect)) continue;
    if (const Setting* named = main_->setting(file.key); file.can_be_none && named != nullptr && named->unset)
      continue;
    if (file.needs_qos) note_unnamed(file.key, file.default_name);
    if (file.needs_qos && !main_->options.qos.enabled) continue;
    const Setting* setting = main_->find(file.key);
    const bool optional = setting == nullptr || setting->is_default;
    if (setting == nullptr && file.default_name.empty()) continue;
    const auto path = setting == nullptr
                          ? files_.folder() / file.default_name
                          : folder_of(setting->value.span.source, files_.sources()) / setting->value.text;
    if (optional && !file.default_name.empty() && !files_.sources().exists(path)) {
      if (setting != nullptr && !files_.absent_is_note() && !is_template(*main_))
        report_absent_default(file, path, setting->value.span, diagnostics_);
      continue;
    }
    if (const auto read = files_.read(path, setting == nullptr ? Span{} : setting->value.span))
      add(read->source, file.dialect);
    else
      unread_.insert(file.dialect);
  }
}

/// A QoS policy beside the options file is read if QoS is on. Operators may expect either.
void Builder::note_unnamed(std::string_view key, std::string_view name) {
  if (name.empty() || main_->find(key) != nullptr || !files_.sources().exists(files_.folder() / name)) return;
  const Setting* qos = main_->find("qos");
  const Span place = qos != nullptr ? qos->name.span : Span{main_text_, 0, 0};
  diagnostics_.add(kUnnamedFile, place,
                   main_->options.qos.enabled ? fmt::format("`{}` is read, though no option names it", name)
                                              : fmt::format("`{}` is not read: `qos` is not TRUE", name));
}

Configuration Builder::build() {
  build_groups();
  build_topologies();
  build_steps();
  build_partitions();
  if (profile_ && !unread_.contains(Dialect::partitions))
    check_lock_down(partitions_ ? *partitions_ : partitions::without_file(), *profile_, diagnostics_);
  build_qos();
  if (complete_) check_qos();
  if (complete_ && main_ && beside_ == Peer::opensm) check_beside_opensm(*main_, diagnostics_);
  if (!has_errors()) report_unused();
  Configuration built;
  if (!has_errors()) built.policy = finish();
  built.main = std::move(main_);
  built.own_options = std::move(own_options_);
  built.symbols = std::move(symbols_);
  built.spared = std::move(spared_);
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
  const BuildContext files{files_, diagnostics_, symbols_, main(), groups_known_ ? &groups_ : nullptr, mode_};
  StepConfigs configs(files);
  // Where files are given alone, nothing is known about ids without their file, whatever the main file says.
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
  for (const SourceId text : of(Dialect::torus)) add_torus(configs.torus_conf(text));
  build_side_files(files);
  configs.check_together(steps_);
  for (const auto& [step, own] : configs.own_files()) own_options_.emplace(step, *own);
}

/// A torus-2QoS.conf by itself is as good as a step on the whole fabric. One that a step names was read with
/// it.
void Builder::add_torus(const TorusConf& conf) {
  const bool read_with_step = std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
    return step.torus && step.torus_places.size.source == conf.places.size.source;
  });
  if (read_with_step) return;
  Step step;
  step.id = StepId(steps_.empty() ? 1 : steps_.back().id.value + 1);
  step.span = conf.places.size;
  step.engine = engines::first_reader("torus_config")->name;
  step.torus = conf.shape;
  step.torus_places = conf.places;
  steps_.push_back(std::move(step));
}

/// Those of the fabric as a whole, and those that were given by themselves.
void Builder::build_side_files(const BuildContext& context) {
  if (complete_) fabric_files_ = read_fabric_files(context, spared_);
  for (const Text& text : texts_)
    if (is_side_file(text.dialect)) {
      SideFile file = build_side_file(text.source, {text.dialect}, context);
      if (auto* cables = std::get_if<std::vector<ListedCable>>(&file))
        fabric_files_.cables = std::move(*cables);
    }
  check_roles(steps_, fabric_files_, diagnostics_);
}

void Builder::build_partitions() {
  const BuildContext context{files_, diagnostics_, symbols_, main(), groups_known_ ? &groups_ : nullptr};
  for (const SourceId text : of(Dialect::partitions))
    partitions_ = partitions::build_partitions(
        parsers::partitions::parse(files_.sources(), text, diagnostics_), context);
  if (complete_ && !partitions_ && !unread_.contains(Dialect::partitions))
    partitions_ = partitions::open_partitions(main());
}

/// QoS policies, then the VLs of every SL in use.
void Builder::build_qos() {
  const BuildContext context{files_, diagnostics_, symbols_, main(), groups_known_ ? &groups_ : nullptr};
  std::vector<qos::SlUse> uses;
  if (main_) {
    const Setting* sm_sl = main_->find("sm_sl");
    uses.push_back(
        {main_->options.qos.sm_sl, qos::SlUse::sm, sm_sl != nullptr ? sm_sl->value.span : Span{}, "the SM"});
  }
  const auto append = [&](const std::vector<qos::SlUse>& more) {
    uses.insert(uses.end(), more.begin(), more.end());
  };
  std::vector<qos::KnownPartition> partitions;
  if (partitions_) {
    partitions = partitions::known_partitions(*partitions_);
    append(partitions::sl_uses(*partitions_));
  }
  const qos::KnownPartitions known = partitions;
  for (const SourceId text : of(Dialect::qos_policy)) {
    const auto syntax = parsers::qos_policy::parse(files_.sources(), text, diagnostics_);
    qos_ = qos::build_qos(syntax, text, partitions_ ? &known : nullptr, context);
    append(qos::sl_uses(*qos_));
  }
  for (const SourceId text : of(Dialect::enhanced_qos)) {
    const auto syntax = parsers::enhanced_qos::parse(files_.sources(), text, diagnostics_);
    enhanced_qos_ = enhanced_qos::build_enhanced_qos(syntax, context);
    if (complete_) enhanced_qos::check_sls(*enhanced_qos_, uses, diagnostics_);
    append(enhanced_qos::sl_uses(*enhanced_qos_));
  }
  if (main_) qos::check_vls(*main_, uses, torus_place(), diagnostics_);
}

/// Where the first step is declared whose engine reads `torus_config`.
std::optional<Span> Builder::torus_place() const {
  const auto step = std::ranges::find_if(steps_, [](const Step& s) {
    const engines::Descriptor* engine = engines::find_engine(s.engine);
    return engine != nullptr && engine->reads_option("torus_config");
  });
  return step == steps_.end() ? std::nullopt : std::optional(step->span);
}

/// A chain is on when it is named, or when its file is set and no engine is (docs/options.md).
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

/// Settings that do nothing without QoS (docs/diagnostics.md); torus-2QoS steps see to themselves.
void Builder::check_qos() {
  if (main_->options.qos.enabled || main_->is_unreadable("qos")) return;
  const auto add = [&](const Setting& setting, Severity severity) {
    diagnostics_.add(kNeedsQos, setting.name.span, fmt::format("`{}` needs `qos TRUE`", setting.key->name))
        .severity = severity;
  };
  if (const Setting* s = main_->find("enhanced_qos_policy_file")) add(*s, Severity::error);
  if (const Setting* s = main_->find("qos_policy_file"); s != nullptr && !s->is_default)
    add(*s, Severity::warning);
  const auto table = std::find_if(main_->settings.begin(), main_->settings.end(), [](const Setting& s) {
    return s.key->name.starts_with("qos_") && s.key->has_effect() && s.key->type != OptionType::path &&
           !s.is_default && !s.unset;
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

void Builder::lock_down(Span profile) {
  if (main_) policy::lock_down(*main_, profile, diagnostics_);
  profile_ = profile;
}

Policy Builder::finish() {
  Policy policy;
  if (main_) {
    policy.options = main_->options;
    policy.option_guids = guids_of(*main_);
  }
  policy.groups = groups_.take();
  policy.topologies = topologies_.take();
  policy.steps = std::move(steps_);
  policy.files = std::move(fabric_files_);
  if (partitions_) policy.partitions = std::move(*partitions_);
  policy.qos = std::move(qos_);
  policy.enhanced_qos = std::move(enhanced_qos_);
  policy.sources = files_.order();
  return policy;
}

}  // namespace rch::policy
