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
  forget();
  begin_again();
}

Followers::Offered Followers::offer_anew(const chains::Plan& plan) {
  Offered offered{.version = ++plans_, .plan = without_secrets(plan)};
  offered.plan->bound.reset();  // large, and no part of the file
  offered.plan->channels.reset();
  offered.plan->dependencies.reset();
  return offered;
}

void Followers::offer(const chains::Plan& plan) {
  if (plan_.is(plan)) return;
  plan_ = target_.is(plan) ? std::move(target_) : offer_anew(plan);
  target_ = {};
}

void Followers::announce(const chains::Plan& target) {
  if (!plan_.is(target) && !target_.is(target)) target_ = offer_anew(target);
}

bool Followers::have_target() const {
  return std::ranges::none_of(followers_, [this](const auto& entry) {
    return entry.second.counts && entry.second.target != target_.version;
  });
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

const std::string& Followers::Offered::text() {
  if (!file) file = chains::encode_plan(*plan);
  return *file;
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

ManagerState Followers::answer(Lid from, const StateQuestion& question, hw::TimePoint now,
                               const std::function<std::string()>& all) {
  const StateVersions& has = question.has;
  const bool knows_us = has.session == session_;
  Follower& follower = find_or_add(from);
  follower.heard = now;
  follower.configuration = question.configuration;
  follower.has = knows_us ? has.records : 0;
  follower.target = knows_us ? has.target : 0;
  const bool whole = knows_us && has.records >= first_ && has.records <= end();
  if (!knows_us) follower.counts = false;
  if (whole && has.records >= follower.told && follower.told >= first_) follower.counts = true;

  ManagerState state{.from = has,
                     .now = {session_, plan_.version, lids_version_, end(), target_.version},
                     .configuration = configuration_,
                     .counts = follower.counts,
                     .afresh = !whole};
  if (plan_.plan && (!knows_us || (has.plan != plan_.version && has.target != plan_.version)))
    state.plan = plan_.text();
  if (target_.plan && (!knows_us || has.target != target_.version)) state.target = target_.text();
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

std::size_t Followers::count_others(std::uint64_t configuration, hw::TimePoint now) const {
  const auto is_other = [&](const auto& entry) {
    const Follower& follower = entry.second;
    return is_here(follower, now) && configuration != 0 && follower.configuration != 0 &&
           follower.configuration != configuration;
  };
  return static_cast<std::size_t>(std::ranges::count_if(followers_, is_other));
}

bool Followers::follows(Lid manager, hw::TimePoint now) const {
  const auto known = followers_.find(manager);
  return known != followers_.end() && is_here(known->second, now);
}

}  // namespace rch::sa
