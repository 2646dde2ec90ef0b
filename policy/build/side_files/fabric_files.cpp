#include "policy/build/side_files/fabric_files.h"

#include <utility>

#include <fmt/format.h>

#include "policy/build/side_files/tables.h"

namespace rch::policy {
namespace {

std::optional<FileReader::File> find_file(const FileOption<FabricFiles>& option,
                                          const BuildContext& context) {
  const Setting* setting = context.main->find(option.key);
  const OptionalPath& path = context.main->options.files.*option.path;
  if (setting != nullptr && path && (!setting->is_default || context.files.sources().exists(*path)))
    return context.files.read(*path, setting->value.span);
  if (option.usual_name.empty() || context.main->setting(option.key) != nullptr) return std::nullopt;
  const std::filesystem::path usual = context.files.folder() / option.usual_name;
  if (!context.files.sources().exists(usual)) return std::nullopt;
  return context.files.read(usual, {});
}

/// The file counts as empty if something is wrong with it, which is a warning then.
bool spare(const FileOption<FabricFiles>& option, std::size_t from, Diagnostics& diagnostics,
           FabricFiles& files) {
  bool is_wrong = false;
  diagnostics.revise(from, [&](Diagnostic& found) {
    if (found.severity != Severity::error) return true;
    found.severity = Severity::warning;
    if (std::exchange(is_wrong, true)) return true;
    found.hint += fmt::format("{}the subnet manager starts without this file, on which only {} depend",
                              found.hint.empty() ? "" : "; ", option.presents);
    return true;
  });
  if (is_wrong) std::visit([&](auto field) { (files.*field).clear(); }, option.field);
  return is_wrong;
}

}  // namespace

FabricFiles read_fabric_files(const BuildContext& context, std::vector<std::string>& spared) {
  FabricFiles files;
  for (const FileOption<FabricFiles>& option : kFabricFiles) {
    const std::size_t before = context.diagnostics.all().size();
    if (const auto file = find_file(option, context))
      put(option, build_side_file(file->source, option.spec, context), files);
    const bool may_spare = context.files.spares_presentation() && !option.presents.empty();
    if (may_spare && spare(option, before, context.diagnostics, files)) spared.emplace_back(option.key);
  }
  return files;
}

}  // namespace rch::policy
