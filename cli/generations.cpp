#include "cli/generations.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/source.h"
#include "base/text.h"
#include "cli/json.h"
#include "cli/state_file.h"

namespace rch::cli {
namespace {

constexpr std::string_view kPlanSuffix = ".plan", kNoteSuffix = ".json";

std::string generation_file(const std::string& folder, std::uint64_t number, std::string_view suffix) {
  return fmt::format("{}/{:06}{}", folder, number, suffix);
}

/// The number that the name of a file begins with, if the rest is `suffix`.
std::optional<std::uint64_t> number_of(const std::filesystem::path& path, std::string_view suffix) {
  if (path.extension() != suffix) return std::nullopt;
  const std::string stem = path.stem().string();
  if (stem.empty() || stem.size() > 18 || stem.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoull(stem);
}

/// Numbers of the files with that suffix, ascending.
Result<std::vector<std::uint64_t>> numbers_in(const std::string& folder, std::string_view suffix) {
  std::error_code failed;
  std::vector<std::uint64_t> numbers;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (const auto number = number_of(entry.path(), suffix)) numbers.push_back(*number);
  if (failed)
    return fail(ErrorKind::usage, fmt::format("cannot read the folder `{}`: {}", folder, failed.message()));
  std::ranges::sort(numbers);
  return numbers;
}

/// The same file under another name where the file system can do so; else a copy of it.
Result<void> add_name(const std::string& file, const std::string& name) {
  std::error_code failed;
  std::filesystem::create_hard_link(file, name, failed);
  if (!failed) return {};
  const std::string fresh = name + ".tmp";
  make_private(fresh);
  std::filesystem::copy_file(file, fresh, std::filesystem::copy_options::overwrite_existing, failed);
  if (!failed) std::filesystem::rename(fresh, name, failed);
  if (!failed) return {};
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  return fail(ErrorKind::usage, fmt::format("cannot keep the plan as `{}`: {}", name, failed.message()));
}

std::string note_text(const GenerationNote& note) {
  Json json{
      {"time", note.time}, {"reason", note.reason}, {"repair", note.is_repair}, {"writes", note.writes}};
  auto accepted = Json::array();
  for (const std::string& finding : note.accepted) accepted.push_back(finding);
  json["accepted"] = std::move(accepted);
  return json.dump(2) + "\n";
}

/// A note that cannot be read tells nothing: the plan is there anyway.
GenerationNote note_in(const std::string& file) {
  const auto text = read_file(file);
  const auto json = text ? Json::parse(*text) : std::nullopt;
  if (!json) return {};
  GenerationNote note{.time = json->text("time"),
                      .reason = json->text("reason"),
                      .is_repair = false,
                      .writes = json->number("writes").value_or(0)};
  if (const Json* repair = json->find("repair")) note.is_repair = repair->dump() == "true";
  for (const Json& finding : json->list("accepted"))
    if (finding.string() != nullptr) note.accepted.push_back(*finding.string());
  return note;
}

void remove_generation(const std::string& folder, std::uint64_t number) {
  std::error_code ignored;
  for (const std::string_view suffix : {kPlanSuffix, kNoteSuffix})
    std::filesystem::remove(generation_file(folder, number, suffix), ignored);
}

/// Files that a process which ended meanwhile did not finish. The folder belongs to one manager.
void remove_unfinished(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::filesystem::path> unfinished;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".tmp") unfinished.push_back(entry.path());
  for (const auto& path : unfinished) std::filesystem::remove(path, ignored);
}

/// Removes the oldest ones beyond the limits, and notes without a plan.
Result<void> prune(const std::string& folder, const GenerationLimits& limits) {
  const auto plans = numbers_in(folder, kPlanSuffix), notes = numbers_in(folder, kNoteSuffix);
  if (!plans) return tl::unexpected(plans.error());
  std::uint64_t bytes = 0, kept = 0;
  for (auto number = plans->rbegin(); number != plans->rend(); ++number) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(generation_file(folder, *number, kPlanSuffix), failed);
    bytes += failed ? 0 : size;
    const bool is_beyond = kept >= limits.count || bytes > limits.mib << 20U;
    if (is_beyond && number != plans->rbegin())
      remove_generation(folder, *number);
    else
      ++kept;
  }
  for (const std::uint64_t number : notes ? *notes : std::vector<std::uint64_t>())
    if (!std::ranges::binary_search(*plans, number)) remove_generation(folder, number);
  return {};
}

}  // namespace

std::string generations_folder(const std::string& lid_file) { return beside(lid_file, "rch-generations"); }

Result<void> keep_generation(const std::string& folder, const std::string& plan_file,
                             const GenerationNote& note, const GenerationLimits& limits) {
  if (limits.count == 0) return {};
  make_folder_of(folder);
  ::mkdir(folder.c_str(), S_IRWXU);
  const auto plans = numbers_in(folder, kPlanSuffix);
  if (!plans) return tl::unexpected(plans.error());
  const std::uint64_t number = plans->empty() ? 1 : plans->back() + 1;
  if (auto done = write_file(generation_file(folder, number, kNoteSuffix), note_text(note)); !done)
    return done;
  if (auto done = add_name(plan_file, generation_file(folder, number, kPlanSuffix)); !done) return done;
  remove_unfinished(folder);
  return prune(folder, limits);
}

Result<std::vector<Generation>> generations_in(const std::string& folder) {
  const auto plans = numbers_in(folder, kPlanSuffix);
  if (!plans) return tl::unexpected(plans.error());
  std::vector<Generation> generations;
  for (auto number = plans->rbegin(); number != plans->rend(); ++number)
    generations.push_back({*number, generation_file(folder, *number, kPlanSuffix),
                           note_in(generation_file(folder, *number, kNoteSuffix))});
  return generations;
}

}  // namespace rch::cli
