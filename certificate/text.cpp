#include <charconv>
#include <set>

#include <fmt/format.h>

#include "certificate/certificate.h"

namespace rch::certificate {
namespace {

constexpr std::string_view kTitle = "rch certificate 1";
constexpr std::string_view kAnySl = "any-sl", kPathSls = "path-sls";

/// Words of a text, line by line.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  Error wrong(std::string_view expected) const {
    return {ErrorKind::invalid, fmt::format("line {} of the certificate: {}", line_, expected)};
  }
  /// The next line; it must have an end.
  bool next() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return false;
    words_ = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    ++line_;
    return true;
  }
  std::string_view word() {
    const std::size_t end = std::min(words_.find(' '), words_.size());
    const std::string_view word = words_.substr(0, end);
    words_.remove_prefix(std::min(end + 1, words_.size()));
    return word;
  }
  std::optional<std::uint64_t> number(int base = 10) {
    std::string_view text = word();
    if (base == 16 && !text.starts_with("0x")) return std::nullopt;
    if (base == 16) text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
  }
  bool ended() const { return words_.empty(); }
  std::string_view line() const { return words_; }

 private:
  std::string_view rest_, words_;
  std::size_t line_ = 0;
};

std::optional<Channel> channel_of(const fabric::Fabric& fabric, Reader& reader) {
  const auto guid = reader.number(16), port = reader.number(), vl = reader.number();
  const auto sw = guid ? fabric.find_switch(Guid(*guid)) : std::nullopt;
  if (!sw || !port || !vl || *port == 0 || *port > fabric.node(*sw).num_ports || *vl > 14 || !reader.ended())
    return std::nullopt;
  return Channel{fabric.port_id(*sw, PortNum(static_cast<std::uint8_t>(*port))),
                 static_cast<std::uint8_t>(*vl)};
}

}  // namespace

std::string to_text(const fabric::Fabric& fabric, const Certificate& certificate) {
  std::string text =
      fmt::format("{}\nfabric {}\npackets {}\nto-switches {}\nlost-pairs {}\nlost-members {}\nchannels {}\n",
                  kTitle, certificate.fabric, certificate.packets == Packets::any_sl ? kAnySl : kPathSls,
                  certificate.to_switches ? "yes" : "no", certificate.lost_pairs, certificate.lost_members,
                  certificate.order.size());
  for (const Channel& channel : certificate.order) {
    const fabric::Port& port = fabric.port(channel.port);
    fmt::format_to(std::back_inserter(text), "{} {} {}\n", fabric.node(port.node).guid, port.number,
                   channel.vl);
  }
  return text;
}

Result<Certificate> from_text(const fabric::Fabric& fabric, std::string_view text) {
  Reader reader(text);
  Certificate read;
  if (!reader.next() || reader.line() != kTitle)
    return tl::unexpected(reader.wrong(fmt::format("`{}` is expected", kTitle)));
  const auto field = [&](std::string_view name) { return reader.next() && reader.word() == name; };
  if (!field("fabric")) return tl::unexpected(reader.wrong("`fabric` and its fingerprint are expected"));
  read.fabric = reader.word();
  if (!reader.ended()) return tl::unexpected(reader.wrong("a fingerprint is one word"));
  // Otherwise the first channel would be told to be wrong.
  if (read.fabric != fabric.fingerprint())
    return fail(ErrorKind::forbidden, "the certificate is of another fabric");
  const bool has_packets = field("packets") && (reader.line() == kAnySl || reader.line() == kPathSls);
  if (!has_packets) return tl::unexpected(reader.wrong("`packets any-sl` or `packets path-sls` is expected"));
  read.packets = reader.line() == kAnySl ? Packets::any_sl : Packets::path_sls;
  const bool has_switches = field("to-switches") && (reader.line() == "yes" || reader.line() == "no");
  if (!has_switches) return tl::unexpected(reader.wrong("`to-switches yes` or `to-switches no` is expected"));
  read.to_switches = reader.line() == "yes";
  std::uint64_t channels = 0;
  for (const auto& [name, value] :
       {std::pair("lost-pairs", &read.lost_pairs), std::pair("lost-members", &read.lost_members),
        std::pair("channels", &channels)}) {
    const auto number = field(name) ? reader.number() : std::nullopt;
    if (!number || !reader.ended())
      return tl::unexpected(reader.wrong(fmt::format("`{}` and a number are expected", name)));
    *value = *number;
  }
  std::set<Channel> listed;
  while (reader.next()) {
    const auto channel = channel_of(fabric, reader);
    if (!channel)
      return tl::unexpected(
          reader.wrong("a switch and a port of the fabric and a virtual lane are expected"));
    if (read.packets == Packets::any_sl && channel->vl != 0)
      return tl::unexpected(
          reader.wrong("channels for any service level are links, and have the virtual lane 0"));
    if (!listed.insert(*channel).second)
      return tl::unexpected(reader.wrong("this channel stands here twice"));
    read.order.push_back(*channel);
  }
  if (!reader.at_end() || read.order.size() != channels)
    return fail(ErrorKind::invalid, "the certificate is cut off: it has fewer or more channels than it says");
  return read;
}

}  // namespace rch::certificate
