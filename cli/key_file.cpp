#include "cli/key_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "base/source.h"
#include "cli/state_file.h"

namespace rch::cli {
namespace {

constexpr std::size_t kMostKept = 8;

constexpr std::string_view kPerPort = "per-port";

/// `0x` and up to 16 digits.
std::optional<std::uint64_t> number_of(std::string_view word) {
  if (!word.starts_with("0x")) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), number, 16);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  for (std::size_t at = 0; (at = line.find_first_not_of(kBlanks, at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::optional<hw::KeySource> source_in(std::string_view line) {
  const auto words = words_of(line);
  if (words.empty()) return std::nullopt;
  const bool per_port = words.size() == 3 && words[0] == kPerPort;
  const auto key = number_of(per_port ? words[1] : words.back());
  const auto seed = per_port ? number_of(words[2]) : std::optional<std::uint64_t>(0);
  if (!key || *key == 0 || !seed) return std::nullopt;
  return hw::KeySource{*key, *seed, per_port};
}

void append(std::vector<hw::KeySource>& keys, const hw::KeySource& key) {
  if (keys.size() < kMostKept && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
}

std::string line_of(const hw::KeySource& source) {
  return source.per_port ? fmt::format("{} 0x{:016x} 0x{:016x}\n", kPerPort, source.m_key, source.seed)
                         : fmt::format("0x{:016x}\n", source.m_key);
}

}  // namespace

std::vector<hw::KeySource> keys_in(std::string_view text) {
  std::vector<hw::KeySource> keys;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (const auto source = source_in(line)) append(keys, *source);
  }
  return keys;
}

hw::KeySource key_source(const policy::ManagerOptions& options) {
  if (!options.m_key_per_port || options.m_key == 0) return {.m_key = options.m_key};
  return {options.m_key, options.key_mgr_seed, true};
}

std::string key_file(const std::string& lid_file) { return beside(lid_file, "rch-m-keys"); }

std::string cable_file(const std::string& lid_file) { return beside(lid_file, "neighbors"); }

namespace {

std::vector<hw::KeySource> former_keys(const policy::ManagerOptions& options, const std::string& lid_file,
                                       const ReadFile& read) {
  std::vector<hw::KeySource> keys;
  if (!options.m_key_lookup) return keys;
  for (const std::string& path : {key_file(lid_file), beside(lid_file, "guid2mkey")})
    if (const auto text = read(path))
      for (const hw::KeySource& key : keys_in(*text)) append(keys, key);
  std::erase(keys, key_source(options));
  return keys;
}

}  // namespace

hw::KeyOptions known_keys(const policy::ManagerOptions& options, const std::string& lid_file,
                          const ReadFile& read, SourceSet& sources, Diagnostics& diagnostics) {
  hw::KeyOptions keys{.own = key_source(options), .former = former_keys(options, lid_file, read)};
  keys.managers = options.allowed_sms;
  if (!keys.own.per_port && std::ranges::none_of(keys.former, &hw::KeySource::per_port)) return keys;
  if (const auto text = read(cable_file(lid_file)))
    keys.cables = fabric::read_neighbors(sources, sources.add(cable_file(lid_file), *text), diagnostics);
  return keys;
}

Result<void> keep_keys(const std::string& lid_file, const hw::KeySource& own,
                       const std::vector<hw::KeySource>& former) {
  const std::string path = key_file(lid_file);
  std::error_code unreadable;
  if (own.m_key == 0 && former.empty() && !std::filesystem::exists(path, unreadable)) return {};
  std::string text = "# M_Keys that ports may hold, newest first\n";
  if (own.m_key != 0) text += line_of(own);
  for (const hw::KeySource& key : former) text += line_of(key);
  make_folder_of(path);
  make_private(path);
  return write_file(path, text);
}

Result<void> keep_cables(const std::string& lid_file, const fabric::CableMap& cables) {
  make_folder_of(cable_file(lid_file));
  return write_file(cable_file(lid_file), fabric::write_neighbors(cables));
}

}  // namespace rch::cli
