#include "parsers/ibdm/library.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <glob.h>

#include "parsers/ibnl/rules.h"

namespace rch::parsers::ibdm {
namespace {

namespace fs = std::filesystem;

void append(const Diagnostics& from, Diagnostics& to) {
  for (const Diagnostic& d : from.all()) to.add(*d.rule, d.span, d.message) = d;
}

/// Directories that a pattern names, in order of their names.
std::vector<fs::path> matching(std::string_view pattern) {
  std::vector<fs::path> found;
  glob_t matches{};
  if (glob(std::string(pattern).c_str(), GLOB_ONLYDIR, nullptr, &matches) == 0)
    found.assign(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  globfree(&matches);
  return found;
}

Result<std::vector<fs::path>> files_of(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".ibnl") files.push_back(at->path());
  if (error)
    return fail(ErrorKind::usage, fmt::format("cannot read the directory `{}` of system definitions: {}",
                                              directory.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

/// Every directory once, whatever names lead to it.
std::vector<fs::path> directories() {
  std::vector<fs::path> all, seen;
  const auto add = [&](const fs::path& directory) {
    std::error_code error;
    fs::path real = fs::weakly_canonical(directory, error);
    if (error || std::find(seen.begin(), seen.end(), real) == seen.end()) all.push_back(directory);
    seen.push_back(std::move(real));
  };
  for (std::string_view pattern : kInstalledDirectories)
    for (const fs::path& directory : matching(pattern)) add(directory);
  const char* variable = std::getenv("IBDM_IBNL_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find_first_of(":, "));
    if (!word.empty()) add(word);
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  return all;
}

}  // namespace

void Library::add(const SourceSet& sources, SourceId source) {
  const SystemFile& file = files_.emplace_back(sources, source);
  if (file.top() == nullptr) return;
  for (const Token& name : file.top()->system().names) {
    const auto [at, is_new] = by_type_.emplace(name.text, &file);
    if (is_new || at->second == &file) continue;
    const auto& before = at->second->top()->system().names;
    const auto same =
        std::find_if(before.begin(), before.end(), [&](const Token& n) { return n.text == name.text; });
    findings_
        .add(ibnl::kReplacedSystem, name.span,
             fmt::format("system type `{}` is defined twice; this one counts", name.text))
        .labels.push_back({same->span, "the other one"});
    at->second = &file;
  }
}

void Library::report(Diagnostics& diagnostics) {
  for (const SystemFile& file : files_) append(file.findings(), diagnostics);
  append(findings_, diagnostics);
  reported_ = true;
}

const SystemFile* Library::find(std::string_view type) const {
  const auto found = by_type_.find(type);
  return found == by_type_.end() ? nullptr : found->second;
}

std::vector<std::string_view> Library::types() const {
  std::vector<std::string_view> all;
  for (const auto& [name, file] : by_type_) all.push_back(name);
  std::sort(all.begin(), all.end());
  return all;
}

Result<std::vector<fs::path>> system_files() {
  std::vector<fs::path> all;
  for (const fs::path& directory : directories()) {
    const auto files = files_of(directory);
    if (!files) return tl::unexpected(files.error());
    all.insert(all.end(), files->begin(), files->end());
  }
  return all;
}

Result<void> load_system_files(SourceSet& sources, Library& library) {
  const auto files = system_files();
  if (!files) return tl::unexpected(files.error());
  for (const fs::path& file : *files) {
    const auto source = sources.load(file);
    if (!source) return tl::unexpected(source.error());
    library.add(sources, *source);
  }
  return {};
}

}  // namespace rch::parsers::ibdm
