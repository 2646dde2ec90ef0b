#include "policy/files.h"

#include "policy/rules.h"

namespace rch::policy {

std::optional<FileReader::File> FileReader::read(const std::filesystem::path& path, Span named) {
  const auto [at, is_new] = known_.emplace(path.lexically_normal(), std::nullopt);
  if (!is_new) return at->second ? std::optional<File>({*at->second, false}) : std::nullopt;
  const auto source = sources_.load(path);
  if (!source) {
    diagnostics_.add(kUnreadableFile, named, source.error().message);
    return std::nullopt;
  }
  at->second = *source;
  order_.push_back(*source);
  return File{*source, true};
}

}  // namespace rch::policy
