#include "hw/commit.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "hw/sweep.h"

namespace rch::hw {
namespace {

SmpCounters since(const SmpCounters& before, const SmpCounters& now) {
  return {now.requests - before.requests, now.sent - before.sent, now.resent - before.resent,
          now.lost - before.lost, now.unmatched - before.unmatched};
}

Task<Result<void>> carry_out(Exchange& exchange, const CommitInput& input, CommitReport& report) {
  Commit commit(input);
  if (auto ran = co_await exchange.run(commit); !ran) co_return tl::unexpected(ran.error());
  if (commit.unenforcing() > 0)
    report.remarks.push_back(fmt::format("{} enforcement of partitions after it was written",
                                         commit.unenforcing() == 1
                                             ? "1 switch port shows no"
                                             : fmt::format("{} switch ports show no", commit.unenforcing())));
  if (commit.without_fdr10() > 0)
    report.remarks.push_back(
        fmt::format("{} did not take what was written of FDR10", counted(commit.without_fdr10(), "port")));
  co_return commit.result();
}

/// These come last among what is compared, and some agents forget them.
bool is_enforcement(const Image& image, Field field) {
  return image.attribute == Attribute::port_info &&
         (field == port_info::kPartitionEnforcementIn || field == port_info::kPartitionEnforcementOut);
}

/// The node or the link of that port is faulty. Tables that are not what was written may have another author.
bool is_of_the_part(const Error& error, const Image& image) {
  return error.cause == causes::kNoAnswer.name || error.cause == causes::kRefusedRead.name ||
         error.cause == causes::kRefusedWrite.name ||
         (error.cause == causes::kReadBackDiffers.name && image.attribute == Attribute::port_info);
}

/// Its PortInfo has protection and no M_Key: who has the key gets to see it (IBA 14.2.4).
bool may_hide_key(const LiveFabric& live, PortId id) {
  const PortId agent = live.is_switch_port(id) ? live.port0(SwitchId(live.fabric.port(id).node.value)) : id;
  const PortInfo& info = live.info(agent);
  return info.m_key == 0 && info.m_key_protect != 0;
}

}  // namespace

Commit::Commit(const CommitInput& input)
    : live_(input.live), mastership_(input.mastership), sm_lid_(input.preparation.sm_lid), steps_(input) {
  begin_step();
}

bool Commit::stop() {
  stopping_ = true;
  return false;
}

void Commit::end_before_step() {
  const bool written = std::ranges::any_of(steps_.list().first(step_), [](const CommitStep& step) {
    return step.count > 0 && step.kind != CommitStep::Kind::expect;
  });
  fail_with(causes::kStopped,
            written ? "stopped between two rounds: every pair that had a path has one; run again to go on"
                    : "stopped before any table was written");
}

void Commit::begin_step() {
  if (step_ == steps_.size()) return enter(State::finished);
  const CommitStep& step = steps_[step_];
  if (stopping_ && step.may_end) return end_before_step();
  switch (step.kind) {
    case CommitStep::Kind::set:
    case CommitStep::Kind::write:
      return begin_writing();
    case CommitStep::Kind::expect:
      return enter(State::reading, step.count);
    case CommitStep::Kind::settle:
      down_.resize(step.count);
      std::iota(down_.begin(), down_.end(), std::size_t{0});
      up_before_.reset();
      return enter(State::settling, step.count);
    case CommitStep::Kind::drain:
      return enter(State::draining);
  }
}

void Commit::begin_writing() {
  const std::size_t count = steps_[step_].count;
  if (mastership_ == nullptr || count == 0) return enter(State::setting, count);
  if (steps_[step_].names_us && sm_lid_ != kUnassignedLid) mastership_->announce_sm(sm_lid_);
  questions_ = mastership_->questions();
  answers_.assign(questions_.size(), {});
  enter(State::confirming, questions_.size());
}

SmpRequest Commit::question(std::size_t index) const {
  SmpRequest request = questions_[index];
  request.tag = {.item = index};
  return request;
}

/// Another SM may have shown up meanwhile: then there are more questions.
void Commit::on_confirmed() {
  const auto confirmed = mastership_->confirm(questions_, answers_);
  if (!confirmed)
    fail_as_lost(fmt::format("{} (the commit stopped before the step `{}`)", confirmed.error().message,
                             steps_[step_].name));
  else if (!*confirmed)
    begin_writing();
  else
    enter(State::setting, steps_[step_].count);
}

void Commit::fail_as_lost(const std::string& why) { fail_with(causes::kMastershipLost, why); }

void Commit::fail_with(const Cause& cause, std::string message) {
  result_ = fail(cause, std::move(message));
  enter(State::finished);
}

void Commit::enter(State state, std::size_t count) {
  state_ = state;
  progress_ = Progress(count);
  waits_until_.reset();
}

/// Leaves a state that has all its answers.
void Commit::advance() {
  if (!faulty_.empty()) return enter(State::finished);
  if (state_ == State::confirming) return on_confirmed();
  if (state_ == State::setting) return enter(State::checking, refused_.size());
  refused_.clear();
  const CommitStep& step = steps_[step_];
  if (state_ == State::checking && step.kind == CommitStep::Kind::write)
    return enter(State::reading, step.count);
  if (mastership_ != nullptr && step.names_us && sm_lid_ != kUnassignedLid) mastership_->expect_sm(sm_lid_);
  ++step_;
  begin_step();
}

std::optional<SmpRequest> Commit::next_request(TimePoint now) {
  while (!finished()) {
    if (waits_until_ && now < *waits_until_) return std::nullopt;
    const bool waited = std::exchange(waits_until_, std::nullopt).has_value();
    if (state_ == State::draining) {
      if (!waited) {
        waits_until_ = steps_[step_].until.value_or(now + steps_[step_].span);
        continue;
      }
    } else if (const auto next = progress_.take()) {
      if (state_ == State::confirming) return question(*next);
      const std::size_t item = state_ == State::checking   ? refused_[*next]
                               : state_ == State::settling ? down_[*next]
                                                           : *next;
      const Image image = steps_[step_].image(item);
      if (faulty_.contains(node_of(image))) {
        progress_.on_answer();
        continue;
      }
      faulty_.on_ask(node_of(image));
      SmpRequest request = request_to(live_, image.port, image.attribute, image.modifier, item);
      if (state_ == State::setting) request.method = Method::set, request.data = image.data;
      return request;
    } else if (!progress_.complete(faulty_.open())) {
      return std::nullopt;
    } else if (state_ == State::settling && ask_again(now)) {
      continue;
    }
    advance();
  }
  return std::nullopt;
}

void Commit::on_answer(RequestTag tag, const SmpAnswer& answer) {
  if (finished()) return;
  progress_.on_answer();
  if (state_ == State::confirming) {
    answers_[tag.item] = answer;
    return;
  }
  if (state_ == State::setting && mastership_ != nullptr && !mastership_->objection().empty())
    return fail_as_lost(fmt::format("{} (the commit stopped in the step `{}`)", mastership_->objection(),
                                    steps_[step_].name));
  const Image image = steps_[step_].image(tag.item);
  faulty_.on_answer(node_of(image));
  if (state_ == State::settling) return on_link_state(tag.item, image, answer);
  const bool refused = answer.answered && answer.status == kStatusInvalidValue;
  if (state_ == State::setting && refused && image.attribute == Attribute::port_info) {
    refused_.push_back(tag.item);
  } else if (const auto what = fault(image, answer)) {
    // A speed that a port does not take is no reason to leave it out.
    if (image.attribute == Attribute::extended_port_info) return void(++without_fdr10_);
    if (is_of_the_part(*what, image)) return on_faulty_part(image, answer, *what);
    result_ = tl::unexpected(*what);
    enter(State::finished);
  } else {
    if (image.first_difference(answer.data)) ++unenforcing_;
    learn(image, answer.data);
  }
}

void Commit::on_faulty_part(const Image& image, const SmpAnswer& answer, Error error) {
  note_fault(live_, image.port, answer.answered,
             error.message.substr(describe_port(live_, image.port).size()));
  faulty_.add(node_of(image));
  if (result_) result_ = tl::unexpected(std::move(error));
}

/// The way to a port may lead over another link that is not up yet.
void Commit::on_link_state(std::size_t index, const Image& image, const SmpAnswer& answer) {
  if (answer.good() && decode<PortInfo>(answer.data).state >= PortState::init)
    return learn(image, answer.data);
  still_down_.push_back(index);
}

/// False if all links are up, or those that are not have no more time.
bool Commit::ask_again(TimePoint now) {
  if (!up_before_) up_before_ = now + kLinkUp;
  down_ = std::exchange(still_down_, {});
  if (down_.empty()) return false;
  if (now < *up_before_) {
    enter(State::settling, down_.size());
    waits_until_ = now + kLinkAsked;
    return true;
  }
  for (const std::size_t index : down_) {
    const Image image = steps_[step_].image(index);
    on_faulty_part(image, {.answered = true},
                   error_of(causes::kFabricChanged, describe_port(live_, image.port) +
                                                        ": its link does not come up after it was reset"));
  }
  return false;
}

/// A later look at a part of the fabric relies on it.
void Commit::learn(const Image& image, const SmpData& shown) {
  if (image.attribute != Attribute::port_info && image.attribute != Attribute::switch_info) return;
  const fabric::Port& port = live_.fabric.port(image.port);
  live_.sweep->learn(live_.fabric.node(port.node).guid, port.number, image.attribute, shown);
}

/// What is wrong with an answer, if anything.
std::optional<Error> Commit::fault(const Image& image, const SmpAnswer& answer) const {
  const std::string_view verb = state_ == State::setting ? "set" : "read back";
  const auto error = [&](const Cause& cause, const std::string& what) {
    return error_of(cause, describe_port(live_, image.port) + what);
  };
  const Cause& refused = state_ == State::setting ? causes::kRefusedWrite : causes::kRefusedRead;
  const auto what = [&] { return describe_attribute(image.attribute, image.modifier); };
  if (!answer.answered)
    return error(causes::kNoAnswer,
                 fmt::format(" does not answer when {} is {}{}", what(), verb,
                             may_hide_key(live_, image.port)
                                 ? "; it protects itself with an M_Key that it does not show"
                                 : ""));
  if (answer.status != 0)
    return error(refused,
                 fmt::format(" answers with status 0x{:02x} when {} is {}", answer.status, what(), verb));
  const auto field = image.first_difference(answer.data);
  if (!field || is_enforcement(image, *field)) return std::nullopt;
  if (image.attribute == Attribute::switch_info && *field == switch_info::kPortStateChange)
    return error(
        causes::kFabricChanged,
        ": one of its ports changed its state during the commit, so the fabric may not be the one that "
        "was planned; run again");
  return error(causes::kReadBackDiffers,
               fmt::format(" shows 0x{:x} in {} of {} after 0x{:x} was written", get(answer.data, *field),
                           describe_field(image.attribute, *field), what(), get(image.data, *field)));
}

Task<Result<CommitReport>> commit(Exchange& exchange, const LiveFabric& live,
                                  const fabric::RoutingTables& tables, const Preparation& plan,
                                  std::span<const fabric::WriteRound> rounds, const CommitOptions& options,
                                  Mastership* mastership) {
  CommitReport report = report_of(plan, rounds);
  if (!options.dry_run && !plan.empty()) {
    const CommitInput input{live, tables, plan, rounds, options.subnet, mastership, options.drained_at};
    if (auto done = co_await carry_out(exchange, input, report); !done)
      co_return tl::unexpected(done.error());
  }
  if (mastership != nullptr)
    report.remarks.insert(report.remarks.end(), mastership->remarks().begin(), mastership->remarks().end());
  report.smps = since(plan.before, exchange.counters());
  report.elapsed = exchange.now() - plan.started;
  co_return report;
}

}  // namespace rch::hw
