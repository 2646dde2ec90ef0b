#include "parsers/opensm_conf/opensm_conf.h"
#include "policy/build/builder.h"
#include "policy/build/mistaken.h"
#include "policy/lint/rules/rch_file.h"

namespace rch::policy {

Result<Configuration> load(const std::filesystem::path& conf, SourceSet& sources, Diagnostics& diagnostics,
                           std::optional<Peer> beside, Presentation presentation) {
  FileReader files(sources, diagnostics);
  if (presentation == Presentation::spared) files.spare_presentation();
  const auto source = files.start(conf);
  if (!source) return tl::unexpected(source.error());
  if (report_mistaken(sources, *source, GivenAs::options, diagnostics)) return Configuration{};
  Builder builder(files, diagnostics);
  builder.read_options(parsers::opensm_conf::parse(sources, *source, diagnostics));
  builder.follow_options();
  builder.compare_with(beside);
  auto configuration = builder.build();
  diagnostics.sort_by_place();
  return configuration;
}

Result<Configuration> load_rch_file(const std::filesystem::path& file, SourceSet& sources,
                                    Diagnostics& diagnostics, std::optional<Peer> beside,
                                    Presentation presentation) {
  FileReader files(sources, diagnostics);
  if (presentation == Presentation::spared) files.spare_presentation();
  const auto source = files.start(file);
  if (!source) return tl::unexpected(source.error());
  if (report_mistaken(sources, *source, GivenAs::rch_file, diagnostics)) return Configuration{};
  Builder builder(files, diagnostics);
  const auto written = parsers::rch_yaml::parse(sources, *source, diagnostics);
  const Settings settings = build_settings(written, diagnostics);
  if (!written.config && written.options.options.empty() && !diagnostics.has_errors())
    diagnostics.add(rch_file::kNoConfiguration, {*source, 0, 0}, "neither `config` nor `options` is given");
  bool known = written.config || !written.options.options.empty() || !diagnostics.has_errors();
  if (written.config) {
    const auto conf = files.read(file.parent_path() / written.config->text, written.config->span);
    if (conf) builder.read_options(parsers::opensm_conf::parse(sources, conf->source, diagnostics));
    known = conf.has_value();
  }
  builder.read_options(written.options);
  if (!known) {  // what the options give would be reported as missing
    diagnostics.sort_by_place();
    Configuration unknown;
    unknown.settings = settings;
    return unknown;
  }
  builder.follow_options();
  builder.set_mode(settings.mode);
  builder.compare_with(beside ? beside : settings.compat);
  if (settings.lock_down) builder.lock_down(*settings.lock_down);
  auto configuration = builder.build();
  configuration.settings = settings;
  diagnostics.sort_by_place();
  return configuration;
}

}  // namespace rch::policy
