// Every finding of the readers, as a whole message.

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "fabric/formats.h"
#include "fabric/rules.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

using namespace std::string_view_literals;

struct Case {
  const char* name;
  std::string_view text;  ///< may hold NUL
  const char* findings;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr Case kCases[] = {
    {"Empty", "  \n\n", R"(net:1:1: error: the file is empty [fabric-empty]
    1 |   
      | ^
)"},
    {"ByteOrderMark", "\xEF\xBB\xBFSwitch 1 \"a\"\n[1] \"b\"[1]\n\nSwitch 1 \"b\"\n[1] \"a\"[1]\n",
     "net:1:1: warning: the file starts with a byte order mark [fabric-byte-order-mark]\n"
     "    1 | \xEF\xBB\xBFSwitch 1 \"a\"\n"
     R"(      | ^~~
      = hint: save the file without it
)"},
    {"NulByte", "Switch 1 \"a\"\n\0\nand all that follows\n"sv,
     R"(net:2:1: error: NUL byte in the text [fabric-nul-byte]
    2 | ?
      | ^
      = hint: the file is damaged; write it again
)"},
    {"OnlyComments", "# Topology file: generated on Monday\n#\n",
     R"(net:1:1: error: the file holds no node [fabric-empty]
    1 | # Topology file: generated on Monday
      | ^
)"},
    {"ForeignFile", "hello\nworld\n",
     R"(net:1:1: error: this is no fabric in any known form [fabric-unknown-format]
    1 | hello
      | ^
      = hint: known are ibnetdiscover text, ibdiagnet's db_csv, net_dump and list of links, opensm-subnet.lst, opensm-smdb.dump, ibutils' topology files and rch's own snapshot
)"},
    {"DamagedHeader",
     "switchguid=0x10\nSwitch 2 \"S-0000000000000010\"\n[1] \"S-0000000000000020\"[1]\n[2] "
     "\"S-0000000000000020\"[2]\n\n"
     "switchguid=0x20\nSwitch2 \"S-0000000000000020\"\n[1] \"S-0000000000000010\"[1]\n[2] "
     "\"S-0000000000000010\"[2]\n",
     R"(net:7:1: error: this line is neither a node, a port nor an attribute of a node [fabric-unknown-line]
    7 | Switch2 "S-0000000000000020"
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
      = hint: start comments with `#`
)"},
    {"MissingHeader",
     "switchguid=0x10\nSwitch 2 \"S-0000000000000010\"\n[1] \"S-0000000000000020\"[1]\n[2] "
     "\"S-0000000000000020\"[2]\n\n"
     "switchguid=0x20\n[1] \"S-0000000000000010\"[1]\n[2] \"S-0000000000000010\"[2]\n",
     R"(net:7:1: error: this port line belongs to no node [fabric-stray-line]
    7 | [1] "S-0000000000000010"[1]
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~
net:6:1: the node that this line describes is missing
    6 | switchguid=0x20
      | ^~~~~~~~~~~~~~~
      = hint: put it under the line of its node
)"},
    {"UnknownLine", "Switch 2 \"a\"\n[1] \"b\"[1]\nlink 3\n\nSwitch 2 \"b\"\n[1] \"a\"[1]\n",
     R"(net:3:1: error: this line is neither a node, a port nor an attribute of a node [fabric-unknown-line]
    3 | link 3
      | ^~~~~~
      = hint: start comments with `#`
)"},
    {"Include", "include \"other.net\"\nSwitch 2 \"a\"\n",
     R"(net:1:1: error: `include` is not supported [fabric-unsupported-line]
    1 | include "other.net"
      | ^~~~~~~~~~~~~~~~~~~
      = hint: let the simulator load the file, and save what ibnetdiscover shows of it
)"},
    {"StrayPort", "vendid=0x2c9\n[1] \"b\"[1]\nSwitch 2 \"a\"\n",
     R"(net:2:1: error: this port line belongs to no node [fabric-stray-line]
    2 | [1] "b"[1]
      | ^~~~~~~~~~
net:1:1: the node that this line describes is missing
    1 | vendid=0x2c9
      | ^~~~~~~~~~~~
      = hint: put it under the line of its node
)"},
    {"GuidSaidInTwoWays",
     "caguid=0x10\nCa 1 \"H-0000000000000010\"\n[1](11) \"S-0000000000000020\"[1]\n\n"
     "switchguid=0x21\nSwitch 2 \"S-0000000000000020\"\n[1] \"H-0000000000000010\"[1](12)\n",
     R"(net:6:1: warning: the id `S-0000000000000020` names another GUID than the line `switchguid`: 0x0000000000000021 is used [fabric-guid-differs]
    6 | Switch 2 "S-0000000000000020"
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
net:5:1: said here
    5 | switchguid=0x21
      | ^~~~~~~~~~~~~~~
net:7:25: warning: port 1 of `H-0000000000000010` has the GUID 0x0000000000000012 here, and 0x0000000000000011 in its own record: the latter is used [fabric-guid-differs]
    7 | [1] "H-0000000000000010"[1](12)
      |                         ^~~
net:2:1: its record
    2 | Ca 1 "H-0000000000000010"
      | ^~~~~~~~~~~~~~~~~~~~~~~~~
)"},
    {"BadNumbers",
     "vendid=0x2c9z\nSwitch 300 \"a\"\n[x] \"b\"[1]\n[1] \"b\"[\n[2](zz) \"b\"[3]\n\nSwitch 2 \"b\" # \"b\" "
     "base port 0 lid "
     "70000 lmc 9\n[1] \"b\"[2] w=77\n[2] \"b\"[1]\n",
     R"(net:1:8: error: a number up to 0xffffff is expected [fabric-bad-number]
    1 | vendid=0x2c9z
      |        ^~~~~~
net:2:8: error: the number of ports must be 1-254 [fabric-bad-number]
    2 | Switch 300 "a"
      |        ^~~
net:3:1: error: a port number in brackets is expected [fabric-bad-number]
    3 | [x] "b"[1]
      | ^
net:4:8: error: a port number in brackets is expected [fabric-bad-number]
    4 | [1] "b"[
      |        ^
net:5:4: error: the port GUID in parentheses cannot be read [fabric-bad-number]
    5 | [2](zz) "b"[3]
      |    ^
net:7:36: error: the lid must be 0-49151 [fabric-bad-number]
    7 | Switch 2 "b" # "b" base port 0 lid 70000 lmc 9
      |                                    ^~~~~
net:7:46: error: the lmc must be 0-7 [fabric-bad-number]
    7 | Switch 2 "b" # "b" base port 0 lid 70000 lmc 9
      |                                              ^
net:8:12: error: the value of `w=` must be 0-31 [fabric-bad-number]
    8 | [1] "b"[2] w=77
      |            ^~~~
)"},
    {"ManyPeersMissing",
     "Switch 4 \"a\"\n[1] \"b\"[1]\n[2] \"c\"[1]\n[3] \"d\"[1]\n[4] \"e\"[1]\n\nSwitch 2 \"b\"\n[2] "
     "\"f\"[1]\n",
     R"(net:3:5: error: 4 nodes to which links lead are missing, such as `c` [fabric-truncated]
    3 | [2] "c"[1]
      |     ^~~
      = hint: write the file again; it may be cut short
)"},
    {"CutOffInALine", "Switch 2 \"a\"\n[1] \"b\"[1]\n[2] \"c\"[1]\n\nSwitch 2 \"b\"\n[1] \"a\"[1",
     R"(net:6:1: error: the last line has no line end, so the file may be cut short [fabric-truncated]
    6 | [1] "a"[1
      | ^~~~~~~~~
      = hint: write the file again; if it is complete, end its last line
)"},
    {"CutOffInARecord",
     "Switch 3 \"a\"\n[1] \"b\"[1]\n[2] \"b\"[2]\n[3] \"c\"[1]\n\nSwitch 2 \"b\"\n[1] "
     "\"a\"[1]\n\nvendid=0x2c9\n",
     R"(net:9:1: error: the node that this line describes is missing [fabric-truncated]
    9 | vendid=0x2c9
      | ^~~~~~~~~~~~
      = hint: write the file again; it may be cut short
)"},
    {"NoId", "Switch 4\n[1] \"b\"[1]\n", R"(net:1:1: error: the node has no id in quotes [fabric-bad-node]
    1 | Switch 4
      | ^~~~~~~~
      = hint: write it as `Switch 36 "name"`
)"},
    {"SwitchWithGuidZero", "switchguid=0x0\nSwitch 1 \"s\"\n",
     R"(net:2:1: error: `s` has the GUID 0 [fabric-bad-node]
    2 | Switch 1 "s"
      | ^~~~~~~~~~~~
net:1:1: said here
    1 | switchguid=0x0
      | ^~~~~~~~~~~~~~
      = hint: the firmware of the device holds no GUID, or the file was damaged; write the node's own in `switchguid=0x...`, or take the node and its links out
)"},
    {"PortsWithGuidZero",
     "switchguid=0x7(0)\nSwitch 1 \"s\"\n[1] \"h\"[1](0)\n\ncaguid=0x9\nCa 1 \"h\"\n[1](0) \"s\"[1]\n",
     R"(net:1:15: warning: the port GUID of this node is 0 [fabric-zero-port-guid]
    1 | switchguid=0x7(0)
      |               ^~~
      = hint: write the GUID of port 0 of the switch
net:7:4: warning: port 1 of `h` has the GUID 0 [fabric-zero-port-guid]
    7 | [1](0) "s"[1]
      |    ^~~
      = hint: write the GUID of the port, as `ibstat` shows it on its host
)"},
    {"RouterWithoutGuid", "Rt 1 \"r\"\n", R"(net:1:1: error: `r` has no GUID [fabric-bad-node]
    1 | Rt 1 "r"
      | ^~~~~~~~
      = hint: write a line `rtguid=0x...` before it
)"},
    {"NoPeer", "Switch 4 \"a\"\n[1] b[1]\n",
     R"(net:2:4: error: the peer's id in quotes is missing [fabric-bad-link]
    2 | [1] b[1]
      |    ^~~~~
      = hint: write it as `[1] "peer"[2]`
)"},
    {"UnknownRate",
     "Switch 1 \"a\"\n[1] \"b\"[1] # \"b\" lid 0 4xABC\n\nSwitch 1 \"b\"\n[1] \"a\"[1] # \"a\" lid 0 4xQDR\n",
     R"(net:2:24: warning: `4xABC` is no known link width and speed [fabric-unknown-rate]
    2 | [1] "b"[1] # "b" lid 0 4xABC
      |                        ^~~~~
      = hint: words such as `4xQDR` are known, up to `XDR`
)"},
    {"NoCommonRate", "Switch 1 \"a\"\n[1] \"b\"[1] w=8\n\nSwitch 1 \"b\"\n[1] \"a\"[1]\n",
     R"(net:2:1: error: the ends enable no common width: widths 0x8 and 0x2, speeds 0x1 and 0x1 [fabric-no-common-rate]
    2 | [1] "b"[1] w=8
      | ^~~~~~~~~~~~~~
net:5:1: the other end
    5 | [1] "a"[1]
      | ^~~~~~~~~~
      = hint: give both ends the same `w=` and `s=`; without them a port enables 4x (2) and SDR (1)
)"},
    {"DuplicateId", "Switch 1 \"a\"\n\nSwitch 2 \"a\"\n",
     R"(net:3:1: error: there is a node with the id `a` already [fabric-duplicate-id]
    3 | Switch 2 "a"
      | ^~~~~~~~~~~~
net:1:1: first used here
    1 | Switch 1 "a"
      | ^~~~~~~~~~~~
)"},
    {"DuplicateGuid", "switchguid=0x5\nSwitch 1 \"a\"\n\nswitchguid=0x5\nSwitch 2 \"b\"\n",
     R"(net:5:1: error: `b` has the node GUID 0x0000000000000005 of `a` [fabric-duplicate-guid]
    5 | Switch 2 "b"
      | ^~~~~~~~~~~~
net:2:1: first used here
    2 | Switch 1 "a"
      | ^~~~~~~~~~~~
      = hint: give one of the two nodes another GUID
)"},
    {"DuplicatePortGuid",
     "switchguid=0x100\nSwitch 2 \"s\"\n[1] \"a\"[2]\n[2] \"b\"[1]\n\ncaguid=0x5\nCa 2 \"a\"\n[2] "
     "\"s\"[1]\n\n"
     "caguid=0x6\nCa 1 \"b\"\n[1] \"s\"[2]\n",
     R"(net:11:1: error: port 1 of `b` (0x0000000000000006) has the port GUID 0x0000000000000007 of `a` (0x0000000000000005) [fabric-duplicate-guid]
   11 | Ca 1 "b"
      | ^~~~~~~~
net:7:1: first used here
    7 | Ca 2 "a"
      | ^~~~~~~~
)"},
    {"ForeignLine",
     "umad: bad status 110\nswitchguid=0x100\nSwitch 1 \"s\"\n[1] \"a\"[1]\n\ncaguid=0x5\nCa 1 \"a\"\n[1] "
     "\"s\"[1]\n",
     R"(net:1:1: warning: this line above the nodes is not ibnetdiscover's; it is skipped [fabric-foreign-line]
    1 | umad: bad status 110
      | ^~~~~~~~~~~~~~~~~~~~
      = hint: if a program reported an error there, the file may lack nodes
)"},
    {"PortOutOfRange", "Switch 1 \"a\"\n[2] \"b\"[1]\n\nSwitch 1 \"b\"\n[1] \"a\"[2]\n",
     R"(net:2:1: error: `a` (0x0000000000200000) has no port 2, only 1-1 [fabric-port-out-of-range]
    2 | [2] "b"[1]
      | ^~~~~~~~~~
net:1:1: said to have 1 ports
    1 | Switch 1 "a"
      | ^~~~~~~~~~~~
net:5:8: error: `a` (0x0000000000200000) has no port 2, only 1-1 [fabric-port-out-of-range]
    5 | [1] "a"[2]
      |        ^~~
net:1:1: said to have 1 ports
    1 | Switch 1 "a"
      | ^~~~~~~~~~~~
)"},
    {"PortUsedTwice", "Switch 2 \"a\"\n[1] \"b\"[1]\n[1] \"b\"[2]\n\nSwitch 2 \"b\"\n[1] \"a\"[1]\n",
     R"(net:3:1: error: port 1 of `a` (0x0000000000200000) has two links [fabric-port-used-twice]
    3 | [1] "b"[2]
      | ^~~~~~~~~~
net:2:1: first used here
    2 | [1] "b"[1]
      | ^~~~~~~~~~
)"},
    {"UnknownPeer", "Switch 2 \"a\"\n[1] \"b\"[1]\n",
     R"(net:2:5: error: there is no node with the id `b` [fabric-unknown-peer]
    2 | [1] "b"[1]
      |     ^~~
      = hint: check the id; if records are missing, the file was cut short
)"},
    {"OriginIsMissing", "# Initiated from node 0000000000000001 port 0000000000000002\nSwitch 2 \"a\"\n",
     R"(net:1:45: error: the file was made at port 0x0000000000000002, which it does not hold [fabric-unknown-peer]
    1 | # Initiated from node 0000000000000001 port 0000000000000002
      |                                             ^~~~~~~~~~~~~~~~
      = hint: if records are missing, the file was cut short; else remove this comment
)"},
    {"OneSided", "Switch 2 \"a\"\n[1] \"b\"[1]\n\nSwitch 2 \"b\"\n",
     R"(net:2:1: error: port 1 of `b` (0x0000000000200001) does not name port 1 of `a` (0x0000000000200000) as its peer [fabric-one-sided-link]
    2 | [1] "b"[1]
      | ^~~~~~~~~~
net:4:1: the peer's record
    4 | Switch 2 "b"
      | ^~~~~~~~~~~~
      = hint: name the link from both ends; if lines are missing here, the file was cut short
)"},
    {"EndsDisagree",
     "Switch 2 \"a\"\n[1] \"b\"[1]\n[2] \"b\"[2]\n\nSwitch 2 \"b\"\n[1] \"a\"[2]\n[2] \"a\"[2]\n",
     R"(net:2:1: error: port 1 of `a` (0x0000000000200000) leads to port 1 of `b` (0x0000000000200001), which leads elsewhere [fabric-ends-disagree]
    2 | [1] "b"[1]
      | ^~~~~~~~~~
net:6:1: port 1 of `b` (0x0000000000200001) leads to port 2 of `a` (0x0000000000200000)
    6 | [1] "a"[2]
      | ^~~~~~~~~~
net:6:1: error: port 1 of `b` (0x0000000000200001) leads to port 2 of `a` (0x0000000000200000), which leads elsewhere [fabric-ends-disagree]
    6 | [1] "a"[2]
      | ^~~~~~~~~~
net:3:1: port 2 of `a` (0x0000000000200000) leads to port 2 of `b` (0x0000000000200001)
    3 | [2] "b"[2]
      | ^~~~~~~~~~
)"},
    {"LinkedToItself", "Switch 2 \"a\"\n[1] \"a\"[1]\n",
     R"(net:2:1: error: port 1 of `a` (0x0000000000200000) is linked to itself [fabric-ends-disagree]
    2 | [1] "a"[1]
      | ^~~~~~~~~~
)"},
    {"LidConflict",
     "Switch 2 \"a\" # \"a\" base port 0 lid 4 lmc 0\n[1] \"b\"\n\nSwitch 2 \"b\" # \"b\" base port 0 lid 4 "
     "lmc "
     "0\n[1] \"a\"\n",
     R"(net:4:1: warning: LID 4 of port 0 of `b` (0x0000000000200001) also belongs to `a` (0x0000000000200000) [fabric-lid-conflict]
    4 | Switch 2 "b" # "b" base port 0 lid 4 lmc 0
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
net:1:1: the node that keeps it
    1 | Switch 2 "a" # "a" base port 0 lid 4 lmc 0
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
)"},
    {"Unlinked", "Switch 2 \"a\"\n",
     R"(net:1:1: warning: `a` (0x0000000000200000) has no link [fabric-unlinked-node]
    1 | Switch 2 "a"
      | ^~~~~~~~~~~~
      = hint: if its links are missing here, the file was cut short
)"},
    {"CutInALine", "Switch 2 \"a\" # \"a\" base port 0 lid 1",
     R"(net:1:1: error: the last line has no line end, so the file may be cut short [fabric-truncated]
    1 | Switch 2 "a" # "a" base port 0 lid 1
      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      = hint: write the file again; if it is complete, end its last line
)"},
    {"CutBeforeANode", "Switch 2 \"a\"\n\nvendid=0x2c9\nswitchguid=0x5\n",
     R"(net:3:1: error: the node that this line describes is missing [fabric-truncated]
    3 | vendid=0x2c9
      | ^~~~~~~~~~~~
      = hint: write the file again; it may be cut short
)"},
    {"BadSnapshot", "rch fabric 2\nnot at all a snapshot\n",
     R"(error: `net`: the snapshot is truncated or damaged: its checksum does not match [fabric-bad-snapshot]
)"},
};

class ReaderErrors : public testing::TestWithParam<Case> {};

TEST_P(ReaderErrors, AreReportedInFull) {
  EXPECT_EQ(read_text(std::string(GetParam().text)).findings, GetParam().findings);
}

INSTANTIATE_TEST_SUITE_P(Cases, ReaderErrors, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(ReaderErrors, GoOnAfterAMistake) {
  const Reading r =
      read_text("Switch 2 \"a\"\n[1] \"b\"[9]\nwhat\n\nSwitch 2 \"b\"\n[3] \"a\"[1]\n\nCa x \"c\"\n");
  EXPECT_EQ(r.rules, (std::vector<std::string>{"fabric-unknown-line", "fabric-port-out-of-range",
                                               "fabric-bad-number", "fabric-port-out-of-range"}));
}

TEST(ReaderErrors, OneKindIsNotRepeatedForEver) {
  std::string text = "Switch 1 \"b\"\n\nSwitch 200 \"a\"\n";
  for (int p = 1; p <= 200; ++p) text += fmt::format("[{}] \"b\"[{}]\n", p, p + 1);
  const Reading r = read_text(text);
  ASSERT_EQ(r.rules.size(), 21u);
  EXPECT_EQ(r.rules.back(), "fabric-more-findings");
  EXPECT_TRUE(
      r.findings.ends_with("note: 180 more findings of `fabric-port-out-of-range` [fabric-more-findings]\n"))
      << r.findings;
}

// A file cut anywhere is an error, or still says all that it said. A node alone is all that may be left with
// a warning.
void expect_no_silent_cut(const std::string& text, std::size_t step) {
  const Reading whole = read_text(text);
  ASSERT_TRUE(whole.fabric) << whole.findings;
  for (std::size_t size = 0; size < text.size(); size += step) {
    const Reading cut = read_text(text.substr(0, size));
    if (!cut.fabric || cut.rules == std::vector<std::string>{"fabric-unlinked-node"}) continue;
    EXPECT_EQ(cut.fabric->fingerprint(), whole.fabric->fingerprint()) << "cut at " << size;
    EXPECT_EQ(difference(*cut.fabric, *whole.fabric), "") << "cut at " << size;
  }
}

TEST(Truncation, OfIbnetdiscoverTextIsNoticed) {
  expect_no_silent_cut(golden_text("net/ibsim-net.2sw2path4hca.net"), 1);
  expect_no_silent_cut(golden_text("diags/speeds.ibnetdiscover.txt"), 1);
  expect_no_silent_cut(golden_text("net/multi.net"), 1);
  expect_no_silent_cut(golden_text("net/torus2d-6x5.net"), 7);
}

TEST(Truncation, OfADbCsvIsNoticed) {
  std::ostringstream text;
  write_db_csv(golden_net("multi"), text);
  expect_no_silent_cut(text.str(), 1);
}

TEST(Truncation, OfASnapshotIsNoticed) { expect_no_silent_cut(write_snapshot(golden_net("multi")), 1); }

// A list that was cut at a line end may look like one that names each link once, which is warned of.
TEST(Truncation, OfASubnetListIsNoticed) {
  const std::string text = golden_text("cases/multi/minhop/opensm-subnet.lst");
  const std::string whole = read_text(text).fabric->fingerprint();
  std::size_t warned = 0;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Reading cut = read_text(text.substr(0, size));
    if (!cut.fabric || cut.fabric->fingerprint() == whole) continue;
    EXPECT_EQ(cut.rules, std::vector<std::string>{"fabric-links-listed-once"}) << "cut at " << size;
    ++warned;
  }
  EXPECT_LT(warned, 15u);
}

TEST(Rules, EveryOneHasAnExample) {
  std::set<std::string> seen{"fabric-more-findings"};
  for (const Case& c : kCases)
    for (const std::string& rule : read_text(std::string(c.text)).rules) seen.insert(rule);
  seen.insert({"fabric-node-differs", "fabric-links-listed-once"});  // subnet_lst_test.cpp
  std::set<std::string> registered;
  for (const Rule* rule : rules()) {
    // The readers of tables, of guid2lid, of neighbors and of ibdiagnet's files have tests of their own.
    if (rule->name.starts_with("dump-") || rule->name.starts_with("guid2lid-")) continue;
    if (rule->name.starts_with("neighbors-") || rule->name.starts_with("db-csv-")) continue;
    if (rule->name.starts_with("folder-") || rule->name == "fabric-unconfirmed-form") continue;
    EXPECT_TRUE(registered.insert(std::string(rule->name)).second) << rule->name;
    EXPECT_FALSE(rule->summary.empty());
  }
  EXPECT_EQ(seen, registered);
}

}  // namespace
}  // namespace rch::fabric::test
