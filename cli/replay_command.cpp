#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/captures.h"
#include "cli/commands.h"
#include "cli/confirmed_file.h"
#include "cli/journal_file.h"
#include "cli/key_file.h"
#include "cli/live.h"
#include "cli/service.h"
#include "record/recording.h"

namespace rch::cli {
namespace {

struct ReplayFlags {
  std::string file;
  CaptureFlags captures;
};

std::string describe(const hw::Datagram& datagram) {
  namespace h = hw::mad_header;
  return fmt::format("method 0x{:02x}, attribute 0x{:04x}, modifier 0x{:x}, LID {}",
                     get(datagram.mad, h::kMethod), get(datagram.mad, h::kAttribute),
                     get(datagram.mad, h::kModifier), datagram.lid);
}

/// The manager of a recording, without a fabric. Jobs run where the recorded ones had ended.
class Replay {
 public:
  Replay(record::Recording recording, const CaptureFlags& captures)
      : recording_(std::move(recording)), captures_(captures) {}

  Exit run();

 private:
  void on(const record::FileRead& file) { files_.insert_or_assign(file.path, file.content); }
  void on(const record::Started& started);
  void on(const record::WallClock& clock) { wall_offset_ = clock.offset_ns; }
  void on(const record::Arrived& arrived);
  void on(const record::JobDone& done);
  void on(const record::Broken& broken) { exchange_->on_broken(broken.error); }
  void on(const record::StopAsked&) { exchange_->on_stop(); }
  void on(const record::Turn& turn);
  void on(const record::Asked& asked);
  void on(const SweepRequest& request) { service_->sweep(request); }
  void on(const ReloadRequest& request) {
    const auto within = request.confirm_within;  // as recordings had it before TimedReload
    service_->reload(load_files(), within, within ? service_->log().time_in(*within) : std::string());
  }
  void on(const TimedReload& request) {
    service_->reload(load_files(), request.confirm_within, request.until);
  }
  void on(const ConfirmRequest&) { service_->confirm(); }
  void on(const QuarantineRequest& request) { service_->quarantine(request); }
  void on(const RefusedReload& refused);
  void on(const ComeBack&) { service_->come_back(); }
  void on(const record::FileKept& kept) { kept_.push_back(kept.result); }
  void on(const record::Done& recorded);
  void on(const record::Ended&) {}
  void on(const record::Continued&) {}

  Result<void> take_kept();
  void replay_all();
  void handle(const record::Record& record);
  Reading load_files();
  void differ(std::string what) {
    if (difference_.empty()) difference_ = std::move(what);
  }
  Exit end();
  std::chrono::system_clock::time_point wall_now() const {
    return std::chrono::system_clock::time_point(std::chrono::nanoseconds(wall_offset_) +
                                                 now_.time_since_epoch());
  }

  record::Recording recording_;
  CaptureFlags captures_;
  Context context_{Format::text};
  std::map<std::string, Result<std::string>> files_;  ///< as they were read last
  ServiceOptions options_;
  std::deque<Result<void>> kept_;
  std::map<hw::JobId, hw::Job> jobs_;       ///< that run
  std::vector<hw::OutgoingDatagram> sent_;  ///< in the last turn
  record::Done done_;                       ///< in the last turn; not compared yet
  hw::TimePoint now_{};
  std::int64_t wall_offset_ = 0;
  std::size_t records_ = 0, datagrams_ = 0;
  std::string difference_;  ///< the first one
  std::unique_ptr<record::PacketLog> packets_;
  std::optional<hw::Exchange> exchange_;
  ActivityReport activity_;  ///< of none
  std::unique_ptr<Service> service_;
  std::optional<hw::Task<Result<void>>> task_;
};

Reading Replay::load_files() {
  Context context(Format::text);
  for (const auto& [path, content] : files_)
    if (content) context.sources->provide(path, *content);
  context.sources->seal();
  // A start or a change of a partition may have left out a file of names. A reload that was refused for one
  // is recorded as such.
  context.presentation = policy::Presentation::spared;
  return read_again(context, options_);
}

void Replay::on(const record::Started& started) {
  now_ = started.now;
  const auto options = service_options(started.options);
  if (!options) return differ("the recording does not say how the manager was started");
  options_ = *options;
  if (started.version != RCH_VERSION)
    context_.output.warning(fmt::format("recorded by rch {}, this is rch {}", started.version, RCH_VERSION));
  const Stage<Loaded> loaded = load_files().loaded;
  if (!loaded) return differ("the recorded configuration is refused");
  const auto recorded = [this](const std::string& path) -> std::optional<std::string> {
    const auto file = files_.find(path);
    return file != files_.end() && file->second ? std::optional(*file->second) : std::nullopt;
  };
  const policy::Options& configured = loaded->policy->options;
  SourceSet sources;
  Diagnostics ignored;  // they were told when the session was recorded
  hw::KeyOptions keys = known_keys(configured.manager, options_.lid_file, recorded, sources, ignored);
  if (const auto local = recorded(kPortGuid)) keys.local = Guid(parse_integer(*local).value_or(0));
  exchange_.emplace(smp_options(configured, true, std::move(keys)), started.now);
  if (packets_) exchange_->tap(*packets_);
  Service::Storage storage;
  if (!options_.plan_file.empty()) storage.plan = [this](const chains::Plan&) { return take_kept(); };
  if (!options_.lid_file.empty()) storage.lids = [this](const fabric::LidRecords&) { return take_kept(); };
  storage.cables = [this](const fabric::CableMap&) { return take_kept(); };
  service_ = std::make_unique<Service>(*exchange_, options_, *loaded, RunLog([this] { return wall_now(); }),
                                       std::move(storage), activity_);
  if (const auto plan = files_.find(options_.plan_file); plan != files_.end())
    service_->start_from(plan->first, plan->second);
  if (const auto lids = files_.find(options_.lid_file); lids != files_.end())
    service_->start_from_lids(lids->first, lids->second);
  const auto registrations = files_.find(journal_file(options_.lid_file));
  if (registrations != files_.end())
    service_->start_from_registrations(registrations->first, registrations->second);
  if (const std::string confirmed = confirmed_file(options_.lid_file); files_.contains(confirmed))
    service_->start_from_confirmed(confirmed);
  service_->log_start(started.version, options_.control);
  task_.emplace(service_->run());
  task_->start();
}

/// What came of the next file that was kept.
Result<void> Replay::take_kept() {
  if (kept_.empty()) return {};
  auto kept = std::move(kept_.front());
  kept_.pop_front();
  return kept;
}

void Replay::on(const record::Arrived& arrived) {
  now_ = arrived.now;
  exchange_->on_arrival(arrived.datagrams, arrived.now);
}

void Replay::on(const record::JobDone& done) {
  const auto job = jobs_.find(done.job);
  if (job == jobs_.end()) return differ(fmt::format("no job {} runs that could end", done.job.value));
  job->second.run();
  jobs_.erase(job);
  exchange_->on_job_done(done.job);
}

void Replay::on(const record::Turn& turn) {
  now_ = turn.now;
  hw::Effects effects = exchange_->take_effects(turn.now);
  done_ = record::done_of(effects);
  datagrams_ += effects.datagrams.size();
  sent_ = std::move(effects.datagrams);
  for (hw::Job& job : effects.jobs) jobs_.emplace(job.id, std::move(job));
}

void Replay::on(const record::Asked& asked) {
  const auto request = recorded_request_of(asked.request);
  if (!request) return differ("the recorded request cannot be read: " + request.error().message);
  std::visit([this](const auto& known) { on(known); }, *request);
}

void Replay::on(const RefusedReload& refused) {
  Reading reading = load_files();
  reading.loaded = tl::unexpected(Exit::findings);
  if (!refused.why.empty()) refuse(reading, refused.why);
  service_->reload(std::move(reading));
}

/// Compares what the last turn brought with what it had brought.
void Replay::on(const record::Done& recorded) {
  const record::Done done = std::exchange(done_, {});
  if (done == recorded) return;
  const auto [mine, other] = std::ranges::mismatch(done.datagrams, recorded.datagrams);
  const auto number = static_cast<std::size_t>(mine - done.datagrams.begin());
  std::string what =
      fmt::format("{} datagrams and {} jobs were recorded, {} and {} are replayed", recorded.datagrams.size(),
                  recorded.jobs.size(), done.datagrams.size(), done.jobs.size());
  if (mine != done.datagrams.end())
    what += fmt::format("; datagram {} is not the recorded one: {}", number + 1,
                        describe(sent_[number].datagram));
  differ(std::move(what));
}

template <class... Kinds>
bool is_one_of(const record::Record& record) {
  return (std::holds_alternative<Kinds>(record) || ...);
}

void Replay::handle(const record::Record& record) {
  using namespace record;
  ++records_;
  if (!service_ && !is_one_of<FileRead, Started, WallClock>(record))
    return differ("the recording does not begin with a start");
  if (service_ && is_one_of<Started>(record)) return differ("the manager starts again");
  if (!is_one_of<Done, WallClock, FileKept>(record) && !done_.nothing()) on(Done());  // nothing was recorded
  if (difference_.empty()) std::visit([this](const auto& event) { on(event); }, record);
}

void Replay::replay_all() {
  while (difference_.empty()) {
    const auto record = recording_.next();
    if (!record) break;
    handle(*record);
  }
  if (recording_.missing().empty() && !done_.nothing()) on(record::Done());
}

Exit Replay::end() {
  std::fflush(stdout);
  if (!recording_.missing().empty()) context_.output.warning(recording_.missing());
  if (!difference_.empty()) {
    context_.output.error({ErrorKind::invalid, fmt::format("at record {}: {}", records_, difference_)});
    return Exit::findings;
  }
  if (task_ && task_->done()) service_->log_end(task_->take());
  context_.output.line(fmt::format("replayed {} records: {} datagrams as recorded", records_, datagrams_));
  return Exit::good;
}

Exit Replay::run() {
  if (!captures_.pcap.empty()) {
    const auto lost = [this](const Error& error) { context_.output.error(error); };
    auto packets =
        record::PacketLog::create(captures_.pcap, captures_.limits(), lost, [this] { return wall_offset_; });
    if (!packets) return context_.stop(packets.error());
    packets_ = std::move(*packets);
  }
  replay_all();
  return end();
}

Exit run(const ReplayFlags& flags) {
  Context context(Format::text);
  auto recording = record::Recording::open(flags.file);
  if (!recording) return context.stop(recording.error());
  return Replay(std::move(*recording), flags.captures).run();
}

}  // namespace

void add_replay(const Command& rch) {
  const Command command =
      rch.command("replay", "Repeat what a recorded subnet manager did, without a fabric");
  command.exits({Exit::good, Exit::findings, Exit::usage});
  auto flags = std::make_shared<ReplayFlags>();
  command.add("FILE", flags->file, "What `rch run --record` wrote").required();
  add_packet_log(command, flags->captures);
  command.does([flags] { return run(*flags); });
}

}  // namespace rch::cli
