#include "cli/captures.h"

namespace rch::cli {

void add_packet_log(const Command& command, CaptureFlags& flags) {
  command.add("--pcap", flags.pcap, "Write the datagrams to pcap files for Wireshark").type("FILE");
  command
      .add("--ring-size", flags.ring_size, "MiB after which a capture goes on in the next file (default: 64)")
      .type("MIB")
      .between(1, 1 << 20);
  command.add("--ring-files", flags.ring_files, "Files of a capture that are kept (default: 16)")
      .type("N")
      .between(1, 10000);
}

void add_captures(const Command& command, CaptureFlags& flags) {
  command.add("--record", flags.record, "Record all events here, for `rch replay`").type("FILE");
  add_packet_log(command, flags);
}

Result<Captures> Captures::create(const CaptureFlags& flags, const std::function<void(const Error&)>& lost) {
  Captures captures;
  if (!flags.record.empty()) {
    auto recorder = record::Recorder::create(flags.record, flags.limits(), lost);
    if (!recorder) return tl::unexpected(recorder.error());
    captures.recorder_ = std::move(*recorder);
  }
  if (!flags.pcap.empty()) {
    auto packets =
        record::PacketLog::create(flags.pcap, flags.limits(), lost, record::Recorder::wall_clock_of_zero);
    if (!packets) return tl::unexpected(packets.error());
    captures.packets_ = std::move(*packets);
  }
  return captures;
}

void Captures::tap(hw::Exchange& exchange) const {
  if (recorder_) exchange.tap(*recorder_);
  if (packets_) exchange.tap(*packets_);
}

void Captures::put(const record::Record& record) const {
  if (recorder_) recorder_->put(record);
}

void Captures::put_files(const SourceSet& sources) const {
  for (std::uint32_t s = 0; s < sources.size(); ++s) {
    const SourceText& text = sources.at(SourceId(s));
    put(record::FileRead{text.name(), std::string(text.text())});
  }
}

}  // namespace rch::cli
