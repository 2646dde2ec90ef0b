// A file of `rch whatif -o`, and the report as JSON. Outcomes look the same in both.

#include <algorithm>

#include <fmt/format.h>

#include "chains/plan_file.h"
#include "cli/whatif_report.h"

namespace rch::cli {
namespace {

using whatif::Outcome;
using whatif::Routing;

constexpr std::string_view kFormat = "rch-whatif";
constexpr std::uint64_t kVersion = 2;

struct RoutingName {
  Routing routing;
  std::string_view name;
};
constexpr RoutingName kRoutings[] = {
    {Routing::as_before, "as-before"}, {Routing::otherwise, "otherwise"}, {Routing::none, "none"}};

struct Number {
  std::string_view name;
  std::uint64_t Outcome::*value;
};
constexpr Number kNumbers[] = {
    {"case", &Outcome::number},           {"parts", &Outcome::parts},
    {"cut_off", &Outcome::cut_off},       {"cut_off_beyond", &Outcome::cut_off_beyond},
    {"lost_pairs", &Outcome::lost_pairs}, {"entries", &Outcome::entries},
    {"rounds", &Outcome::rounds},         {"drained", &Outcome::drained},
    {"sl_hosts", &Outcome::sl_hosts},     {"sl_pairs", &Outcome::sl_pairs},
    {"fullest", &Outcome::fullest},       {"waiting_groups", &Outcome::waiting_groups}};

struct Text {
  std::string_view name;
  std::string Outcome::*value;
};
constexpr Text kTexts[] = {{"failure", &Outcome::failure},
                           {"steps", &Outcome::steps},
                           {"reason", &Outcome::reason},
                           {"finding", &Outcome::finding}};

struct Flag {
  std::string_view name;
  bool Outcome::*value;
};
constexpr Flag kFlags[] = {{"manager_cut_off", &Outcome::manager_cut_off},
                           {"stops_traffic", &Outcome::stops_traffic}};

struct StudyText {
  std::string_view name;
  std::string whatif::Study::*value;
};
constexpr StudyText kStudyTexts[] = {{"fabric", &whatif::Study::fabric},
                                     {"plan", &whatif::Study::plan},
                                     {"list", &whatif::Study::list},
                                     {"asked", &whatif::Study::asked},
                                     {"steps", &whatif::Study::steps}};

struct StudyNumber {
  std::string_view name;
  std::uint64_t whatif::Study::*value;
};
constexpr StudyNumber kStudyNumbers[] = {{"switches", &whatif::Study::switches},
                                         {"hosts", &whatif::Study::hosts},
                                         {"cases", &whatif::Study::cases},
                                         {"fullest", &whatif::Study::fullest}};

Json outcome_json(const Outcome& outcome) {
  Json json = Json::object();
  for (const Number& number : kNumbers) json[number.name] = outcome.*number.value;
  for (const RoutingName& named : kRoutings)
    if (named.routing == outcome.routing) json["routing"] = named.name;
  for (const Text& text : kTexts) json[text.name] = outcome.*text.value;
  for (const Flag& flag : kFlags) json[flag.name] = outcome.*flag.value;
  json["findings"] = Json(outcome.findings);
  json["breaks"] = whatif::breaks(outcome);
  return json;
}

Json outcomes_json(const std::vector<Outcome>& outcomes) {
  auto list = Json::array();
  for (const Outcome& outcome : outcomes) list.push_back(outcome_json(outcome));
  return list;
}

Json study_json(const whatif::Study& study) {
  Json json = Json::object();
  for (const StudyText& text : kStudyTexts) json[text.name] = study.*text.value;
  for (const StudyNumber& number : kStudyNumbers) json[number.name] = study.*number.value;
  return json;
}

std::optional<Outcome> outcome_of(const Json& json) {
  Outcome outcome;
  for (const Number& number : kNumbers) {
    const auto value = json.number(number.name);
    if (!value) return std::nullopt;
    outcome.*number.value = *value;
  }
  const std::string routing = json.text("routing");
  const auto* named = std::ranges::find(kRoutings, routing, &RoutingName::name);
  if (named == std::end(kRoutings)) return std::nullopt;
  outcome.routing = named->routing;
  for (const Text& text : kTexts) outcome.*text.value = json.text(text.name);
  for (const Flag& flag : kFlags) {
    const Json* value = json.find(flag.name);
    outcome.*flag.value = value != nullptr && value->dump() == "true";
  }
  for (const Json& finding : json.list("findings"))
    if (const std::string* name = finding.string()) outcome.findings.push_back(*name);
  return outcome;
}

/// Nothing where a member is missing.
std::optional<whatif::Study> study_of(const Json& json) {
  whatif::Study study;
  for (const StudyText& text : kStudyTexts) study.*text.value = json.text(text.name);
  for (const StudyNumber& number : kStudyNumbers) {
    const auto value = json.number(number.name);
    if (!value) return std::nullopt;
    study.*number.value = *value;
  }
  return study.fabric.empty() ? std::nullopt : std::optional(std::move(study));
}

/// Nothing where it is no shard that could be.
std::optional<whatif::Shard> shard_of(const Json& json) {
  const auto index = json.number("index"), count = json.number("of");
  if (!index || !count || *index < 1 || *index > *count) return std::nullopt;
  return whatif::Shard{*index - 1, *count};
}

/// The outcomes are those of the shard, in order.
bool is_whole(const StudyFile& file) {
  std::uint64_t number = file.shard.index;
  for (const Outcome& outcome : file.outcomes) {
    if (outcome.number != number || number >= file.study.cases) return false;
    number += file.shard.count;
  }
  return number >= file.study.cases;
}

std::optional<StudyFile> study_file_of(const Json& json) {
  const Json *study = json.find("study"), *shard = json.find("shard"), *findings = json.find("findings");
  if (study == nullptr || shard == nullptr || findings == nullptr) return std::nullopt;
  auto asked = study_of(*study);
  const auto part = shard_of(*shard);
  if (!asked || !part) return std::nullopt;
  StudyFile file{std::move(*asked), *part, *findings, {}};
  for (const Json& one : json.list("cases")) {
    auto outcome = outcome_of(one);
    if (!outcome) return std::nullopt;
    file.outcomes.push_back(std::move(*outcome));
  }
  return is_whole(file) ? std::optional(std::move(file)) : std::nullopt;
}

Json numbers_of(const std::vector<const Outcome*>& outcomes) {
  auto list = Json::array();
  for (const Outcome* outcome : outcomes) list.push_back(outcome->number);
  return list;
}

Json spread_json(const whatif::Spread& spread) {
  auto bins = Json::array();
  for (const whatif::Bin& bin : spread.bins)
    bins.push_back({{"low", bin.low}, {"high", bin.high}, {"cases", bin.cases}});
  return {{"name", spread.name}, {"most", spread.most}, {"total", spread.total}, {"histogram", bins}};
}

}  // namespace

std::string write_study(const StudyFile& file) {
  Json json = {{"format", kFormat},
               {"version", kVersion},
               {"study", study_json(file.study)},
               {"shard", {{"index", file.shard.index + 1}, {"of", file.shard.count}}},
               {"findings", file.findings},
               {"cases", outcomes_json(file.outcomes)}};
  json["digest"] = chains::digest(json.dump());
  return json.dump(1) + "\n";
}

Result<StudyFile> read_study(std::string_view text, const std::string& name) {
  const auto json = Json::parse(text);
  if (!json || json->text("format") != kFormat)
    return fail(ErrorKind::usage, fmt::format("`{}` is no file of `rch whatif -o`", name));
  if (json->number("version") != kVersion)
    return fail(ErrorKind::usage, fmt::format("`{}` is of another version of rch", name));
  auto file = study_file_of(*json);
  // A member that is missing or of another type would read as one that says that all is well.
  if (!file || write_study(*file) != text)
    return fail(ErrorKind::usage, fmt::format("`{}` is damaged: it is not as rch wrote it", name));
  return std::move(*file);
}

Json whatif_json(const StudyFile& file, const whatif::Summary& summary) {
  auto spreads = Json::array();
  for (const whatif::Spread& spread : summary.spreads) spreads.push_back(spread_json(spread));
  return {{"study", study_json(file.study)},
          {"summary",
           {{"cases", summary.cases},
            {"otherwise", summary.otherwise},
            {"unrouted", summary.unrouted},
            {"forbidden", summary.forbidden},
            {"cutting_off", summary.cutting_off},
            {"draining", summary.draining},
            {"stopping", summary.stopping},
            {"with_other_sls", summary.with_other_sls},
            {"breaking", numbers_of(summary.breaking)},
            {"single_points", numbers_of(summary.single)},
            {"worst", numbers_of(summary.worst)},
            {"spreads", spreads}}},
          {"cases", outcomes_json(file.outcomes)}};
}

}  // namespace rch::cli
