#include "policy/build/files.h"

#include <fmt/format.h>

#include "policy/build/mistaken.h"
#include "policy/lint/rules.h"

namespace rch::policy {

Result<SourceId> FileReader::start(const std::filesystem::path& path) {
  const auto source = sources_.load(path);
  if (source) {
    known_.emplace(path.lexically_normal(), *source);
    order_.push_back(*source);
  }
  return source;
}

std::filesystem::path FileReader::folder() const {
  if (order_.empty()) return {};
  return std::filesystem::path(sources_.at(order_.front()).name()).parent_path();
}

std::optional<FileReader::File> FileReader::read(const std::filesystem::path& path, Span named) {
  const auto [at, is_new] = known_.emplace(path.lexically_normal(), std::nullopt);
  if (!is_new) return at->second ? std::optional<File>({*at->second, false}) : std::nullopt;
  const auto source = sources_.load(path);
  if (!source) {
    if (absent_is_note_ && !sources_.exists(path))
      diagnostics_
          .add(kAbsentFile, named,
               fmt::format("`{}` does not exist: neither it nor what needs it is checked", path.string()))
          .hint = "give the file too, or the configuration with `-F` where its files are";
    else
      diagnostics_.add(kUnreadableFile, named, source.error().message);
    return std::nullopt;
  }
  const GivenAs as = named.source.is_none() ? GivenAs::anything : GivenAs::side_file;
  if (report_mistaken(sources_, *source, as, diagnostics_)) return std::nullopt;
  at->second = *source;
  order_.push_back(*source);
  return File{*source, true};
}

}  // namespace rch::policy
