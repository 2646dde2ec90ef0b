#include "cli/confirmed_file.h"

#include <filesystem>

#include <fmt/format.h>

#include "chains/plan.h"
#include "cli/state_file.h"

namespace rch::cli {
namespace {

constexpr std::string_view kMagic = "rch-confirmed 1 ";
constexpr std::size_t kDigestSize = 32;

}  // namespace

std::string confirmed_file(const std::string& lid_file) { return beside(lid_file, "rch-confirmed"); }

Result<void> keep_confirmed(const std::string& path, const SourceSet& texts) {
  std::string bytes;
  for (std::uint32_t s = 0; s < texts.size(); ++s) {
    const SourceText& text = texts.at(SourceId(s));
    record::encode(record::FileRead{text.name(), std::string(text.text())}, bytes);
  }
  make_folder_of(path);
  make_private(path);
  return write_file(path, fmt::format("{}{}\n{}", kMagic, chains::digest(bytes), bytes));
}

Result<void> forget_confirmed(const std::string& path) {
  std::error_code why;
  std::filesystem::remove(path, why);
  if (why) return fail(ErrorKind::usage, fmt::format("cannot remove `{}`: {}", path, why.message()));
  return {};
}

Result<std::optional<std::vector<record::FileRead>>> read_confirmed(const std::string& path) {
  std::error_code unreadable;
  if (!std::filesystem::exists(path, unreadable) && !unreadable) return std::nullopt;
  const auto content = read_file(path);
  if (!content) return tl::unexpected(content.error());
  const auto damaged = [&] {
    return fail(ErrorKind::usage,
                fmt::format("`{}`, the configuration that was confirmed last, is damaged; remove it to start "
                            "with the files as they are",
                            path));
  };
  std::string_view bytes = *content;
  if (!bytes.starts_with(kMagic) || bytes.size() <= kMagic.size() + kDigestSize) return damaged();
  const std::string_view digest = bytes.substr(kMagic.size(), kDigestSize);
  bytes.remove_prefix(kMagic.size() + kDigestSize + 1);
  if ((*content)[kMagic.size() + kDigestSize] != '\n' || chains::digest(bytes) != digest) return damaged();
  std::vector<record::FileRead> files;
  while (!bytes.empty()) {
    auto one = record::decode(bytes);
    auto* file = one ? std::get_if<record::FileRead>(&*one) : nullptr;
    if (file == nullptr || !file->content) return damaged();
    files.push_back(std::move(*file));
  }
  return files;
}

}  // namespace rch::cli
