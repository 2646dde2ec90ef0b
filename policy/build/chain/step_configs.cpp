#include "policy/build/chain/step_configs.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "engines/registry.h"
#include "policy/build/options/option_uses.h"
#include "policy/lint/rules/chain.h"
#include "policy/lint/rules/options.h"

namespace rch::policy {
namespace {

using parsers::Token;

/// Words of `routing_engine` that are no engine.
constexpr std::string_view kPseudoEngines[] = {"chain", "none", "no_fallback"};

/// A torus whose torus-2QoS.conf is not known is taken to wrap.
bool wraps(const std::optional<fabric::TorusShape>& torus) {
  if (!torus) return true;
  for (std::size_t d = 0; d < torus->radix.size(); ++d)
    if (torus->wraps[d] && torus->radix[d] > 2) return true;
  return false;
}

bool reads(const Step& step, std::string_view key) {
  const engines::Descriptor* engine = engines::find_engine(step.engine);
  return engine != nullptr && engine->reads_option(key);
}

bool heeds(const Step& step, std::string_view key) {
  const engines::Descriptor* engine = engines::find_engine(step.engine);
  return engine != nullptr && engine->heeds_option(key, {.compat = step.mode == EngineMode::compat,
                                                         .tables = step.routing.lfts_file.has_value()});
}

/// Why a step's engine does nothing with an option.
std::string why_idle(const Step& step, std::string_view key) {
  return fmt::format("engine `{}` does not read `{}`{}", step.engine, key,
                     !reads(step, key)                    ? ""
                     : step.routing.lfts_file.has_value() ? " beside `lfts_file`"
                                                          : " in mode `compat`");
}

/// An option that not every engine reads, set to something other than its default.
bool is_change_for_engines(const Setting& setting) {
  return !setting.unset && !setting.is_default && !is_nvidia_default(*setting.key, setting.meaning) &&
         engines::first_reader(setting.key->name) != nullptr;
}

/// A dump of tables, read once however many steps name it. Unreadable ones were reported.
template <class Dump>
std::shared_ptr<const Dump> read_dump(std::optional<Dump> (*reader)(const SourceSet&, SourceId, Diagnostics&),
                                      SourceId source, const SourceSet& sources,
                                      std::map<SourceId, std::shared_ptr<const Dump>>& known,
                                      Diagnostics& diagnostics) {
  const auto [at, fresh] = known.try_emplace(source);
  if (fresh)
    if (auto dump = reader(sources, source, diagnostics))
      at->second = std::make_shared<const Dump>(std::move(*dump));
  return at->second;
}

void report_absent_engine(const Token& engine, std::string_view user, Diagnostics& diagnostics) {
  Diagnostic& d = diagnostics.add(
      kEngineNotImplemented, engine.span,
      fmt::format("{} needs engine `{}`, which rch does not have yet: it fails, and nothing but a declared "
                  "fallback routes",
                  user, engine.text));
  if (const std::string_view other = engines::substitute_for(engine.text); !other.empty())
    d.hint = fmt::format("`{}` is the engine of rch that comes nearest", other);
  else if (engine.text == "auto")
    d.hint = "rch does not look for the topology: name `ftree` or `updn` for a tree, else `dfsssp`";
}

}  // namespace

bool check_engine(const Token& engine, std::string_view user, Diagnostics& diagnostics) {
  if (const engines::Descriptor* known = engines::find_engine(engine.text)) {
    if (known->route == nullptr) report_absent_engine(engine, user, diagnostics);
    if (known->groups != engines::GroupRule::none)
      diagnostics.add(kEntriesAlone, engine.span,
                      fmt::format("switches get the entries of `{}` alone: rch writes no groups of ports for "
                                  "adaptive routing",
                                  engine.text));
    return true;
  }
  if (std::find(std::begin(kPseudoEngines), std::end(kPseudoEngines), engine.text) !=
      std::end(kPseudoEngines)) {
    diagnostics.add(kNotAnEngine, engine.span,
                    fmt::format("`{}` is no engine that {} can run", engine.text, user));
    return false;
  }
  std::vector<std::string_view> names;
  std::string_view meant;
  for (const engines::Descriptor* known : engines::all_engines()) {
    names.push_back(known->name);
    if (known->is_also(to_lower(engine.text))) meant = known->name;
  }
  for (const engines::Descriptor& known : engines::absent_engines()) names.push_back(known.name);
  Diagnostic& d =
      diagnostics.add(kUnknownEngine, engine.span, fmt::format("unknown engine `{}`", engine.text));
  if (meant.empty()) meant = nearest(engine.text, names);
  if (!meant.empty()) d.hint = fmt::format("did you mean `{}`?", meant);
  return false;
}

void StepConfigs::complete(Step& step, const Token& engine, const std::optional<Token>& config) {
  step.mode = mode_;
  if (main_ != nullptr) step.routing = main_->options.routing;
  const OptionFile* own = config ? own_options(*config) : nullptr;
  if (own != nullptr) {
    step.routing = own->options.routing;
    own_of_step_[step.id] = own;
    check_other_engines(step, *own);
  }
  if (reads(step, "torus_config")) complete_torus(step, engine, own);
  read_files(step, engine, own);
  if (reads(step, "pqft_structure") && own != nullptr && !step.routing.pqft_structure)
    diagnostics_.add(kPqftStructureUnset, config->span,
                     "`pqft_structure` is set neither here nor in the main file; any tree is taken");
}

void StepConfigs::read_files(Step& step, const Token& engine, const OptionFile* own) {
  for (const auto& option : kStepFiles)
    if (reads(step, option.key))
      if (const auto source = file_of(option.key, step.routing.*option.path, engine, own))
        put(option, side_files_.read(*source, option.spec), step.files);
  if (!reads(step, "lfts_file")) return;
  if (main_ != nullptr && !step.routing.lfts_file && !step.routing.lid_matrix_dump_file)
    diagnostics_.add(kTableFilesUnset, engine.span,
                     fmt::format("engine `{}` needs `lfts_file` or `lid_matrix_dump_file`", step.engine));
  if (const auto source = file_of("lfts_file", step.routing.lfts_file, engine, own))
    step.files.lfts = read_dump(fabric::read_lft_dump, *source, files_.sources(), lft_dumps_, diagnostics_);
  if (const auto source = file_of("lid_matrix_dump_file", step.routing.lid_matrix_dump_file, engine, own))
    step.files.hops = read_dump(fabric::read_hop_dump, *source, files_.sources(), hop_dumps_, diagnostics_);
}

std::optional<SourceId> StepConfigs::file_of(std::string_view key, const OptionalPath& path,
                                             const Token& engine, const OptionFile* own) {
  if (!path) return std::nullopt;
  const Setting* setting = own != nullptr ? own->find(key) : nullptr;
  if (setting == nullptr && main_ != nullptr) setting = main_->find(key);
  const auto file = files_.read(*path, setting != nullptr ? setting->value.span : engine.span);
  return file ? std::optional(file->source) : std::nullopt;
}

const OptionFile* StepConfigs::own_options(const Token& config) {
  const auto folder = std::filesystem::path(files_.sources().at(config.span.source).name()).parent_path();
  const auto file = files_.read(folder / config.text, config.span);
  if (!file) return nullptr;
  if (const auto known = own_files_.find(file->source); known != own_files_.end()) return &known->second;
  const auto syntax = parsers::opensm_conf::parse(files_.sources(), file->source, diagnostics_);
  return &own_files_.emplace(file->source, read_step_options(syntax, files_.sources(), main_, diagnostics_))
              .first->second;
}

void StepConfigs::complete_torus(Step& step, const Token& engine, const OptionFile* own) {
  if (main_ != nullptr && !main_->options.qos.enabled && !main_->is_unreadable("qos"))
    diagnostics_.add(kNeedsQos, engine.span, "torus-2QoS needs `qos TRUE`").severity = Severity::error;
  read_torus_conf(step, engine, own);
  check_vls(step, engine);
}

void StepConfigs::read_torus_conf(Step& step, const Token& engine, const OptionFile* own) {
  const Setting* setting = own != nullptr ? own->find("torus_config") : nullptr;
  if (setting == nullptr && main_ != nullptr) setting = main_->find("torus_config");
  if (setting == nullptr) {
    if (main_ == nullptr) return;
    step.routing.torus_config = files_.folder() / "torus-2QoS.conf";
    diagnostics_.add(
        kTorusConfigUnset, engine.span,
        fmt::format("`torus_config` is not set; `{}` is used", step.routing.torus_config->string()));
  }
  const auto file =
      files_.read(*step.routing.torus_config, setting != nullptr ? setting->value.span : engine.span);
  if (!file) return;
  const TorusConf& conf = torus_conf(file->source);
  step.torus = conf.shape;
  step.torus_places = conf.places;
}

const TorusConf& StepConfigs::torus_conf(SourceId source) {
  if (const auto known = torus_files_.find(source); known != torus_files_.end()) return known->second;
  const auto syntax = parsers::torus_conf::parse(files_.sources(), source, diagnostics_);
  return torus_files_.emplace(source, build_torus(syntax, source, diagnostics_)).first->second;
}

/// VLs and SL2VL maps of the main file against what torus-2QoS does with them (torus-2QoS.conf(5) and
/// opensm(8), QOS CONFIGURATION).
void StepConfigs::check_vls(const Step& step, const Token& engine) {
  if (main_ == nullptr || vls_checked_) return;
  vls_checked_ = true;
  const Setting* written = main_->find("max_op_vls");
  const std::uint8_t code = main_->options.qos.max_op_vls;
  if (written != nullptr && code < 4) {
    constexpr std::string_view kLoss[] = {"it cannot route without a second one",
                                          "it cannot route round a failed switch",
                                          "there is one QoS level only"};
    const bool cannot_route = code == 1 && wraps(step.torus);
    const std::string_view loss = kLoss[cannot_route ? 0 : std::max(code - 1, 1)];
    Diagnostic& d =
        diagnostics_.add(kTooFewVls, written->value.span,
                         fmt::format("torus-2QoS wants 8 data VLs; with `max_op_vls {}` {}", code, loss));
    if (cannot_route) d.severity = Severity::error;
    d.labels.push_back({engine.span, "the engine"});
  }
  for (const Setting& setting : main_->settings)
    if (setting.key->type == OptionType::sl2vl && !setting.unset)
      diagnostics_
          .add(kSl2VlIgnored, setting.name.span,
               fmt::format("`{}` is ignored: torus-2QoS computes SL2VL itself", setting.key->name))
          .labels.push_back({engine.span, "the engine"});
}

void StepConfigs::check_other_engines(const Step& step, const OptionFile& own) {
  for (const Setting& setting : own.settings) {
    const std::string_view key = setting.key->name;
    if (!is_change_for_engines(setting) || !setting.key->has_effect() || heeds(step, key) ||
        !other_engine_reported_.insert({setting.name.span.source, setting.name.span.begin}).second)
      continue;
    diagnostics_.add(kOptionOfOtherEngine, setting.name.span, why_idle(step, key));
  }
}

void StepConfigs::check_together(std::span<const Step> steps) {
  if (main_ == nullptr || steps.empty()) return;
  check_unread(steps);
  std::vector<const OptionFile*> own;
  for (const auto& [source, file] : own_files_) own.push_back(&file);
  check_prerequisites(*main_, own, diagnostics_);
  check_shared_paths(*main_, own, files_.sources(), diagnostics_);
}

/// Options of the main file that no engine reads (docs/diagnostics.md). Their files are read all the
/// same: a mistake in them will matter when the engine changes.
void StepConfigs::check_unread(std::span<const Step> steps) {
  for (const Setting& setting : main_->settings) {
    const std::string_view key = setting.key->name;
    if (!is_change_for_engines(setting) || !setting.key->has_effect() ||
        std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return heeds(step, key); }))
      continue;
    diagnostics_.add(kOptionOfOtherEngine, setting.name.span,
                     steps.size() == 1 ? why_idle(steps.front(), key)
                                       : fmt::format("no engine of this configuration reads `{}`", key));
    const auto of_file = std::find_if(std::begin(kStepFiles), std::end(kStepFiles),
                                      [&](const auto& f) { return f.key == key; });
    if (of_file == std::end(kStepFiles)) continue;
    if (const auto file = files_.read(*(main_->options.routing.*of_file->path), setting.value.span))
      side_files_.read(file->source, of_file->spec);
  }
}

}  // namespace rch::policy
