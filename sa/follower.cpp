#include "sa/follower.h"

#include <algorithm>

#include <fmt/format.h>

#include "chains/plan_file.h"

namespace rch::sa {
namespace {

namespace common = hw::mad_header;

/// From question to question, before the first answer and after it.
constexpr hw::Milliseconds kLookEvery{1000}, kAskEvery{100};
/// A master that does not answer for so long may be gone. It would answer hosts without us a while later only
/// (kFollowerPatience).
constexpr hw::Milliseconds kSilence{500};
/// An answer may come after some more questions were sent.
constexpr std::size_t kMostQuestions = 32;

RmppOptions rmpp_options() {
  RmppOptions options;
  options.accept_responses = true;
  options.incoming_bytes = options.bytes;
  return options;
}

}  // namespace

void Follower::follow(Lid master, std::uint8_t service_level, std::uint64_t key, hw::TimePoint now) {
  service_level_ = service_level;
  key_ = key;
  if (asks_ && master == known_.master) return;
  if (whole_ && master == known_.master) {  // it was given up for gone, and is there still
    asks_ = true;
    due_ = now;
    return;
  }
  forget();
  asks_ = master != kUnassignedLid;
  known_.master = master;
  due_ = now;
}

void Follower::forget() {
  known_ = {};
  questions_.clear();
  rmpp_ = Rmpp(rmpp_options());
  asks_ = whole_ = told_unreadable_ = false;
}

bool Follower::is_silent(hw::TimePoint now) const { return asks_ && whole_ && heard_ + kSilence <= now; }

void Follower::ask(hw::TimePoint now) {
  hw::Datagram question{.lid = known_.master.value, .queue_pair = 1, .service_level = service_level_};
  hw::Mad& mad = question.mad;
  set(mad, common::kBaseVersion, 1);
  set(mad, common::kClass, static_cast<std::uint64_t>(hw::MadClass::sa));
  set(mad, common::kClassVersion, kClassVersion);
  set(mad, common::kMethod, static_cast<std::uint64_t>(Method::get_table));
  set(mad, common::kTransaction, ++transaction_);
  set(mad, common::kAttribute, static_cast<std::uint64_t>(Attribute::manager_state));
  set(mad, header::kSmKey, key_);
  encode({known_.versions, configuration_}, std::span(mad).subspan(header::kData));
  questions_.push_back({transaction_, now});
  if (questions_.size() > kMostQuestions) questions_.pop_front();
  out_.push_back({question, kAskEvery});
  due_ = now + (whole_ ? kAskEvery : kLookEvery);
}

void Follower::on_datagram(const hw::Datagram& datagram, hw::TimePoint now) {
  if (!asks_ || datagram.status != 0 || datagram.lid != known_.master.value) return;
  const auto transaction = static_cast<std::uint32_t>(get(datagram.mad, common::kTransactionLow));
  if (std::ranges::find(questions_, transaction, &Question::transaction) == questions_.end()) return;
  // A long answer that still comes is not asked for again.
  heard_ = now;
  if (transaction == transaction_) due_ = std::max(due_, now + kAskEvery);
  if (!rmpp_.on_datagram(datagram, now)) return;  // refused
  for (const Rmpp::Received& received : rmpp_.take_received()) on_answer(received.first, received.data, now);
}

void Follower::on_answer(const hw::Datagram& first, std::span<const std::uint8_t> records,
                         hw::TimePoint now) {
  const auto transaction = static_cast<std::uint32_t>(get(first.mad, common::kTransactionLow));
  const auto question = std::ranges::find(questions_, transaction, &Question::transaction);
  auto state = decode_state(records);
  const bool is_late = state && state->from != known_.versions;  // another answer was faster
  if (question == questions_.end() || is_late) return;
  const bool is_news = state && state->now != known_.versions;
  const Result<void> taken = state ? take(*std::move(state)) : tl::unexpected(state.error());
  if (!taken) {
    if (!std::exchange(told_unreadable_, true)) tell_(News::unreadable, taken.error().message);
    due_ = now + kLookEvery;
    return;
  }
  known_.asked = question->sent;
  told_unreadable_ = false;
  due_ = is_news ? now : question->sent + kAskEvery;
  if (!std::exchange(whole_, true)) tell_(News::follows, "");
}

namespace {

/// Targets beyond these are forgotten: each attempt of a master to install a plan brings one.
constexpr std::size_t kMostTargets = 4;

Result<std::optional<chains::Plan>> plan_in(const std::optional<std::string>& file) {
  if (!file) return std::optional<chains::Plan>();
  auto read = chains::decode_plan(*file);
  if (!read) return tl::unexpected(read.error());
  return std::optional(std::move(*read));
}

}  // namespace

/// Nothing changes if a part of it cannot be read.
Result<void> Follower::take(ManagerState state) {
  auto plan = plan_in(state.plan), target = plan_in(state.target);
  if (!plan || !target) return tl::unexpected((plan ? target : plan).error());
  // Whatever its number is, the first one must have everything.
  const bool begins = !whole_ || state.now.session != known_.versions.session;
  if (begins && (!*plan || !state.lids || !state.afresh))
    return fail(ErrorKind::usage, "no state of a subnet manager: a part of it is missing");
  const bool installs_target = !*plan && state.now.plan != known_.versions.plan;
  if (installs_target && (known_.targets.empty() || state.now.plan != known_.versions.target))
    return fail(ErrorKind::usage, "no state of a subnet manager: it has a plan that was not told");
  if (installs_target) *plan = std::move(known_.targets.back());
  if (*plan) {
    known_.plan = std::move(**plan);
    known_.targets.clear();
  }
  if (*target) known_.targets.push_back(std::move(**target));
  if (known_.targets.size() > kMostTargets) known_.targets.erase(known_.targets.begin());
  if (state.lids) known_.lids = std::move(*state.lids);
  if (state.afresh) known_.records.clear();
  known_.records += state.records;
  known_.versions = state.now;
  known_.configuration = state.configuration;
  known_.counts = state.counts;
  return {};
}

void Follower::on_time(hw::TimePoint now) {
  rmpp_.on_time(now);
  if (asks_ && due_ <= now) ask(now);
}

void Follower::take_datagrams(std::vector<hw::OutgoingDatagram>& out) {
  std::ranges::move(std::exchange(out_, {}), std::back_inserter(out));
  for (const hw::Datagram& ack : rmpp_.take_datagrams()) out.push_back({ack, hw::Milliseconds{0}});
}

hw::TimePoint Follower::deadline() const {
  return asks_ ? std::min(due_, rmpp_.deadline()) : rmpp_.deadline();
}

}  // namespace rch::sa
