#include "cli/repairs.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/line_diff.h"
#include "base/repair.h"

namespace rch::cli {

void Repairs::provide(SourceSet& sources) const {
  for (const auto& [name, file] : files) sources.provide(name, file.after);
}

Repairs find_repairs(Format format, const std::function<bool(Context&)>& collect) {
  constexpr int kRounds = 10;
  Repairs repairs;
  for (int round = 0; round < kRounds; ++round) {
    Context context(format);
    context.output.mute();
    repairs.provide(*context.sources);
    if (!collect(context)) return repairs;  // the run that reports says why
    policy::regrade(context.diagnostics, context.output.reported(), context.settings);
    for (std::uint32_t i = 0; i < context.sources->size(); ++i) {
      const SourceText& source = context.sources->at(SourceId(i));
      const std::string text(source.text());
      repairs.files.try_emplace(source.name(), Repairs::File{text, text, 0});
    }
    const auto repaired = repair(context.diagnostics, *context.sources);
    if (repaired.empty()) break;
    for (const RepairedText& text : repaired) {
      Repairs::File& file = repairs.files.at(context.sources->at(text.source).name());
      file.after = text.text;
      file.repairs += text.repairs.size();
      for (const Diagnostic* d : text.repairs) repairs.list.push_back(to_json(*d, *context.sources));
    }
  }
  return repairs;
}

Result<void> write_repairs(const Repairs& repairs) {
  for (const auto& [name, file] : repairs.files) {
    if (file.before == file.after) continue;
    if (!std::filesystem::is_regular_file(name))
      return fail(ErrorKind::usage, fmt::format("cannot repair `{}`: is not a regular file", name));
    if (auto written = write_file(name, file.after); !written) return written;
  }
  return {};
}

void report_repairs(Output& output, const Repairs& repairs, bool diff) {
  std::string difference;
  for (const auto& [name, file] : repairs.files) {
    if (file.before == file.after) continue;
    if (diff)
      difference += line_diff(name, file.before, file.after);
    else
      output.line(fmt::format("{}: {} repaired", name, file.repairs));
  }
  output.text(difference);
  output.json("repairs", repairs.list);
  if (diff) output.json("diff", difference);
}

}  // namespace rch::cli
