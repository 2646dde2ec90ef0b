// Side by side with OpenSM: each folder of opensm_qos holds QoS files, path queries, and what Debian's OpenSM
// made of them on ibsim (opensm.txt, written by tests/lab/record_qos). rch reads the same files; verdicts,
// SLs and limits of paths, SL2VL and arbitration tables of every port must agree, but for the differences
// below. Queries name SM-side facts through the recording alone: P_Keys and lanes are those the devices had.
//
// What cannot be compared: VLHighLimit (ibsim forgets it), arbitration entries past the eighth (ibsim has
// eight), MultiPathRecord queries (saquery cannot send them).

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "fabric/formats.h"
#include "in_folder.h"
#include "policy/build/front_end.h"
#include "policy/model/qos_policy.h"
#include "policy/model/vl_tables.h"

namespace rch::policy::qos {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(RCH_TEST_DATA) / "opensm_qos";

/// Who takes a configuration.
enum class Taken { by_both, by_neither, by_opensm, by_rch };

/// Where rch and OpenSM differ, and why rch does.
struct Difference {
  std::string_view name;
  Taken taken;
  std::string_view reason;
  bool paths_differ = false;  ///< both take it and read it differently
};
constexpr Difference kDifferences[] = {
    {"differ_sl_17", Taken::by_opensm, "OpenSM keeps SL 17 and then answers no path query at all"},
    {"differ_bad_octal", Taken::by_opensm, "OpenSM reads 08 as octal, stops at the 8, and takes 0"},
    {"differ_duplicate_level", Taken::by_opensm, "OpenSM silently takes the first; the second may be meant"},
    {"differ_duplicate_group", Taken::by_opensm, "OpenSM silently takes the first; the second may be meant"},
    {"differ_quoted_list", Taken::by_opensm, "OpenSM makes one name of the list, which no node has"},
    {"differ_setup_range", Taken::by_opensm, "qos-setup does nothing, but its VLs and weights are checked"},
    {"differ_short_sl2vl", Taken::by_opensm, "OpenSM sends the SLs that the list leaves out to VL 0"},
    {"differ_vl_16", Taken::by_opensm, "OpenSM takes VL 16 for 1 and weight 300 for 44"},
    {"vl_dropped", Taken::by_opensm,
     "OpenSM programs VL 15 for SL 0, which every path uses, and answers none"},
    {"differ_comment_at_end", Taken::by_rch,
     "OpenSM wants a line end behind the comment; a warning with repair"},
    {"differ_upper_case", Taken::by_rch, "OpenSM knows keywords in lower case only; a warning"},
    {"differ_upper_case_criterion", Taken::by_rch,
     "the same of criteria in ULP lines; a warning with repair"},
    {"differ_keyword_in_name", Taken::by_rch, "OpenSM finds keywords inside names; a warning with repair"},
    {"differ_keyword_starts_name", Taken::by_rch,
     "OpenSM finds keywords inside names; a warning with repair"},
    {"differ_two_keys_on_a_line", Taken::by_rch, "OpenSM takes numbers behind a name for text; a warning"},
    {"differ_keyword_with_colon", Taken::by_rch,
     "OpenSM wants no colon there; a warning, as in NVIDIA's files"},
    {"differ_wrapped_names", Taken::by_rch,
     "OpenSM takes digits and dashes of the second line for numbers; a warning"},
    {"differ_rate_limit_24", Taken::by_rch, "OpenSM 3.3.23 knows rate codes up to 22; a warning"},
    {"differ_unquoted_port_name", Taken::by_both,
     "OpenSM drops the blank and finds no node; a warning with repair", true},
};

const Difference* difference(std::string_view name) {
  const auto at = std::find_if(std::begin(kDifferences), std::end(kDifferences),
                               [&](const Difference& d) { return d.name == name; });
  return at == std::end(kDifferences) ? nullptr : at;
}

Taken expected(std::string_view name) {
  if (const Difference* known = difference(name)) return known->taken;
  return name.starts_with("fail_") ? Taken::by_neither : Taken::by_both;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

std::uint64_t number(const std::string& text) { return parse_integer(text).value(); }

struct Answer {
  std::uint64_t sl, mtu, rate, life;
};
struct RecordedQuery {
  std::vector<std::string> words;  ///< source, destination, `field=value`…
  std::optional<Answer> answer;
};

/// opensm.txt. Ports are `node/number`, nodes the first words of descriptions.
struct Recording {
  bool refused = false;
  std::vector<RecordedQuery> queries;
  std::map<std::string, std::vector<std::uint16_t>> pkeys;
  std::map<std::string, std::uint8_t> lanes;
  std::map<std::string, std::map<std::string, std::string>> sl2vl;  ///< port → input ports (empty: all) → row
  std::map<std::string, std::string> high, low;
};

Recording read_recording(const fs::path& path) {
  Recording recording;
  const auto text = read_file(path);
  EXPECT_TRUE(text) << path;
  for (const std::string& line : split(*text, '\n')) {
    const std::size_t colon = line.find(": ");
    const std::vector<std::string> head = split(line.substr(0, colon), ' ');
    const std::vector<std::string> tail = split(line.substr(std::min(colon + 1, line.size())), ' ');
    if (head[0] == "policy") recording.refused = head[1] == "refused";
    if (head[0] == "path") {
      recording.queries.push_back({{head.begin() + 1, head.end()}, {}});
      if (tail[0] == "sl")
        recording.queries.back().answer =
            Answer{number(tail[1]), number(tail[3]), number(tail[5]), number(tail[7])};
    }
    for (const std::string& port : tail) {
      if (head[0] == "lanes") recording.lanes[port] = static_cast<std::uint8_t>(number(head[1]));
      if (head[0] == "pkeys")
        for (const std::string& key : split(head[1], ','))
          recording.pkeys[port].push_back(static_cast<std::uint16_t>(number(key)));
      if (head[0] == "sl2vl") recording.sl2vl[port][head[1] == "in" ? head[2] : ""] = head.back();
      if (head[0] == "vlarb") (head[1] == "high" ? recording.high : recording.low)[port] = head[2];
    }
  }
  return recording;
}

const fabric::Fabric& lab_fabric() {
  static const fabric::Fabric fabric = [] {
    SourceSet sources;
    Diagnostics diagnostics;
    const auto source = sources.load(kFolder / "fabric.net");
    return *fabric::read_fabric(sources, source.value(), diagnostics);
  }();
  return fabric;
}

const fabric::Node& node_of(const std::string& name) {
  const auto nodes = lab_fabric().nodes();
  const auto at = std::find_if(nodes.begin(), nodes.end(), [&](const fabric::Node& n) {
    return n.description.substr(0, n.description.find(' ')) == name;
  });
  EXPECT_NE(at, nodes.end()) << name;
  return *at;
}

/// The port through which a node is a path's end.
Port end_port(const std::string& name, const Recording& recording) {
  const fabric::Node& node = node_of(name);
  const std::uint8_t number = node.type == fabric::NodeType::sw ? 0 : 1;
  const fabric::Port& port = lab_fabric().ports()[node.first_port.index() + number];
  const auto pkeys = recording.pkeys.find(fmt::format("{}/{}", name, number));
  Port end{port.guid, node.type, node.description, number, {}, {}, name == "host0"};
  if (pkeys != recording.pkeys.end()) end.pkeys = pkeys->second;
  return end;
}

Query query_of(const RecordedQuery& written, const Recording& recording) {
  Query query;
  query.source = end_port(written.words[0], recording);
  query.destination = end_port(written.words[1], recording);
  for (const std::string& word : written.words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const std::string field = word.substr(0, equals);
    const std::uint64_t value = number(word.substr(equals + 1));
    if (field == "service-id") query.service_id = value;
    if (field == "qos-class") query.qos_class = static_cast<std::uint16_t>(value);
    if (field == "pkey") query.pkey = static_cast<std::uint16_t>(value);
  }
  return query;
}

PortClass class_of(const fabric::Node& node, unsigned number) {
  if (node.type == fabric::NodeType::router) return PortClass::router;
  if (node.type == fabric::NodeType::ca) return PortClass::ca;
  return number == 0 ? PortClass::switch_port0 : PortClass::switch_external;
}

std::string row_of(const SlToVl& map) { return fmt::format("{}", fmt::join(map, ",")); }
std::string row_of(const ArbitrationTable& table, std::size_t entries) {
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < entries; ++i)
    pairs.push_back(fmt::format("{}:{}", table[i].vl, table[i].weight));
  return fmt::format("{}", fmt::join(pairs, ","));
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class OpenSmQos : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const InFolder here(kFolder / GetParam());
    recording_ = read_recording("opensm.txt");
    auto loaded = load("opensm.conf", sources_, diagnostics_);
    ASSERT_TRUE(loaded);
    configuration_ = std::move(*loaded);
  }

  const Policy* policy() const { return configuration_.policy ? &*configuration_.policy : nullptr; }
  std::string findings() const {
    std::string text;
    for (const Diagnostic& d : diagnostics_.all()) text += render(d, sources_);
    return text;
  }

  SourceSet sources_;
  Diagnostics diagnostics_;
  Configuration configuration_;
  Recording recording_;
};

TEST_P(OpenSmQos, IsTakenByTheSame) {
  const bool rch = policy() != nullptr, opensm = !recording_.refused;
  const Taken taken = rch && opensm ? Taken::by_both
                      : rch         ? Taken::by_rch
                      : opensm      ? Taken::by_opensm
                                    : Taken::by_neither;
  EXPECT_EQ(taken, expected(GetParam())) << findings();
}

/// What OpenSM refuses and rch takes gets a warning at least.
TEST_P(OpenSmQos, WhatOpenSmRefusesIsReported) {
  if (!recording_.refused) return;
  EXPECT_GT(diagnostics_.count(Severity::warning) + diagnostics_.count(Severity::error), 0U);
}

TEST_P(OpenSmQos, PathsGetTheSameLevel) {
  if (policy() == nullptr || recording_.refused || !policy()->qos) return;
  const Difference* known = difference(GetParam());
  const bool paths_differ = known != nullptr && known->paths_differ;
  std::size_t different = 0;
  for (const RecordedQuery& written : recording_.queries) {
    const Level& level = *match(*policy()->qos, query_of(written, recording_)).level;
    // A level with P_Keys answers only ports that share one.
    if (!written.answer && !level.pkeys.empty()) continue;
    ASSERT_TRUE(written.answer) << fmt::format("{}", fmt::join(written.words, " "));
    const Answer& answer = *written.answer;
    const bool loopback = written.words[0] == written.words[1];
    const bool same = answer.sl == level.sl && answer.mtu <= level.mtu_limit.value_or(5) &&
                      answer.rate <= level.rate_limit.value_or(25) &&
                      (loopback || !level.packet_life || answer.life == *level.packet_life);
    different += same ? 0 : 1;
    if (!paths_differ) {
      EXPECT_TRUE(same) << fmt::format("{}: OpenSM SL {}, rch SL {}", fmt::join(written.words, " "),
                                       answer.sl, level.sl);
    }
  }
  EXPECT_EQ(different > 0, paths_differ);
}

TEST_P(OpenSmQos, PortsGetTheSameTables) {
  constexpr std::size_t kEntries = 8;
  if (policy() == nullptr) return;
  const Options& options = policy()->options;
  for (const auto& [port, rows] : recording_.sl2vl) {
    const std::vector<std::string> name = split(port, '/');
    const fabric::Node& node = node_of(name[0]);
    const auto number = static_cast<unsigned>(parse_integer(name[1]).value());
    const fabric::Port& known = lab_fabric().ports()[node.first_port.index() + number];
    // OpenSM programs neither ports without a link nor a base port 0.
    const bool external = number > 0, linked = !known.peer.is_none();
    if (external ? !linked : node.type == fabric::NodeType::sw && !node.enhanced_port0) continue;
    const PortTables own =
        port_tables(vl_tables(options, class_of(node, number)), recording_.lanes[port], kEntries, kEntries);
    EXPECT_EQ(recording_.high[port], row_of(own.high, kEntries)) << port;
    EXPECT_EQ(recording_.low[port], row_of(own.low, kEntries)) << port;
    // Towards port 0, packets that come through other ports follow the map of switch ports.
    const PortTables through = port_tables(vl_tables(options, PortClass::switch_external),
                                           recording_.lanes[port], kEntries, kEntries);
    for (const auto& [inputs, row] : rows) {
      const bool of_switches = node.type == fabric::NodeType::sw && inputs != "0";
      EXPECT_EQ(row, row_of((of_switches ? through : own).sl2vl)) << port << " in " << inputs;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, OpenSmQos, testing::ValuesIn(case_names()),
                         [](const auto& test) { return test.param; });

TEST(OpenSmQosCases, AreManyAndDifferencesAreCases) {
  const auto names = case_names();
  EXPECT_GE(names.size(), 20U);
  for (const Difference& d : kDifferences)
    EXPECT_NE(std::find(names.begin(), names.end(), d.name), names.end()) << d.name;
}

/// What messages say that OpenSM does with values rch refuses.
TEST(OpenSmQosCases, BadTablesAreReadAsMessagesSay) {
  const Recording short_map = read_recording(kFolder / "differ_short_sl2vl/opensm.txt");
  EXPECT_EQ(short_map.sl2vl.at("host0/1").at(""), "0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,0");
  const Recording large_vl = read_recording(kFolder / "differ_vl_16/opensm.txt");
  EXPECT_EQ(large_vl.low.at("host0/1"), "0:4,1:44,0:0,0:0,0:0,0:0,0:0,0:0");
}

/// A few recordings once more against a live OpenSM.
TEST(OpenSmQosCases, RecordingsHold) {
  EXPECT_EQ(std::system(RCH_LAB "/record_qos --check every_ulp vl_classes"), 0);
}

}  // namespace
}  // namespace rch::policy::qos
