#include "cli/sarif.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/show/explain.h"

namespace rch::cli {
namespace {

/// A path as a URI reference (RFC 3986): relative ones stay relative, absolute ones become file URIs.
std::string uri(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@";
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path)
    out += kPlain.find(c) != std::string_view::npos ? std::string(1, c)
                                                    : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

/// Columns count code points, as the run declares.
std::size_t sarif_column(const SourceText& source, Position at) {
  const std::string_view before = source.line(at.line).substr(0, at.column - 1);
  return 1 + static_cast<std::size_t>(std::count_if(before.begin(), before.end(), [](char c) {
           return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
         }));
}

Json region(const SourceText& source, Span span) {
  const Position begin = source.position(span.begin), end = source.position(span.end);
  return {{"startLine", begin.line},  {"startColumn", sarif_column(source, begin)},
          {"endLine", end.line},      {"endColumn", sarif_column(source, end)},
          {"byteOffset", span.begin}, {"byteLength", span.end - span.begin}};
}

Json artifact(const SourceText& source) { return {{"uri", uri(source.name())}}; }

Json location(const SourceSet& sources, Span span) {
  const SourceText& source = sources.at(span.source);
  return {{"physicalLocation", {{"artifactLocation", artifact(source)}, {"region", region(source, span)}}}};
}

Json fix(const Diagnostic& d, const SourceSet& sources) {
  std::map<SourceId, Json> replacements;
  for (const Edit& edit : d.fixes)
    replacements[edit.span.source].push_back(
        {{"deletedRegion", region(sources.at(edit.span.source), edit.span)},
         {"insertedContent", {{"text", edit.text}}}});
  Json changes = Json::array();
  for (auto& [source, edits] : replacements)
    changes.push_back(
        {{"artifactLocation", artifact(sources.at(source))}, {"replacements", std::move(edits)}});
  return {{"description", {{"text", d.hint.empty() ? std::string(d.rule->repair) : elided(d.hint)}}},
          {"artifactChanges", std::move(changes)}};
}

Json result(const Diagnostic& d, const SourceSet& sources, std::optional<Peer> compat, std::size_t rule) {
  std::string text = d.message;
  if (!d.hint.empty()) text += fmt::format(" ({})", elided(d.hint));
  Json out{{"ruleId", d.rule->name},
           {"ruleIndex", rule},
           {"level", to_string(d.severity)},
           {"message", {{"text", text}}}};
  if (!d.span.source.is_none()) out["locations"].push_back(location(sources, d.span));
  for (const Label& label : d.labels) {
    Json related = location(sources, label.span);
    related["message"] = {{"text", label.message}};
    out["relatedLocations"].push_back(std::move(related));
  }
  if (!d.fixes.empty()) out["fixes"].push_back(fix(d, sources));
  if (compat) out["properties"] = {{"compat", peer_behaviour(*d.rule, *compat)}};
  return out;
}

Json rule_descriptor(const Rule& rule) {
  Json out{{"id", rule.name},
           {"shortDescription", {{"text", rule.summary}}},
           {"defaultConfiguration", {{"level", to_string(rule.severity)}}}};
  if (!rule.reason.empty()) out["fullDescription"] = {{"text", rule.reason}};
  if (!rule.repair.empty()) out["help"] = {{"text", rule.repair}, {"markdown", explain_markdown(rule)}};
  return out;
}

}  // namespace

Json sarif_log(std::span<const Diagnostic> findings, const SourceSet& sources, std::optional<Peer> compat,
               const SarifNotices& notices) {
  Json results = Json::array(), rules = Json::array();
  std::map<const Rule*, std::size_t> index;
  for (const Diagnostic& d : findings) {
    const auto [at, fresh] = index.emplace(d.rule, index.size());
    if (fresh) rules.push_back(rule_descriptor(*d.rule));
    results.push_back(result(d, sources, compat, at->second));
  }
  Json invocation{{"executionSuccessful", notices.errors.empty()}};
  const auto notify = [&](const char* level, const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      invocation["toolExecutionNotifications"].push_back({{"level", level}, {"message", {{"text", text}}}});
  };
  notify("error", notices.errors);
  notify("note", notices.notes);
  Json run{{"tool", {{"driver", {{"name", "rch"}, {"version", RCH_VERSION}, {"rules", std::move(rules)}}}}},
           {"invocations", Json::array({std::move(invocation)})},
           {"columnKind", "unicodeCodePoints"},
           {"results", std::move(results)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

}  // namespace rch::cli
