#include "policy/build/side_files/fabric_files.h"

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

}  // namespace

FabricFiles read_fabric_files(const BuildContext& context) {
  FabricFiles files;
  for (const FileOption<FabricFiles>& option : kFabricFiles)
    if (const auto file = find_file(option, context))
      put(option, build_side_file(file->source, option.spec, context), files);
  return files;
}

}  // namespace rch::policy
