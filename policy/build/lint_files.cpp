#include <set>

#include <fmt/format.h>

#include "fabric/formats.h"
#include "parsers/ibdm/lint.h"
#include "parsers/opensm_conf/opensm_conf.h"
#include "parsers/routing_chains/routing_chains.h"
#include "policy/build/builder.h"
#include "policy/build/mistaken.h"
#include "policy/lint/rules.h"

namespace rch::policy {
namespace {

struct Text {
  SourceId source;
  Dialect dialect;
};

/// Options files that a chain among the texts names are read with its steps, not as main files.
std::set<std::filesystem::path> step_files(const std::vector<Text>& texts, const SourceSet& sources) {
  std::set<std::filesystem::path> files;
  for (const Text& text : texts) {
    if (text.dialect != Dialect::chain) continue;
    Diagnostics ignored;
    const auto folder = std::filesystem::path(sources.at(text.source).name()).parent_path();
    for (const auto& step : parsers::routing_chains::parse(sources, text.source, ignored).steps)
      if (step.config) files.insert((folder / step.config->text).lexically_normal());
  }
  return files;
}

/// A file that neither content nor name tells.
void report_untold_file(SourceId source, const std::filesystem::path& path, bool ambiguous,
                        Diagnostics& diagnostics) {
  if (ambiguous) {
    diagnostics.add(kAmbiguousFile, {source, 0, 0}, "GUIDs and numbers: the content does not tell their use")
        .hint = "say what it is with `--as`";
    return;
  }
  const bool yaml = path.extension() == ".yaml" || path.extension() == ".yml";
  diagnostics.add(kUnknownFile, {source, 0, 0}, "neither content nor name tells what this file is").hint =
      yaml ? "give an rch.yaml with `-C`" : "say what it is with `--as`";
}

std::vector<Text> read_texts(std::span<const LintFile> given, FileReader& files,
                             std::vector<GuessedDialect>& guessed, Diagnostics& diagnostics) {
  std::vector<Text> texts;
  for (const LintFile& file : given) {
    const auto read = files.read(file.path, {});
    if (!read || !read->is_new) continue;
    const bool is_other = file.dialect && *file.dialect != Dialect::fabric;
    if (is_other && report_mistaken(files.sources(), read->source, GivenAs::side_file, diagnostics)) continue;
    if (file.dialect) {
      texts.push_back({read->source, *file.dialect});
      continue;
    }
    const Content content = recognise(files.sources().at(read->source).text());
    const auto dialect = content.dialect ? content.dialect : recognise_name(file.path.string());
    if (!dialect) {
      report_untold_file(read->source, file.path, content.ambiguous, diagnostics);
      continue;
    }
    texts.push_back({read->source, *dialect});
    guessed.push_back({read->source, *dialect, !content.dialect});
  }
  return texts;
}

/// System definitions and topology files, which no configuration names.
void lint_ibdm(const std::vector<Text>& texts, SourceSet& sources, Diagnostics& diagnostics) {
  std::vector<SourceId> ibnl, topos;
  for (const Text& text : texts) {
    if (text.dialect == Dialect::ibnl) ibnl.push_back(text.source);
    if (text.dialect == Dialect::topo) topos.push_back(text.source);
  }
  const auto done = parsers::ibdm::lint(sources, ibnl, topos, diagnostics);
  if (!done) diagnostics.add(kUnreadableFile, {}, done.error().message);
}

/// Lints several options files, none of which is the main file of the others.
void lint_apart(std::span<const parsers::opensm_conf::Syntax> mains, const SourceSet& sources,
                Diagnostics& diagnostics) {
  for (const auto& syntax : mains) {
    read_main_options(syntax, nullptr, sources, diagnostics);
    diagnostics
        .add(kUnresolvedNames, {syntax.source, 0, 0},
             "engines, QoS and the files it names are not checked: several options files were given")
        .hint = "give one options file at a time";
  }
}

}  // namespace

Configuration lint_files(std::span<const LintFile> given, SourceSet& sources, Diagnostics& diagnostics,
                         std::optional<Peer> beside) {
  FileReader files(sources, diagnostics);
  std::vector<GuessedDialect> guessed;
  const std::vector<Text> texts = read_texts(given, files, guessed, diagnostics);
  const auto of_steps = step_files(texts, sources);
  Builder builder(files, diagnostics);
  std::vector<parsers::opensm_conf::Syntax> mains;
  for (const Text& text : texts) {
    const bool of_step =
        of_steps.contains(std::filesystem::path(sources.at(text.source).name()).lexically_normal());
    if (text.dialect == Dialect::fabric)
      fabric::read_fabric(sources, text.source, diagnostics);
    else if (text.dialect != Dialect::options)
      builder.add(text.source, text.dialect);
    else if (!of_step)
      mains.push_back(parsers::opensm_conf::parse(sources, text.source, diagnostics));
  }
  files.take_absent_files();
  if (mains.size() == 1) {
    builder.read_options(mains.front());
    builder.follow_options();
    builder.compare_with(beside);
  } else {
    lint_apart(mains, sources, diagnostics);
  }
  auto configuration = builder.build();
  configuration.guessed = std::move(guessed);
  lint_ibdm(texts, sources, diagnostics);
  diagnostics.sort_by_place();
  return configuration;
}

}  // namespace rch::policy
