#include "record/packet_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "hw/attributes.h"
#include "sa/mad.h"
#include "sa/path_terms.h"

namespace rch::record {
namespace {

namespace fs = std::filesystem;
namespace h = hw::mad_header;

constexpr std::uint64_t kPrefix = 0xFEC0000000000001;
constexpr Guid kOurs(0x0002C90300010001), kTheirs(0x0002C90300010005);

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> part{};
  while (pipe != nullptr && std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  if (pipe != nullptr) pclose(pipe);
  return text;
}

/// What our own node answers, by which the log learns our address.
hw::Datagram own(hw::Attribute attribute, const std::vector<std::pair<hw::Field, std::uint64_t>>& fields) {
  hw::Datagram answer{.lid = 0xFFFF};
  set(answer.mad, h::kClass, static_cast<std::uint64_t>(hw::MadClass::directed_route));
  set(answer.mad, h::kMethod, static_cast<std::uint64_t>(hw::Method::get_resp));
  set(answer.mad, h::kAttribute, static_cast<std::uint64_t>(attribute));
  for (const auto& [field, value] : fields) set(std::span(answer.mad).subspan(h::kData), field, value);
  return answer;
}

hw::Datagram path_answer() {
  hw::Datagram answer{.lid = 5, .queue_pair = 1, .service_level = 2};
  const std::pair<hw::Field, std::uint64_t> fields[] = {
      {h::kBaseVersion, 1}, {h::kClass, 3}, {h::kClassVersion, 2}, {h::kMethod, 0x81}, {h::kAttribute, 0x35}};
  for (const auto& [field, value] : fields) set(answer.mad, field, value);
  std::vector<std::uint8_t> record;
  sa::append_path({.source = sa::make_gid(kPrefix, kTheirs),
                   .destination = sa::make_gid(kPrefix + 6, kOurs),
                   .slid = Lid(5),
                   .dlid = Lid(9),
                   .pkey = 0x8005,
                   .sl = 3,
                   .mtu = 4,
                   .rate = 16,
                   .life = 18,
                   .reversible = true,
                   .hop_limit = 255,
                   .traffic_class = 7,
                   .flow_label = 0x54321},
                  {}, record);
  std::ranges::copy(record, answer.mad.begin() + sa::header::kData);
  return answer;
}

class PacketLogTest : public testing::Test {
 protected:
  PacketLogTest() {
    log = *PacketLog::create(
        file, {}, [](const Error& error) { ADD_FAILURE() << error.message; }, [] { return std::int64_t{7}; });
    const hw::Datagram address[] = {
        own(hw::Attribute::node_info, {{hw::node_info::kPortGuid, kOurs.value}}),
        own(hw::Attribute::port_info, {{hw::port_info::kLid, 9}, {hw::port_info::kGidPrefix, kPrefix}})};
    log->on_arrival(address, {});
  }
  ~PacketLogTest() override { fs::remove(file); }

  /// What Wireshark reads in the last packet.
  std::string field(const std::string& name) const {
    const std::string told =
        output_of(fmt::format("tshark -r {} -T fields -e infiniband.{} 2>&1 | tail -1", file.string(), name));
    return told.substr(0, told.find('\n'));
  }
  void send(const hw::Datagram& datagram) {
    hw::Effects effects;
    effects.datagrams.push_back({datagram, {}});
    log->on_effects(effects);
  }

  fs::path file = fs::temp_directory_path() / fmt::format("rch_packets.{}", getpid());
  std::unique_ptr<PacketLog> log;
};

TEST_F(PacketLogTest, WiresharkReadsAPathRecord) {
  send(path_answer());
  const std::pair<std::string, std::string> expected[] = {
      {"pathrecord.sgid", "fec0::1:2:c903:1:5"},
      {"pathrecord.dgid", "fec0::7:2:c903:1:1"},
      {"pathrecord.slid", "0x0005"},
      {"pathrecord.dlid", "0x0009"},
      {"pathrecord.p_key", "0x8005"},
      {"pathrecord.sl", "0x0003"},
      {"pathrecord.mtu", "0x04"},
      {"pathrecord.rate", "0x10"},
      {"pathrecord.packetlifetime", "0x12"},
      {"pathrecord.hoplimit", "0xff"},
      {"pathrecord.tclass", "0x07"},
      {"pathrecord.flowlabel", "0x054321"},
      {"lrh.slid", "9"},
      {"lrh.dlid", "5"},
  };
  for (const auto& [name, value] : expected) EXPECT_EQ(field(name), value) << name;
  EXPECT_EQ(field("grh.sgid"), "");
}

TEST_F(PacketLogTest, WiresharkReadsGlobalRoutesBothWays) {
  hw::Datagram datagram = path_answer();
  datagram.global_route = {.gid = sa::make_gid(kPrefix, kTheirs), .traffic_class = 9, .flow_label = 0x12345};
  send(datagram);
  EXPECT_EQ(field("grh.sgid"), "fec0::1:2:c903:1:1");
  EXPECT_EQ(field("grh.dgid"), "fec0::1:2:c903:1:5");
  EXPECT_EQ(field("grh.tclass"), "9");
  EXPECT_EQ(field("grh.flowlabel"), "74565") << "0x12345";
  EXPECT_EQ(field("pathrecord.dlid"), "0x0009") << "what is behind the header";
  log->on_arrival(std::span(&datagram, 1), {});
  EXPECT_EQ(field("grh.sgid"), "fec0::1:2:c903:1:5");
  EXPECT_EQ(field("grh.dgid"), "fec0::1:2:c903:1:1");
  EXPECT_EQ(field("pathrecord.dlid"), "0x0009");
}

}  // namespace
}  // namespace rch::record
