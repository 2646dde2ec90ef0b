#include "cli/activity_report.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cli/report.h"

namespace rch::cli {
namespace {

struct Activity {
  unsigned id;
  std::string_view name;
  unsigned subjects;  ///< it belongs to
};

constexpr std::string_view kFileName = "opensm-activity.dump";

constexpr unsigned kMulticast = 1, kPartitions = 2, kRouting = 4, kAll = 7;

// 6 and 7 are of virtual ports, and 11 and 12 of the unicast cache. rch has neither.
constexpr Activity kMember{1, "mcm_member", kMulticast};
constexpr Activity kGroup{2, "mcg_change", kMulticast};
constexpr Activity kPortAdded{3, "prtn_guid_add", kPartitions};
constexpr Activity kPartitionCreated{4, "prtn_create", kPartitions};
constexpr Activity kPartitionDeleted{5, "prtn_delete", kPartitions};
constexpr Activity kTree{8, "mcg_tree_calc", kMulticast | kRouting};
constexpr Activity kRouted{9, "routing_succeed", kRouting};
constexpr Activity kNotRouted{10, "routing_failed", kRouting};

/// Why a partition is gone.
constexpr int kEmpty = 0, kShutdown = 2;

constexpr std::uint16_t kPartitionBits = 0x7FFF;

unsigned subjects_of(std::string_view list) {
  constexpr std::pair<std::string_view, unsigned> kSubjects[] = {
      {"mc", kMulticast}, {"prtn", kPartitions}, {"routing", kRouting}, {"all", kAll}};
  unsigned subjects = 0;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    for (const auto& [subject, bits] : kSubjects)
      if (name == subject) subjects |= bits;
  }
  return subjects;
}

std::map<Guid, std::vector<std::uint16_t>> keys_of(const hw::WrittenTables& written) {
  std::map<Guid, std::vector<std::uint16_t>> keys;
  for (const hw::Image& block : written.blocks) {
    if (block.attribute != hw::Attribute::p_key_table) continue;
    const fabric::Port& port = written.fabric->port(block.port);
    if (written.fabric->is_switch(port.node)) continue;  // what they enforce
    std::vector<std::uint16_t>& of_port = keys[port.guid];
    const std::size_t first = (block.modifier & 0xFFFFU) * hw::kBlockEntries.size();
    of_port.resize(std::max(of_port.size(), first + hw::kBlockEntries.size()));
    for (std::size_t i = 0; i < hw::kBlockEntries.size(); ++i)
      of_port[first + i] = static_cast<std::uint16_t>(get(block.data, hw::kBlockEntries[i]));
  }
  return keys;
}

std::map<std::uint16_t, std::string> names_of(const chains::Plan& plan) {
  std::map<std::uint16_t, std::string> names;
  for (const std::uint16_t key : plan.tables->pkeys.keys) {
    if (key == 0) continue;
    const std::uint16_t pkey = key & kPartitionBits;
    const auto* partition =
        plan.bound ? plan.bound->policy->partitions.find(policy::partitions::PKey(pkey)) : nullptr;
    names.try_emplace(pkey, partition != nullptr ? partition->name.text : std::string());
  }
  return names;
}

std::string deletion(std::uint16_t pkey, int reason) {
  return fmt::format("pkey=0x{:04x} reason={}", pkey, reason);
}

}  // namespace

struct ActivityReport::Lines {
  unsigned subjects;
  std::string time;
  std::string text{};
  std::uint64_t count = 0;

  void add(const Activity& activity, const std::string& values) {
    if ((subjects & activity.subjects) == 0) return;
    text += fmt::format("{} {} {} {}\n", time, activity.id, activity.name, values);
    ++count;
  }
};

ActivityReport::ActivityReport(std::function<std::string()> time,
                               std::function<void(const std::string&)> tell)
    : time_(std::move(time)), tell_(std::move(tell)) {}

void ActivityReport::select(const policy::Options& options) {
  if (!time_) return;
  const std::lock_guard lock(mutex_);
  subjects_ = subjects_of(options.logs.activity_report_subjects);
  const std::string path = (dump_folder(options) / kFileName).string();
  if (path != path_) file_.reset();
  path_ = path;
  if ((subjects_ & kPartitions) != 0) return;
  partitions_.clear();
  keys_.clear();
}

void ActivityReport::reopen() {
  const std::lock_guard lock(mutex_);
  file_.reset();
}

ActivityReport::Lines ActivityReport::lines() const {
  return {.subjects = subjects_, .time = subjects_ != 0 ? time_() : std::string()};
}

Result<void> ActivityReport::append(const std::string& text) {
  if (!file_) {
    auto opened = LogSink::open(path_);
    if (!opened) return tl::unexpected(opened.error());
    file_ = std::move(*opened);
  }
  if (file_->write(text)) return {};
  return fail(ErrorKind::usage,
              fmt::format("cannot write `{}`: {}", path_, std::generic_category().message(errno)));
}

/// Lines that were lost are told of once, and how many they were when the file can be written again.
void ActivityReport::write(const Lines& lines) {
  if (lines.count == 0) return;
  if (const auto written = append(lines.text); !written) {
    if (lost_ == 0) tell_(written.error().message + "; activities are not reported");
    lost_ += lines.count;
  } else if (const std::uint64_t lost = std::exchange(lost_, 0); lost > 0) {
    tell_(fmt::format("activities are reported in `{}` again; {} before are not", path_, lost));
  }
}

void ActivityReport::note(const sa::GroupEvent& event) {
  using What = sa::GroupEvent::What;
  const std::lock_guard lock(mutex_);
  Lines out = lines();
  const std::string group =
      fmt::format("mlid=0x{:04x} mgid={}", event.mlid, policy::partitions::mgid_text(event.mgid));
  if (event.what == What::created || event.what == What::deleted)
    out.add(kGroup, fmt::format("{} change={}", group, event.what == What::created ? 0 : 1));
  else
    out.add(kMember, fmt::format("{} guid={} change={} join_state=0x{:x}", group, event.port,
                                 event.what == What::joined ? 1 : -1, event.join_state));
  write(out);
}

void ActivityReport::note(const chains::StepReport& step) {
  const std::lock_guard lock(mutex_);
  Lines out = lines();
  const std::string of_step = fmt::format("engine={} step={}", step.engine, step.id);
  if (step.failure)
    out.add(kNotRouted, fmt::format("{} cause={}: {}", of_step, step.failure->rule, step.failure->message));
  else
    out.add(kRouted, of_step);
  write(out);
}

void ActivityReport::note(std::span<const fabric::MulticastGroup> trees) {
  const std::lock_guard lock(mutex_);
  Lines out = lines();
  for (const fabric::MulticastGroup& tree : trees) out.add(kTree, fmt::format("mlid=0x{:04x}", tree.mlid));
  write(out);
}

void ActivityReport::note(const sm::Installed& installed) {
  const std::lock_guard lock(mutex_);
  if ((subjects_ & kPartitions) == 0) return;
  Lines out = lines();
  const Names former = std::exchange(partitions_, names_of(installed.plan));
  for (const auto& [pkey, name] : partitions_)
    if (!former.contains(pkey)) out.add(kPartitionCreated, fmt::format("pkey=0x{:04x} name={}", pkey, name));
  const Keys had = std::exchange(keys_, keys_of(installed.written));
  for (const auto& [guid, keys] : keys_) {
    const auto before = had.find(guid);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const bool same = before != had.end() && i < before->second.size() && before->second[i] == keys[i];
      if (keys[i] == 0 || same) continue;
      out.add(kPortAdded, fmt::format("guid={} pkey=0x{:04x} block={} index={}", guid, keys[i],
                                      i / hw::kBlockEntries.size(), i % hw::kBlockEntries.size()));
    }
  }
  for (const auto& [pkey, name] : former)
    if (!partitions_.contains(pkey)) out.add(kPartitionDeleted, deletion(pkey, kEmpty));
  write(out);
}

void ActivityReport::note_end() {
  const std::lock_guard lock(mutex_);
  Lines out = lines();
  for (const auto& [pkey, name] : partitions_) out.add(kPartitionDeleted, deletion(pkey, kShutdown));
  write(out);
}

}  // namespace rch::cli
