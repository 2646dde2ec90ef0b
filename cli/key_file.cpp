#include "cli/key_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "base/source.h"
#include "cli/private_file.h"

namespace rch::cli {
namespace {

constexpr std::size_t kMostKept = 8;

/// `0x` and up to 16 digits.
std::optional<std::uint64_t> key_of(std::string_view word) {
  if (!word.starts_with("0x")) return std::nullopt;
  std::uint64_t key = 0;
  const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), key, 16);
  if (error != std::errc() || end != word.data() + word.size() || key == 0) return std::nullopt;
  return key;
}

void append(std::vector<std::uint64_t>& keys, std::uint64_t key) {
  if (keys.size() < kMostKept && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
}

}  // namespace

std::vector<std::uint64_t> keys_in(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::uint64_t> keys;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    line = line.substr(0, line.find('#'));
    line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
    const std::size_t before = line.find_last_of(kBlanks);
    if (const auto key = key_of(before == line.npos ? line : line.substr(before + 1))) append(keys, *key);
  }
  return keys;
}

std::string key_file(const std::string& lid_file) {
  return std::filesystem::path(lid_file).replace_filename("rch-m-keys").string();
}

std::vector<std::uint64_t> former_keys(const policy::ManagerOptions& options, const std::string& lid_file,
                                       const ReadFile& read) {
  std::vector<std::uint64_t> keys;
  if (!options.m_key_lookup) return keys;
  const std::string of_opensm = std::filesystem::path(lid_file).replace_filename("guid2mkey").string();
  for (const std::string& path : {key_file(lid_file), of_opensm})
    if (const auto text = read(path))
      for (const std::uint64_t key : keys_in(*text)) append(keys, key);
  std::erase(keys, options.m_key);
  return keys;
}

Result<void> keep_keys(const std::string& lid_file, std::uint64_t own,
                       const std::vector<std::uint64_t>& former) {
  const std::string path = key_file(lid_file);
  std::error_code unreadable;
  if (own == 0 && former.empty() && !std::filesystem::exists(path, unreadable)) return {};
  std::string text = "# M_Keys that ports may hold, newest first\n";
  if (own != 0) text += fmt::format("0x{:016x}\n", own);
  for (const std::uint64_t key : former) text += fmt::format("0x{:016x}\n", key);
  std::error_code ignored;  // the write says what is wrong
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  make_private(path);
  return write_file(path, text);
}

}  // namespace rch::cli
