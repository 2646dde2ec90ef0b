#include "sim/host.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/attributes.h"
#include "sim/host_requests.h"

namespace rch::sim::test {
namespace {

namespace h = hw::mad_header;
namespace pi = hw::port_info;
using hw::Milliseconds;

/// As the kernel asks: so long for an answer, so often with one transaction id.
constexpr Milliseconds kPatience{1000};
constexpr unsigned kTries = 4;
/// After a refusal.
constexpr Milliseconds kRest{1000};

sa::Status status_of(const hw::Datagram& answer) {
  return static_cast<sa::Status>(get(answer.mad, h::kStatus));
}

}  // namespace

Host::Host(SimulatedFabric& simulated, const fabric::Fabric& fabric, PortId at, Judge judge,
           bool waits_to_be_told)
    : simulated_(simulated),
      fabric_(fabric),
      at_(at),
      judge_(std::move(judge)),
      waits_to_be_told_(waits_to_be_told),
      way_(simulated, at),
      rmpp_({.accept_responses = true}) {
  way_.take_reports();
}

/// An answer to what was asked before would be taken for one to this.
void Host::add(Item item, std::uint8_t join_state) {
  Registration& registration = registrations_[item];
  if (open_ && open_->item == item) open_.reset();
  registration = {.state = Registration::State::open, .join_state = join_state};
}

void Host::remove(Item item) {
  const auto at = registrations_.find(item);
  if (at == registrations_.end() || at->second.state == Registration::State::ending) return;
  at->second.state = Registration::State::ending;
  if (open_ && open_->item == item) open_.reset();
}

/// What was asked before is answered by a manager that may have forgotten it meanwhile.
void Host::register_again() {
  for (auto& [item, registration] : registrations_)
    if (registration.state == Registration::State::registered) registration.state = Registration::State::open;
  if (open_ && open_->item) open_.reset();
}

void Host::confirm(const std::vector<PortId>& to) {
  confirms_ = true;
  refusals_.clear();
  paths_.clear();
  questions_.clear();
  if (open_ && open_->question) open_.reset();
  for (const PortId port : to) questions_.push_back({.to = port});
  for (const auto& [item, registration] : registrations_)
    if (registration.state != Registration::State::ending) questions_.push_back({.item = item});
}

bool Host::is_idle() const {
  return !open_ && questions_.empty() && std::ranges::all_of(registrations_, [](const auto& entry) {
    return entry.second.state == Registration::State::registered;
  });
}

void Host::prepare() {
  const hw::SmpData& info = simulated_.port_info[at_.index()];
  constexpr std::uint64_t kActive = 4;
  const Sight now{.lid = get(info, pi::kLid),
                  .manager = get(info, pi::kMasterSmLid),
                  .active = get(info, pi::kState) == kActive};
  if (now == seen_) return;
  const bool only_manager = now.lid == seen_.lid && now.active == seen_.active;
  seen_ = now;
  if (now.active && !(only_manager && waits_to_be_told_)) register_again();
}

hw::TimePoint Host::due() const {
  const hw::TimePoint own = open_ ? open_->due : is_idle() ? hw::TimePoint::max() : rests_until_;
  return std::min({own, rmpp_.deadline(), way_.next_arrival()});
}

void Host::go_on() {
  std::vector<hw::Datagram> arrived;
  way_.receive(arrived, std::max(due(), way_.now()));
  for (const hw::Datagram& datagram : arrived) on_datagram(datagram);
  rmpp_.on_time(way_.now());
  if (open_ && open_->due <= way_.now()) send_open();
  if (!open_ && rests_until_ <= way_.now()) open_next();
  for (const hw::Datagram& datagram : rmpp_.take_datagrams()) send(datagram);
}

/// Registrations come before questions.
void Host::open_next() {
  const auto next = std::ranges::find_if(registrations_, [](const auto& entry) {
    return entry.second.state != Registration::State::registered;
  });
  if (next != registrations_.end()) {
    open_ = {.request = request_for(next->first, next->second), .item = next->first};
  } else if (!questions_.empty()) {
    open_ = {.request = request_for(questions_.front()), .question = questions_.front()};
    questions_.pop_front();
  } else {
    return;
  }
  send_open();
}

/// Sends it once more, or gives it up. What is to be registered is asked for again.
void Host::send_open() {
  if (open_->sent == kTries) {
    if (open_->question && confirms_) questions_.push_front(*open_->question);
    ++counters_.given_up;
    open_.reset();
    return;
  }
  ++open_->sent;
  open_->due = way_.now() + kPatience;
  send(open_->request);
}

void Host::send(const hw::Datagram& datagram) { (void)way_.send(datagram, Milliseconds{0}); }

void Host::on_datagram(const hw::Datagram& datagram) {
  if (get(datagram.mad, h::kMethod) == static_cast<std::uint64_t>(sa::Method::report))
    return answer_report(datagram);
  if (!rmpp_.on_datagram(datagram, way_.now()))
    return on_answer(datagram, std::span(datagram.mad).subspan(sa::header::kData));
  for (const sa::Rmpp::Received& received : rmpp_.take_received()) {
    ++counters_.tables;
    on_answer(received.first, received.data);
  }
}

void Host::answer_report(hw::Datagram report) {
  ++counters_.reports;
  set(report.mad, h::kResponse, 1);
  send(report);
}

void Host::on_answer(const hw::Datagram& first, std::span<const std::uint8_t> records) {
  if (!open_ || get(first.mad, h::kTransactionLow) != get(open_->request.mad, h::kTransactionLow)) return;
  const bool good = status_of(first) == sa::Status::good;
  ++(good ? counters_.answered : counters_.refused);
  const Open open = *std::exchange(open_, std::nullopt);
  if (open.item)
    note_registration(*open.item, first, good);
  else
    note_answer(*open.question, status_of(first), records);
}

/// What cannot be ended is not registered.
void Host::note_registration(const Item& item, const hw::Datagram& answer, bool good) {
  const auto at = registrations_.find(item);
  if (at->second.state == Registration::State::ending) {
    const sa::Status status = status_of(answer);
    if (good || status == sa::Status::request_invalid || status == sa::Status::no_records)
      registrations_.erase(at);
    else
      rests_until_ = way_.now() + kRest;
    return;
  }
  if (!good) {
    rests_until_ = way_.now() + kRest;
    return;
  }
  at->second.state = Registration::State::registered;
  at->second.manager = answer.lid;
  if (item.kind == Item::Kind::group)
    at->second.mlid = requests::mlid_of(std::span(answer.mad).subspan(sa::header::kData));
}

void Host::note_answer(const Question& question, sa::Status status, std::span<const std::uint8_t> records) {
  if (status == sa::Status::good && !question.item) {
    const bool one = !question.to.is_none();
    const auto paths = one ? records.first(requests::kPathRecordSize) : records;
    judge_(*this, paths);
    if (one) paths_.push_back({question.to, requests::destination_of(paths)});
  }
  if (status != sa::Status::good)
    refusals_.push_back(fmt::format(
        "{}: status 0x{:04x}",
        question.item ? fmt::format("{} {}", requests::name(question.item->kind), question.item->number)
                      : fmt::format("path to {}", guid(question.to)),
        static_cast<unsigned>(status)));
}

hw::Datagram Host::request(sa::Method method, sa::Attribute attribute) {
  return requests::header(
      method, attribute, ++transaction_,
      static_cast<std::uint16_t>(get(simulated_.port_info[at_.index()], pi::kMasterSmLid)));
}

hw::Datagram Host::request_for(const Item& item, const Registration& registration) {
  const bool adds = registration.state == Registration::State::open;
  hw::Datagram asked = request(requests::method(item.kind, adds), requests::attribute(item.kind));
  requests::fill(asked, item, guid(at_), registration.join_state, adds);
  return asked;
}

hw::Datagram Host::request_for(const Question& question) {
  if (question.item) {
    hw::Datagram asked = request(sa::Method::get, requests::record_of(question.item->kind));
    requests::fill_question(asked, *question.item, guid(at_));
    return asked;
  }
  const bool table = question.to.is_none();
  hw::Datagram asked = request(table ? sa::Method::get_table : sa::Method::get, sa::Attribute::path_record);
  requests::fill_paths(asked, guid(at_), table ? std::nullopt : std::optional(guid(question.to)));
  return asked;
}

}  // namespace rch::sim::test
