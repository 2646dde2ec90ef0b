// What `/metrics` shows of ports.

#include "cli/port_metrics.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/performance_log.h"
#include "support/small_fabrics.h"

namespace rch::cli {
namespace {

using perfmgr::Counter;
using perfmgr::PortKey;
using perfmgr::Totals;

class PortMetricsTest : public testing::Test {
 protected:
  PortMetricsTest() {
    auto tables = std::make_shared<fabric::RoutingTables>();
    tables->pkeys.ports = {fabric->end_ports()[0].port};
    tables->pkeys.begin = {0, 4};
    tables->pkeys.keys = {0xFFFF, 0, 0x8012, 0x0012};
    const PortId host = fabric->end_ports()[0].port, leaf = fabric->port(host).peer;
    std::vector<Totals::Port> ports{
        {key(leaf), fabric::NodeType::sw},
        {key(host), fabric::NodeType::ca},
        {{Guid(0xABCDEF), PortNum(2)}, fabric::NodeType::ca, true, "a \"b\"\\\nc"}};
    std::ranges::sort(ports, {}, &Totals::Port::key);
    totals = std::make_shared<Totals>(ports);
    source = {totals, fabric, tables, std::make_shared<const policy::Policy>()};
  }
  PortKey key(PortId id) const { return {fabric->node(fabric->port(id).node).guid, fabric->port(id).number}; }
  std::string page() const {
    PortPage pages(source.totals, std::make_shared<const PortLabels>(source));
    std::string all;
    for (std::string piece; pages.next(piece); all += piece) EXPECT_LT(piece.size(), 100'000U);
    return all;
  }

  const std::shared_ptr<const fabric::Fabric> fabric =
      std::make_shared<const fabric::Fabric>(rch::test::build(rch::test::clos(2, 1, 1)));
  std::shared_ptr<Totals> totals;
  PortSource source;
};

TEST_F(PortMetricsTest, HaveTheNamesOfPorts) {
  const std::string text = page();
  for (const char* line :
       {"rch_port_info{guid=\"0x0000000000900000\",port=\"1\",node=\"host 0\",type=\"ca\",lid=\"4\","
        "partitions=\"0x7fff,0x0012\",peer_guid=\"0x0000000000100000\",peer_port=\"1\",peer_node=\"switch "
        "0\"} 1\n",
        "rch_port_info{guid=\"0x0000000000100000\",port=\"1\",node=\"switch "
        "0\",type=\"switch\",lid=\"1\",partitions=\"0x7fff,0x0012\","
        "peer_guid=\"0x0000000000900000\",peer_port=\"1\",peer_node=\"host 0\"} 1\n",
        "rch_port_info{guid=\"0x0000000000abcdef\",port=\"2\",node=\"a \\\"b\\\"\\\\\\nc\"} 1\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text.substr(0, 1000);
}

TEST_F(PortMetricsTest, ShowWhatWasReadAndNothingElse) {
  const std::size_t row = *totals->find(key(fabric->end_ports()[0].port));
  totals->set(Counter::xmit_data, row, 1'000'000'007);
  totals->set(Counter::link_downed, row, 0);
  std::set<std::string> samples;
  std::string text = page();
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1)
    if (const std::string line = text.substr(at, end - at);
        !line.starts_with('#') && !line.starts_with("rch_port_info"))
      samples.insert(line);
  EXPECT_EQ(samples,
            (std::set<std::string>{
                "rch_port_data_transmitted_bytes_total{guid=\"0x0000000000900000\",port=\"1\"} 4000000028",
                "rch_port_link_downed_total{guid=\"0x0000000000900000\",port=\"1\"} 0"}));
}

TEST_F(PortMetricsTest, EveryFamilyComesOnceAndInOrder) {
  const std::string text = page();
  std::size_t at = 0;
  for (const MetricFamily& family : port_families()) {
    const std::size_t found = text.find(fmt::format("# TYPE {} ", family.name));
    ASSERT_NE(found, std::string::npos) << family.name;
    EXPECT_GE(found, at) << family.name;
    EXPECT_EQ(text.find(fmt::format("# TYPE {} ", family.name), found + 1), std::string::npos);
    at = found;
  }
}

TEST(PortPage, PiecesOfManyPortsLoseNone) {
  std::vector<Totals::Port> ports;
  for (std::uint64_t guid = 1; guid <= 5000; ++guid) ports.push_back({{Guid(guid), PortNum(1)}});
  const auto totals = std::make_shared<Totals>(ports);
  for (std::size_t row = 0; row < ports.size(); ++row) totals->set(Counter::rcv_pkts, row, row);
  const PortSource source{
      totals, std::make_shared<const fabric::Fabric>(rch::test::build(rch::test::clos(2, 1, 1))),
      std::make_shared<fabric::RoutingTables>(), std::make_shared<const policy::Policy>()};
  PortPage page(totals, std::make_shared<const PortLabels>(source));
  std::string all;
  for (std::string piece; page.next(piece); all += piece) {
  }
  for (std::size_t row = 0; row < ports.size(); ++row)
    EXPECT_NE(all.find(fmt::format("rch_port_packets_received_total{{guid=\"{}\",port=\"1\"}} {}\n",
                                   Guid(row + 1), row)),
              std::string::npos);
}

TEST_F(PortMetricsTest, EventsNameBothEndsOfTheLink) {
  perfmgr::ErrorsRose rose{.port = key(fabric->end_ports()[0].port), .span = hw::Milliseconds{59'600}};
  rose.risen[static_cast<std::size_t>(Counter::symbol_errors)] = 12;
  rose.risen[static_cast<std::size_t>(Counter::link_downed)] = 1;
  const LogLine line = describe(rose, fabric.get());
  EXPECT_EQ(line.code, "RCH160");
  EXPECT_EQ(line.text,
            "errors at `host 0` (0x0000000000900000) port 1, link to `switch 0` (0x0000000000100000) port 1: "
            "SymbolErrorCounter +12, LinkDownedCounter +1 in 60 s");
  EXPECT_EQ(line.fields.number("port"), 1U);
  EXPECT_EQ(describe(rose, nullptr).text,
            "errors at 0x0000000000900000 port 1: SymbolErrorCounter +12, LinkDownedCounter +1 in 60 s");
}

}  // namespace
}  // namespace rch::cli
