#include "cli/loaded.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace rch::cli {

std::string to_text(const ServiceOptions& options) {
  Json accept = Json::array();
  for (const std::string& finding : options.accept) accept.push_back(finding);
  return Json{{"opensm_conf", options.conf.opensm_conf},
              {"rch_file", options.conf.rch_file},
              {"control", options.control},
              {"plan_file", options.plan_file},
              {"lid_file", options.lid_file},
              {"accept", std::move(accept)},
              {"strict", options.strict ? "yes" : "no"},
              {"certify", options.certify ? "yes" : "no"},
              {"adopt", options.adopt ? "yes" : "no"}}
      .dump();
}

std::optional<ServiceOptions> service_options(std::string_view text) {
  const auto json = Json::parse(text);
  const Json* accept = json ? json->find("accept") : nullptr;
  if (accept == nullptr || accept->elements() == nullptr) return std::nullopt;
  ServiceOptions options{
      .conf = {.opensm_conf = json->text("opensm_conf"), .rch_file = json->text("rch_file")},
      .control = json->text("control"),
      .plan_file = json->text("plan_file"),
      .lid_file = json->text("lid_file"),
      .strict = json->text("strict") == "yes",
      .certify = json->text("certify") == "yes",
      .adopt = json->text("adopt") == "yes"};
  for (const Json& finding : *accept->elements())
    if (finding.string() != nullptr) options.accept.push_back(*finding.string());
  return options;
}

namespace {

/// An answer on the control socket holds so many; the log has all of them.
constexpr std::size_t kMostFindings = 100;

/// The gravest ones first.
Json findings_json(const Context& context) {
  std::vector<const Diagnostic*> found;
  for (const Diagnostic& finding : context.diagnostics.all()) found.push_back(&finding);
  std::ranges::stable_sort(found, std::ranges::greater(), &Diagnostic::severity);
  found.resize(std::min(found.size(), kMostFindings));
  Json out = Json::array();
  for (const Diagnostic* finding : found) {
    Json told = cli::to_json(*finding, *context.sources);
    told["text"] = render(*finding, *context.sources);
    out.push_back(std::move(told));
  }
  return out;
}

}  // namespace

Reading read_again(Context& context, const ServiceOptions& options) {
  Reading reading{tl::unexpected(Exit::findings), Json::array()};
  auto read = read_configuration(context, options.conf);
  const bool errors = context.report();
  reading.findings = findings_json(context);
  if (!read) {
    reading.findings.push_back({{"severity", "error"}, {"message", read.error().message}});
    reading.loaded = tl::unexpected(context.stop(read.error()));
  }
  if (!read || errors || !read->policy || !read->main) return reading;
  const std::string main_files[] = {options.conf.opensm_conf, options.conf.rch_file};
  RunningConfiguration running = running_configuration(*read, *context.sources, main_files);
  policy::Settings settings = context.settings;
  settings.accept.insert(settings.accept.end(), options.accept.begin(), options.accept.end());
  read->policy->texts = context.sources;
  reading.loaded = Loaded{std::make_shared<const policy::Policy>(std::move(*read->policy)),
                          std::move(settings), std::move(running), context.sources, std::move(read->spared)};
  return reading;
}

void refuse(Reading& reading, const std::string& why) {
  reading.loaded = tl::unexpected(Exit::findings);
  reading.findings.push_back({{"severity", "error"}, {"message", why}});
  reading.refused = why;
}

void warn(Reading& reading, const std::string& what) {
  reading.findings.push_back({{"severity", "warning"}, {"message", what}});
}

Stage<Loaded> load(Context& context, const ServiceOptions& options) {
  context.presentation = policy::Presentation::spared;
  return read_again(context, options).loaded;
}

}  // namespace rch::cli
