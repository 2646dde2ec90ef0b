#include "cli/page_data.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/diff_report.h"
#include "cli/metrics.h"
#include "fabric/link_rate.h"
#include "isolation/tenants.h"

namespace rch::cli {
namespace {

/// Returns the text that `print` writes to an output.
template <class F>
std::string printed(const F& print) {
  std::string text;
  {
    Output output(Format::text, [&](std::string_view piece) { text += piece; });
    print(output);
    output.finish(Exit::good);
  }
  return text;
}

std::string port_name(const fabric::Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  const fabric::Node& node = fabric.node(port.node);
  return node.num_ports > 1 && node.type != fabric::NodeType::sw
             ? fmt::format("{} port {}", node.name(), port.number)
             : node.name();
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

/// Tells a reader who does not know the term what a finding means for traffic.
std::string_view explained(verify::FindingKind kind) {
  switch (kind) {
    case verify::FindingKind::unreachable:
      return "Packets of these pairs do not arrive: a table entry is missing, or leads to a port without a "
             "cable.";
    case verify::FindingKind::dropped_by_vl:
      return "Packets of these pairs are dropped on their way: their service level maps to no virtual lane "
             "there.";
    case verify::FindingKind::loop:
      return "Packets to these LIDs come back to a switch where they were before, and never arrive.";
    case verify::FindingKind::credit_loop:
      return "Each of these channels depends on the next one, and the last on the first. When their buffers "
             "are "
             "full, traffic stops for ever: a deadlock.";
    case verify::FindingKind::multicast_unreachable:
      return "Members of these multicast groups do not get what the others send.";
    case verify::FindingKind::multicast_loop:
      return "Packets of these multicast groups come twice, or go round for ever.";
    case verify::FindingKind::multicast_unrouted:
      return "These multicast groups wait, since no route for them is safe.";
    case verify::FindingKind::disconnected:
      return "No cable joins these hosts: no routing reaches them.";
  }
  return "";
}

Json hop_json(const verify::Hop& hop, const PageSubject& subject) {
  const bool has_packet = !hop.source.is_none();
  Json json = Json::array();
  json.push_back(hop.sw.value);
  json.push_back(hop.in.value);
  json.push_back(hop.out.value);
  json.push_back(subject.path_sls == PathSlKnowledge::unknown && subject.tables.sl2vl.empty() ? Json()
                                                                                              : Json(hop.vl));
  json.push_back(has_packet ? port_name(subject.fabric, hop.source) : std::string());
  json.push_back(hop.destination.value);
  json.push_back(hop.sl);
  return json;
}

Json finding_json(const verify::Finding& finding, const PageSubject& subject) {
  const bool is_cycle = finding.kind == verify::FindingKind::credit_loop;
  auto witness = Json::array();
  for (const verify::Hop& hop : finding.witness) witness.push_back(hop_json(hop, subject));
  return {{"kind", verify::name(finding.kind)},
          {"title",
           capitalised(is_cycle ? finding.message.substr(0, finding.message.find(": ")) : finding.message)},
          {"explained", explained(finding.kind)},
          {"accepted", finding.accepted},
          {"witness", witness}};
}

/// A verdict as the page shows it: the claim, the size of what was proven, and notes that limit the claim.
struct VerdictText {
  std::string claim{}, size{}, all{};
  std::vector<std::string> notes{};
};
VerdictText verdict_text(const PageSubject& subject) {
  VerdictText text;
  text.all = printed([&](Output& output) { output.verdict(subject.verdict, subject.fabric, subject.words); });
  constexpr std::string_view kLimits[] = {"switches ", "sl ", "sharp "};
  bool is_limit = false;
  for (std::size_t at = 0; at < text.all.size();) {
    const std::size_t end = std::min(text.all.find('\n', at), text.all.size());
    const std::string_view line = std::string_view(text.all).substr(at, end - at);
    at = end + 1;
    const std::string words(trim(line.substr(std::min(line.find(' '), line.size()))));
    if (text.claim.empty()) {
      const std::size_t size =
          std::min(words.rfind(fmt::format(": {} pair", subject.verdict.pairs)), words.size());
      text.claim = capitalised(words.substr(0, size));
      text.size = size < words.size() ? words.substr(size + 2) : std::string();
      continue;
    }
    const bool goes_on = line.starts_with("           ");
    is_limit = std::ranges::any_of(kLimits, [&](std::string_view word) { return line.starts_with(word); }) ||
               (is_limit && goes_on);
    if (is_limit) text.notes.push_back(capitalised(words));
  }
  for (const dumps::SettingFinding& finding : subject.settings)
    text.notes.push_back(
        fmt::format("{}: {}", finding.accepted ? "Accepted" : "Settings of ports", finding.message));
  for (const std::string& open : subject.not_judged) text.notes.push_back("Not judged: " + open);
  return text;
}

Json verdict_json(const PageSubject& subject) {
  const verify::Verdict& verdict = subject.verdict;
  const bool is_clean = verdict.clean() && !subject.words.is_refused &&
                        (subject.path_sls == PathSlKnowledge::by_rule || verdict.switch_lids.sound());
  const bool is_open = !verdict.findings.empty() || !subject.settings.empty() || !subject.not_judged.empty();
  const VerdictText text = verdict_text(subject);
  auto findings = Json::array();
  for (const verify::Finding& finding : verdict.findings) findings.push_back(finding_json(finding, subject));
  return {{"grade", !is_clean ? "refused"
                    : is_open ? "open"
                              : "proven"},
          {"word", !is_clean ? "NOT proven"
                   : is_open ? "Proven in part"
                             : "Proven"},
          {"claim", text.claim},
          {"size", text.size},
          {"notes", text.notes.empty() ? Json::array() : Json(text.notes)},
          {"text", text.all},
          {"pairs", verdict.pairs},
          {"channels", verdict.channels},
          {"findings", findings}};
}

std::string outcome_of(const chains::StepReport& step) {
  std::string text = step.status == chains::StepStatus::routed       ? "routed"
                     : step.status == chains::StepStatus::not_needed ? "not needed"
                                                                     : "failed";
  if (step.fallback_to) text = fmt::format("fallback to step {}: {}", *step.fallback_to, text);
  if (step.failure) text += fmt::format(": {} [{}]", step.failure->message, step.failure->rule);
  for (const std::string& remark : step.remarks) text += "; " + remark;
  return text;
}

Json steps_json(const PageSubject& subject) {
  auto steps = Json::array();
  for (const chains::StepReport& step : subject.steps)
    steps.push_back({{"id", step.id.value},
                     {"engine", step.engine},
                     {"topology", step.topology.value},
                     {"outcome", outcome_of(step)},
                     {"entries", step.entries}});
  return steps;
}

Json rows_json(const fabric::RoutingTables& tables) {
  auto rows = Json::array();
  for (const fabric::RoutedStep& step : tables.steps)
    rows.push_back({{"id", step.id.value}, {"engine", step.engine}, {"switches", step.switches.count()}});
  return rows;
}

Json box_json(const report::Box& box) {
  Json json = Json::array();
  for (const float edge : {box.left, box.top, box.right, box.bottom}) json.push_back(double{edge});
  return json;
}

std::string title_of(const report::Area& area, const fabric::RoutingTables& tables) {
  const fabric::RoutedStep& step = tables.steps[area.step];
  std::string shape = "in groups";
  if (area.shape == report::Shape::tree) shape = fmt::format("tree of {} ranks", area.ranks);
  if (area.shape == report::Shape::grid) shape = fmt::format("{} grid", fmt::join(area.radix, " x "));
  const std::string by = step.id.value == 0 ? "" : fmt::format("step {} {}: ", step.id, step.engine);
  return fmt::format("{}{}, {}", by, counted(area.switches, "switch"), shape);
}

void add_layout(Json& json, const report::Layout& layout, const fabric::RoutingTables& tables) {
  auto areas = Json::array(), groups = Json::array();
  std::vector<std::string> titles;
  for (const report::Area& area : layout.areas) {
    titles.push_back(title_of(area, tables));
    areas.push_back({{"shape", to_string(area.shape)},
                     {"box", box_json(area.box)},
                     {"row", area.step},
                     {"pitch", double{area.pitch}},
                     {"title", titles.back()}});
  }
  for (const report::Box& box : layout.groups) groups.push_back(box_json(box));
  json["drawn"] = fmt::format("Drawing of the fabric: {}", fmt::join(titles, "; "));
  json["areas"] = std::move(areas);
  json["groups"] = std::move(groups);
}

void add_names(Json& json, const fabric::Fabric& fabric) {
  auto switches = Json::array(), hosts = Json::array();
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    switches.push_back(fabric.node(SwitchId(s)).name());
  for (const fabric::EndPort& host : fabric.end_ports()) hosts.push_back(port_name(fabric, host.port));
  json["switches"] = std::move(switches);
  json["hosts"] = std::move(hosts);
}

/// Rates of cables, each once.
Json rates_json(const fabric::Fabric& fabric) {
  auto rates = Json::array();
  for (const std::string& rate : cable_rates(fabric).names) rates.push_back(rate);
  return rates;
}

std::string why(const isolation::Meeting& meeting, const fabric::Fabric& fabric) {
  if (meeting.shared > 0)
    return fmt::format("{} in both, such as {}",
                       meeting.shared == 1 ? "1 port is" : fmt::format("{} ports are", meeting.shared),
                       port_name(fabric, meeting.shared_port));
  if (!meeting.packet) return "they exchange packets in a third partition";
  return fmt::format("{} reaches {} in partition 0x{:04x}", port_name(fabric, meeting.packet->from),
                     port_name(fabric, meeting.packet->to),
                     isolation::partition_of(meeting.packet->from_key));
}

Json tenants_json(const PageSubject& subject) {
  const isolation::Isolation judged = isolation::judge(subject.fabric, *subject.pkeys, subject.tables.groups);
  constexpr std::size_t kMeetings = 200, kInMatrix = 40;
  const auto key = [](std::uint16_t number) { return fmt::format("0x{:04x}", number); };
  auto partitions = Json::array(), meetings = Json::array();
  for (const isolation::Partition& partition : judged.partitions)
    if (partition.number != isolation::kDefaultPartition)
      partitions.push_back({{"key", key(partition.number)},
                            {"full", partition.full},
                            {"limited", partition.limited},
                            {"reached", partition.reached}});
  // The matrix needs all of them; the list shows the first.
  const std::size_t shown =
      judged.tenants <= kInMatrix ? judged.meetings.size() : std::min(kMeetings, judged.meetings.size());
  for (std::size_t i = 0; i < shown; ++i)
    meetings.push_back({{"a", key(judged.meetings[i].a)},
                        {"b", key(judged.meetings[i].b)},
                        {"shared", judged.meetings[i].shared},
                        {"why", why(judged.meetings[i], subject.fabric)}});
  return {{"partitions", partitions},  {"meetings", meetings},
          {"pairs", judged.pairs},     {"apart", judged.apart()},
          {"sharing", judged.sharing}, {"meeting", judged.meeting},
          {"unknown", judged.unknown}, {"not_apart", judged.sharing + judged.meeting}};
}

Json hops_json(const report::PathLoads& loads) {
  auto bins = Json::array();
  for (std::size_t cables = 0; cables < loads.hops.size(); ++cables)
    if (loads.hops[cables] != 0) bins.push_back({{"value", cables}, {"count", loads.hops[cables]}});
  return bins;
}

Json whatif_page(const StudyFile& study, const fabric::Fabric& fabric) {
  auto spreads = Json::array();
  for (const whatif::Spread& spread : whatif::summarize(study.outcomes).spreads) {
    if (spread.most == 0) continue;
    auto bins = Json::array();
    for (const whatif::Bin& bin : spread.bins)
      bins.push_back({{"low", bin.low}, {"high", bin.high}, {"cases", bin.cases}});
    spreads.push_back({{"what", spread.what}, {"histogram", bins}});
  }
  return {{"same_fabric", study.study.fabric == fabric.fingerprint()},
          {"text", printed([&](Output& output) { print_study(output, study); })},
          {"spreads", spreads}};
}

}  // namespace

PageChanges page_changes(const Sides& sides, const compare::Comparison& comparison) {
  PageChanges changes;
  changes.by_switch.resize(sides.after.fabric->switch_count());
  auto switches = Json::array();
  for (std::uint32_t s = 0; s < comparison.forwarding.by_switch.size(); ++s) {
    const compare::EntryCounts& counts = comparison.forwarding.by_switch[s];
    if (counts.total() == 0) continue;
    const std::uint32_t after = comparison.matching.after_of[s];
    changes.by_switch[after] = static_cast<std::uint32_t>(counts.total());
    switches.push_back({{"node", sides.after.fabric->node(SwitchId(after)).name()},
                        {"changed", counts.changed},
                        {"new", counts.fresh},
                        {"gone", counts.gone},
                        {"total", counts.total()}});
  }
  changes.json = {{"equal", comparison.equal()},
                  {"before", sides.before.name},
                  {"text", printed([&](Output& output) { print_diff(output, sides, comparison); })},
                  {"entries", {{"switches", switches}}}};
  return changes;
}

Json page_data(const PageSubject& subject, const report::Layout& layout, const report::PathLoads& loads,
               const PageChanges* changes) {
  const auto common = fabric::common_path_sl(subject.tables);
  const bool by_rule = subject.path_sls == PathSlKnowledge::by_rule;
  Json json = {{"format", "rch-report"},
               {"version", 1},
               {"rch", "rch " RCH_VERSION},
               {"source", {{"what", subject.what}, {"name", subject.name}}},
               {"fingerprint", subject.fabric.fingerprint()},
               {"verdict", verdict_json(subject)},
               {"steps", steps_json(subject)},
               {"rows", rows_json(subject.tables)},
               {"rates", rates_json(subject.fabric)},
               {"stride", subject.tables.lfts.max_lid().value + 1},
               {"sls", !by_rule ? "unknown"
                       : common ? "common"
                                : "by path"},
               {"common_sl", common.value_or(0)},
               {"knows_lanes", by_rule},
               {"hops", hops_json(loads)}};
  add_names(json, subject.fabric);
  add_layout(json, layout, subject.tables);
  json["configuration"] = Json::array();
  for (const chains::Plan::Digest& digest : subject.configuration)
    json["configuration"].push_back({{"file", digest.file}, {"hash", digest.hash}});
  if (subject.pkeys != nullptr && subject.pkeys->knows_any()) json["tenants"] = tenants_json(subject);
  if (subject.metrics != nullptr) json["metrics"] = metrics_json(*subject.metrics);
  if (changes != nullptr) json["diff"] = changes->json;
  if (subject.study != nullptr) json["whatif"] = whatif_page(*subject.study, subject.fabric);
  return json;
}

}  // namespace rch::cli
