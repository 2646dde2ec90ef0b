#include "sa/followers.h"

#include <algorithm>

#include "chains/plan_file.h"
#include "policy/model/option_table.h"

namespace rch::sa {
namespace {

/// More managers than that do not stand by in one subnet.
constexpr std::size_t kMostFollowers = 16;

/// Keys stay with the one who has them: the standby has its own configuration.
chains::Plan without_secrets(chains::Plan plan) {
  policy::Options initial;
  for (const policy::OptionKey& key : policy::option_table()) {
    if (!key.secret || key.field == nullptr) continue;
    std::visit([&](auto* value) { *value = *std::get<decltype(value)>(key.field(initial)); },
               key.field(plan.options));
  }
  return plan;
}

}  // namespace

void Followers::begin(std::uint64_t session) {
  session_ = session;
  followers_.clear();
  begin_again();
}

void Followers::offer(const chains::Plan& plan) {
  if (plan_ && plan_->fabric == plan.fabric && plan_->tables == plan.tables) return;
  plan_ = without_secrets(plan);
  plan_->bound.reset();  // large, and no part of the file
  plan_->channels.reset();
  plan_->dependencies.reset();
  plan_file_.reset();
  ++plan_version_;
}

void Followers::offer(const fabric::LidRecords& lids) {
  std::string text = fabric::write_guid2lid(lids);
  if (text == lids_) return;
  lids_ = std::move(text);
  ++lids_version_;
}

void Followers::append(std::string_view record) { records_.emplace_back(record); }

void Followers::begin_again() {
  first_ = end();
  records_.clear();
}

const std::string& Followers::plan_file() {
  if (!plan_file_) plan_file_ = chains::encode_plan(*plan_);
  return *plan_file_;
}

/// The one that was silent longest makes room.
Followers::Follower& Followers::find_or_add(Lid from) {
  const auto known = followers_.find(from);
  if (known != followers_.end()) return known->second;
  if (followers_.size() >= kMostFollowers)
    followers_.erase(
        std::ranges::min_element(followers_, {}, [](const auto& entry) { return entry.second.heard; }));
  return followers_[from];
}

ManagerState Followers::answer(Lid from, const StateVersions& has, hw::TimePoint now,
                               const std::function<std::string()>& all) {
  const bool knows_us = has.session == session_;
  Follower& follower = find_or_add(from);
  follower.heard = now;
  follower.has = knows_us ? has.records : 0;
  const bool whole = knows_us && has.records >= first_ && has.records <= end();
  if (!knows_us) follower.counts = false;
  if (whole && has.records >= follower.told && follower.told >= first_) follower.counts = true;

  ManagerState state{.from = has,
                     .now = {session_, plan_version_, lids_version_, end()},
                     .configuration = configuration_,
                     .counts = follower.counts,
                     .afresh = !whole};
  if (plan_ && (!knows_us || has.plan != plan_version_)) state.plan = plan_file();
  if (!knows_us || has.lids != lids_version_) state.lids = lids_;
  if (whole)
    for (std::uint64_t n = has.records; n < end(); ++n)
      state.records += records_[static_cast<std::size_t>(n - first_)];
  else
    state.records = all();
  follower.told = end();
  return state;
}

bool Followers::have(std::uint64_t records) const {
  return std::ranges::none_of(
      followers_, [&](const auto& entry) { return entry.second.counts && entry.second.has < records; });
}

/// Who stops counting is told all before it counts again: what it has then is whole.
void Followers::on_time(hw::TimePoint now, hw::TimePoint since, std::uint64_t records) {
  for (auto& [lid, follower] : followers_) {
    if (follower.has >= records) continue;
    if (std::min(follower.heard, since) + kFollowerPatience <= now) follower.counts = false;
  }
}

hw::TimePoint Followers::deadline(hw::TimePoint since, std::uint64_t records) const {
  hw::TimePoint earliest = hw::TimePoint::max();
  for (const auto& [lid, follower] : followers_)
    if (follower.counts && follower.has < records)
      earliest = std::min(earliest, std::min(follower.heard, since) + kFollowerPatience);
  return earliest;
}

std::size_t Followers::count(hw::TimePoint now) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(followers_, [&](const auto& entry) { return is_here(entry.second, now); }));
}

bool Followers::follows(Lid manager, hw::TimePoint now) const {
  const auto known = followers_.find(manager);
  return known != followers_.end() && is_here(known->second, now);
}

}  // namespace rch::sa
