#include "cli/output.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/sarif.h"

namespace rch::cli {
namespace {

/// Findings of one rule in one text that are shown to people, and to programs.
constexpr std::size_t kShown = 20;
constexpr std::size_t kListed = 1000;

std::string_view to_string(chains::StepStatus status) {
  switch (status) {
    case chains::StepStatus::routed:
      return "routed";
    case chains::StepStatus::failed:
      return "failed";
    case chains::StepStatus::not_needed:
      break;
  }
  return "not-needed";
}

Json place(const SourceSet& sources, Span span) {
  if (span.source.is_none()) return nullptr;
  const SourceText& source = sources.at(span.source);
  const Position begin = source.position(span.begin), end = source.position(span.end);
  return {{"file", source.name()},
          {"line", begin.line},
          {"column", begin.column},
          {"end_line", end.line},
          {"end_column", end.column}};
}

Json to_json(const chains::StepReport& step) {
  Json out{{"id", step.id.value},
           {"engine", step.engine},
           {"topology", step.topology.value},
           {"status", to_string(step.status)}};
  if (step.fallback_to) out["fallback_to"] = step.fallback_to->value;
  if (step.failure) {
    out["failure"] = {{"rule", step.failure->rule}, {"message", step.failure->message}};
    for (Guid guid : step.failure->guids) out["failure"]["guids"].push_back(fmt::format("{}", guid));
  }
  if (!step.remarks.empty()) out["remarks"] = step.remarks;
  out["entries"] = step.entries;
  if (step.dangling != 0) out["dangling"] = step.dangling;
  return out;
}

std::string step_line(const chains::StepReport& step) {
  std::string text = fmt::format("step     {} {} on topology {}", step.id, step.engine, step.topology);
  if (step.fallback_to) text += fmt::format(", fallback to step {}", *step.fallback_to);
  switch (step.status) {
    case chains::StepStatus::routed:
      text += fmt::format(": routed, {} table entries", step.entries);
      break;
    case chains::StepStatus::not_needed:
      text += ": not needed";
      break;
    case chains::StepStatus::failed:
      text += fmt::format(": failed, {} [{}]", step.failure ? step.failure->message : "unknown",
                          step.failure ? step.failure->rule : "unknown");
      break;
  }
  if (step.dangling != 0)
    text += fmt::format(", {} entries left out because their path breaks off", step.dangling);
  return text;
}

std::string hop_line(const verify::Hop& hop, const fabric::Fabric& fabric) {
  std::string text =
      fmt::format("           {} in {} out {} VL {}", describe(fabric.node(hop.sw)), hop.in, hop.out, hop.vl);
  if (!hop.source.is_none())
    text += fmt::format("   used by {} -> LID {} SL {}", describe(fabric.node(fabric.port(hop.source).node)),
                        hop.destination, hop.sl);
  return text;
}

Json to_json(const verify::Finding& finding, const fabric::Fabric& fabric) {
  Json out{{"kind", verify::name(finding.kind)},
           {"message", finding.message},
           {"count", finding.count},
           {"accepted", finding.accepted},
           {"witness", Json::array()}};
  for (const verify::Hop& hop : finding.witness) {
    Json entry{{"switch", fabric.node(hop.sw).name()},
               {"guid", fmt::format("{}", fabric.node(hop.sw).guid)},
               {"in", hop.in.value},
               {"out", hop.out.value},
               {"vl", hop.vl}};
    if (!hop.source.is_none()) {
      entry["source"] = fmt::format("{}", fabric.port(hop.source).guid);
      entry["destination"] = hop.destination.value;
      entry["sl"] = hop.sl;
    }
    out["witness"].push_back(std::move(entry));
  }
  return out;
}

Json to_json(const std::optional<verify::WithoutPathSls>& at_sl0) {
  if (!at_sl0) return nullptr;
  return {{"sound", at_sl0->sound()},
          {"lost_pairs", at_sl0->lost_pairs},
          {"channels", at_sl0->channels},
          {"on_credit_loops", at_sl0->on_credit_loops}};
}

Json to_json(const verify::SwitchLids& lids) {
  return {{"sound", lids.sound()},
          {"pairs", lids.pairs},
          {"lost_pairs", lids.lost_pairs},
          {"disconnected_pairs", lids.disconnected_pairs},
          {"on_credit_loops", lids.on_credit_loops},
          {"credit_loop", lids.sound() ? Json(nullptr) : Json(lids.credit_loop)}};
}

std::string describe(const verify::WithoutPathSls& at_sl0) {
  std::string what;
  if (at_sl0.on_credit_loops != 0)
    what = fmt::format("{} of {} channels lie on credit loops", at_sl0.on_credit_loops, at_sl0.channels);
  if (at_sl0.lost_pairs != 0)
    what += fmt::format("{}{} are lost", what.empty() ? "" : " and ", counted(at_sl0.lost_pairs, "pair"));
  return what;
}

/// Where a credit loop is told: what it is, then its channels, a line each.
std::vector<std::string> lines_of_loop(std::string_view message) {
  constexpr std::string_view kArrow = " -> ";
  const std::size_t colon = std::min(message.find(": "), message.size());
  std::vector<std::string> lines{std::string(message.substr(0, colon))};
  for (std::size_t at = colon + 2; at < message.size();) {
    const std::size_t end = std::min(message.find(kArrow, at), message.size());
    const std::string_view channel = message.substr(at, end - at);
    const std::size_t packet = std::min(channel.find(" ["), channel.size());
    lines.push_back(
        fmt::format("           {}{}", lines.size() == 1 ? "   " : "-> ", channel.substr(0, packet)));
    if (packet < channel.size()) lines.push_back(fmt::format("              {}", channel.substr(packet + 1)));
    at = end + kArrow.size();
  }
  return lines;
}

}  // namespace

Json to_json(const Diagnostic& d, const SourceSet& sources, std::optional<Peer> compat) {
  Json out{{"rule", d.rule->name},
           {"severity", rch::to_string(d.severity)},
           {"place", place(sources, d.span)},
           {"message", d.message}};
  for (const Label& label : d.labels)
    out["labels"].push_back({{"place", place(sources, label.span)}, {"message", label.message}});
  if (!d.hint.empty()) out["hint"] = elided(d.hint);
  if (compat) out["compat"] = peer_behaviour(*d.rule, *compat);
  for (const Edit& edit : d.fixes)
    out["fixes"].push_back({{"place", place(sources, edit.span)}, {"text", edit.text}});
  return out;
}

/// Counts findings by rule and text, since millions of lines may have the same mistake.
class Repeats {
 public:
  explicit Repeats(std::size_t most) : most_(most) {}

  bool shows(const Diagnostic& d) { return ++seen_[{d.rule->name, d.span.source}] <= most_; }
  /// Calls f(rule, text, number) for those that were not shown since the last call.
  template <class F>
  void take_left_out(F&& f) {
    for (auto& [key, count] : seen_)
      if (count > most_) f(key.first, key.second, std::exchange(count, most_) - most_);
  }

 private:
  std::size_t most_;
  std::map<std::pair<std::string_view, SourceId>, std::size_t> seen_;
};

namespace {

std::string left_out_line(std::string_view rule, std::string_view file, std::size_t count) {
  return fmt::format("{}: {} more like these [{}]", printable(file), count, rule);
}

}  // namespace

/// The document under construction; kept out of the header with the library.
struct Output::Document {
  explicit Document(Format format) : repeats(format == Format::text ? kShown : kListed) {}

  Json root = Json::object();
  Repeats repeats;
  std::vector<std::string> errors;  ///< for SARIF
};

Output::Output(Format format, Sink sink)
    : format_(format), sink_(std::move(sink)), document_(std::make_unique<Document>(format)) {
  if (format == Format::json) document_->root["findings"] = Json::array();
}

Output::~Output() = default;

/// A failure shows when the command ends (app.cpp): what was said before the pipe broke may matter.
void Output::put(std::FILE* stream, std::string_view text) const {
  if (sink_) return sink_(text);
  std::fwrite(text.data(), 1, text.size(), stream);
}

void Output::diagnostics(const Diagnostics& diagnostics, const SourceSet& sources) {
  if (muted_) return;
  if (diagnostics.has_errors()) put_kept();  // there will be no verdict
  std::fflush(stdout);                       // so that both streams read in order when they end in one place
  std::FILE* stream = findings_are_result_ ? stdout : stderr;
  const bool color = !sink_ && is_colored(stream);
  std::vector<Diagnostic> listed;
  std::vector<std::string> notes;
  if (format_ == Format::sarif) document_->repeats = Repeats(kListed);  // the log is made anew
  const auto all = diagnostics.all().subspan(format_ == Format::sarif ? 0 : reported_);
  for (const Diagnostic& d : all) {
    if (!document_->repeats.shows(d)) continue;
    if (format_ == Format::json) document_->root["findings"].push_back(to_json(d, sources, compat_));
    if (format_ == Format::text) put(stream, render(d, sources, {color, compat_}));
    if (format_ == Format::sarif) listed.push_back(d);
  }
  document_->repeats.take_left_out([&](std::string_view rule, SourceId source, std::size_t count) {
    const std::string_view file = source.is_none() ? "rch" : std::string_view(sources.at(source).name());
    notes.push_back(left_out_line(rule, file, count));
    if (format_ == Format::json)
      document_->root["left_out"].push_back({{"rule", rule}, {"file", file}, {"count", count}});
    if (format_ == Format::text) put(stream, notes.back() + "\n");
  });
  if (format_ == Format::sarif)
    document_->root = sarif_log(listed, sources, compat_, {document_->errors, notes});
  reported_ = diagnostics.all().size();
}

void Output::error(const Error& error) {
  if (muted_) return;
  put_kept();
  std::fflush(stdout);
  const std::string text =
      error.cause.empty() ? error.message : fmt::format("{} [{}]", error.message, error.cause);
  if (format_ == Format::json) {
    document_->root["error"] = error.message;
    if (!error.cause.empty()) document_->root["cause"] = error.cause;
  }
  if (format_ == Format::sarif) {
    document_->errors.push_back(text);
    document_->root = sarif_log({}, {}, compat_, {document_->errors, {}});
  }
  if (format_ == Format::text)
    put(stderr,
        fmt::format("{} {}\n", painted("rch: error:", Meaning::bad, colors(stderr)), printable(text)));
}

/// A line of a log stays whole.
std::size_t Output::columns() const { return sink_ ? 0 : columns_of(stdout); }

bool Output::colors(std::FILE* stream) const { return !sink_ && is_colored(stream); }

/// Prints text for people, now or behind the verdict.
void Output::result(std::string_view text) {
  if (format_ != Format::text || muted_) return;
  if (is_kept_)
    kept_ += text;
  else
    put(stdout, text);
}

void Output::put_kept() {
  is_kept_ = false;
  const std::string kept = std::exchange(kept_, {});
  if (!muted_ && !kept.empty()) put(stdout, kept);
}

void Output::text(std::string_view lines) { result(printable(lines)); }

void Output::line(const std::string& line, Meaning meaning) {
  const std::string shown = wrapped(printable(line), columns());
  result(painted(shown, meaning, colors(stdout)) + "\n");
}

std::string kept_own_cable(const fabric::Quarantined& cable) {
  return fmt::format("kept, as the fabric is seen over it: {}: {}", cable.place, cable.reason);
}

std::string absent_held_back(std::span<const Guid> guids) {
  if (guids.empty()) return "";
  const std::string more = guids.size() > 1 ? fmt::format(", nor {} more", guids.size() - 1) : "";
  return fmt::format("`held_back_sw_file`: no node that was seen has the GUID {}{}", guids.front(), more);
}

void Output::quarantine(const std::vector<fabric::Quarantined>& parts,
                        const std::optional<fabric::Quarantined>& own_cable, std::span<const Guid> absent) {
  auto list = Json::array();
  for (const fabric::Quarantined& part : parts) {
    warning(fmt::format("left out: {}: {}", part.place, part.reason));
    list.push_back({{"node", fmt::format("{}", part.node)},
                    {"port", part.port.value},
                    {"place", part.place},
                    {"reason", part.reason}});
  }
  json("quarantine", std::move(list));
  if (own_cable) warning(kept_own_cable(*own_cable));
  if (!absent.empty()) warning(absent_held_back(absent));
}

void Output::warning(const std::string& text) {
  if (format_ != Format::text || muted_) return;
  put(stderr,
      fmt::format("{} {}\n", painted("rch: warning:", Meaning::warning, colors(stderr)), printable(text)));
}

void Output::steps(const std::vector<chains::StepReport>& steps) {
  for (const chains::StepReport& step : steps) {
    if (format_ == Format::json) {
      document_->root["steps"].push_back(to_json(step));
      continue;
    }
    line(step_line(step));
    for (const std::string& remark : step.remarks) line("           " + remark);
  }
}

namespace {

bool only_groups_wait(const verify::Verdict& verdict) {
  return std::ranges::all_of(verdict.findings, [](const verify::Finding& finding) {
    return finding.kind == verify::FindingKind::multicast_unrouted;
  });
}

}  // namespace

namespace {

Json to_json(const verify::Verdict& verdict, const fabric::Fabric& fabric) {
  Json out{{"clean", verdict.clean()},
           {"pairs", verdict.pairs},
           {"channels", verdict.channels},
           {"dependencies", verdict.dependencies},
           {"groups", verdict.groups},
           {"findings", Json::array()},
           {"unneeded_pairs", verdict.unneeded_pairs},
           {"switch_lids", to_json(verdict.switch_lids)},
           {"without_path_sls", to_json(verdict.without_path_sls)}};
  for (const verify::Finding& finding : verdict.findings) out["findings"].push_back(to_json(finding, fabric));
  return out;
}

/// Names what is proven, and under which condition.
std::string claim_of(const verify::Verdict& verdict, const Output::VerdictWords& words) {
  if (words.is_refused) return words.refused;
  if (verdict.findings.empty()) {
    std::string claim = words.proven;
    const bool needs_sls = verdict.without_path_sls && !verdict.without_path_sls->sound();
    if (needs_sls && claim.starts_with("proven:")) claim.insert(6, " for hosts that ask for path SLs");
    return claim;
  }
  if (only_groups_wait(verdict))
    return "proven, but groups wait: every pair reachable, no loop, no credit loop";
  return verdict.clean() ? "clean but for what was accepted" : words.refused;
}

Meaning meaning_of(const verify::Verdict& verdict, std::string_view claim) {
  if (!verdict.clean() || claim.starts_with("NOT")) return Meaning::bad;
  return verdict.findings.empty() && !claim.starts_with("proven in part") ? Meaning::good : Meaning::warning;
}

}  // namespace

void Output::verdict(const verify::Verdict& verdict, const fabric::Fabric& fabric,
                     const VerdictWords& words) {
  if (format_ == Format::json) {
    document_->root["verdict"] = to_json(verdict, fabric);
    return;
  }
  std::string before = std::exchange(kept_, {});
  is_kept_ = false;
  claim(verdict, words);
  findings(verdict, fabric);
  limits(verdict);
  kept_ = std::move(before);
  put_kept();
}

void Output::claim(const verify::Verdict& verdict, const VerdictWords& words) {
  const std::string claim = claim_of(verdict, words);
  const std::string groups =
      verdict.groups == 0 ? "" : fmt::format(" and {}", counted(verdict.groups, "multicast group"));
  const std::string size = fmt::format("{} pairs{} over {} channels with {} dependencies", verdict.pairs,
                                       groups, verdict.channels, verdict.dependencies);
  const Meaning meaning = meaning_of(verdict, claim);
  if (columns() == 0) {
    line(fmt::format("verdict  {}: {}", claim, size), meaning);
  } else {
    line("verdict  " + claim, meaning);
    line("           " + size);
  }
  if (has_details_)
    line(
        "           channel: a virtual lane of one direction of a cable; dependency: a packet may hold one "
        "channel and wait for the next");
}

void Output::findings(const verify::Verdict& verdict, const fabric::Fabric& fabric) {
  for (const verify::Finding& finding : verdict.findings) {
    const auto head = [&](std::string_view what) {
      line(fmt::format("finding  {}{} [{}]", finding.accepted ? "accepted: " : "", what,
                       verify::name(finding.kind)),
           finding.accepted ? Meaning::warning : Meaning::bad);
    };
    if (finding.kind == verify::FindingKind::credit_loop) {
      if (columns() == 0) {
        head(finding.message);
        continue;
      }
      const std::vector<std::string> lines = lines_of_loop(finding.message);
      head(lines.front());
      for (std::size_t i = 1; i < lines.size(); ++i) line(lines[i]);
      continue;
    }
    head(finding.message);
    for (const verify::Hop& hop : finding.witness) line(hop_line(hop, fabric));
  }
}

/// Names the packets that the claim of the verdict is not about.
void Output::limits(const verify::Verdict& verdict) {
  const verify::SwitchLids& lids = verdict.switch_lids;
  if (lids.lost_pairs != 0)
    line(fmt::format("switches {} of {} pairs of a host and the LID of a switch are lost", lids.lost_pairs,
                     lids.pairs));
  if (lids.disconnected_pairs != 0)
    line(fmt::format(
        "switches {} of {} pairs of a host and the LID of a switch are in parts that no cable joins",
        lids.disconnected_pairs, lids.pairs));
  if (!lids.sound()) line("switches packets of hosts to LIDs of switches close a " + lids.credit_loop);
  if (verdict.unneeded_pairs != 0)
    line(fmt::format("sharp    {} of aggregation nodes above the leaves have no path, and need none",
                     counted(verdict.unneeded_pairs, "pair")));
  if (!verdict.without_path_sls) return;
  if (verdict.without_path_sls->sound()) {
    line("sl       paths have SLs of their own; with SL 0 from all hosts the tables are sound as well");
    return;
  }
  line("sl       hosts must ask an SA for the SL of each path: that is what is proven");
  line("           a host that does not (ibacm with `route_prot acm`) sends at SL 0; were all hosts so:");
  line("           " + describe(*verdict.without_path_sls));
}

void Output::json(const std::string& key, Json value) {
  if (format_ == Format::json) document_->root[key] = std::move(value);
}

Exit Output::finish(Exit code) {
  put_kept();
  if (muted_) return code;
  if (format_ == Format::json) document_->root["exit"] = static_cast<int>(code);
  if (format_ != Format::text) {
    put(stdout, document_->root.dump(2) + "\n");
  }
  return code;
}

std::string describe(const fabric::Node& node) { return fmt::format("`{}` ({})", node.name(), node.guid); }

}  // namespace rch::cli
