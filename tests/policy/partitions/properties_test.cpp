// Random partition files: however they are written they mean the same, and what they mean is what a plain
// simulation of "the last item that names a port decides" says.

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "reading.h"
#include "support/property.h"

namespace rch::policy::partitions {
namespace {

constexpr std::string_view kCaPorts[] = {"0x10000001", "0x10000002", "0x10000011", "0x10000012",
                                         "0x10000021", "0x10000022", "0x10000031", "0x10000032"};
constexpr std::string_view kSwitches[] = {"0x200000", "0x200001", "0x200002"};
constexpr std::string_view kSm = kCaPorts[0];

std::set<std::string_view> ports_of(std::string_view who) {
  std::set<std::string_view> ports;
  if (who == "SELF") return {kSm};
  if (who == "ALL" || who == "ALL_CAS") ports.insert(std::begin(kCaPorts), std::end(kCaPorts));
  if (who == "ALL" || who == "ALL_SWITCHES") ports.insert(std::begin(kSwitches), std::end(kSwitches));
  if (who.starts_with("0x")) ports.insert(who);
  return ports;
}

struct Item {
  std::string_view who, membership;
};
struct Part {
  int pkey;
  std::vector<Item> items;
};

rc::Gen<Part> any_part() {
  static const std::vector<std::string_view> whos = [] {
    std::vector<std::string_view> all = {"ALL", "ALL_CAS", "ALL_SWITCHES", "ALL_ROUTERS", "SELF", "NONE"};
    all.insert(all.end(), std::begin(kCaPorts), std::end(kCaPorts));
    all.insert(all.end(), std::begin(kSwitches), std::end(kSwitches));
    return all;
  }();
  static const std::vector<std::string_view> memberships = {"full", "limited", "both", ""};
  const auto item = rc::gen::apply(
      [](std::string_view who, std::string_view m) {
        return Item{who, m};
      },
      rc::gen::elementOf(whos), rc::gen::elementOf(memberships));
  return rc::gen::apply(
      [](int pkey, std::vector<Item> items) {
        return Part{pkey, std::move(items)};
      },
      rc::gen::element(1, 2, 0x100, 0x7FFF), rc::gen::container<std::vector<Item>>(item));
}

/// One statement a line, or spread over lines with blanks and comments.
std::string write(const std::vector<Part>& parts, bool plain) {
  std::string text;
  const auto gap = [&] {
    static const std::vector<std::string> gaps = {"", " ", "\t", "  "};
    return plain ? std::string() : *rc::gen::elementOf(gaps);
  };
  const auto separator = [&] {
    static const std::vector<std::string> separators = {",", "\n", " ,\n", ", # a comment = with : and ;\n",
                                                        ",,"};
    return plain ? std::string(",") : *rc::gen::elementOf(separators);
  };
  for (const Part& part : parts) {
    text += gap() + fmt::format("P{}", part.pkey) + gap() + "=" + gap() + fmt::format("{:#x}", part.pkey) +
            gap() + ":";
    for (const Item& item : part.items) {
      text += gap() + std::string(item.who);
      if (!item.membership.empty()) text += gap() + "=" + gap() + std::string(item.membership);
      text += gap() + separator();
    }
    text += " NONE ;" + gap() + (plain ? "\n" : *rc::gen::element<std::string>("", "\n"));
  }
  return text;
}

/// Memberships (bit 0 limited, bit 1 full) by P_Key and port.
std::map<int, std::map<std::string_view, int>> simulate(const std::vector<Part>& parts, bool both) {
  std::map<int, std::map<std::string_view, int>> in_table;
  for (const std::string_view port : ports_of("ALL")) in_table[0x7FFF][port] = 1;
  in_table[0x7FFF][kSm] = 2;
  for (const Part& part : parts)
    for (const Item& item : part.items)
      for (const std::string_view port : ports_of(item.who))
        in_table[part.pkey][port] = item.membership == "full"           ? 2
                                    : item.membership == "both" && both ? 3
                                    : item.membership == "both"         ? 2
                                                                        : 1;
  return in_table;
}

TEST(RandomPartitions, MeanWhatTheLastItemsSay) {
  EXPECT_TRUE(test::check("last item wins", [] {
    const auto parts = *rc::gen::container<std::vector<Part>>(any_part());
    RC_PRE(!parts.empty());
    const bool both = *rc::gen::arbitrary<bool>();
    const Reading reading(write(parts, true), both ? "allow_both_pkeys TRUE\n" : "allow_both_pkeys FALSE\n");
    RC_ASSERT(!reading.diagnostics().has_errors());
    const fabric::Fabric& fabric = lab_fabric();
    const PKeyTables tables = lay_out(reading.partitions(), {fabric, *fabric.origin(), {}});
    std::map<int, std::map<std::string, int>> seen;
    for (std::size_t i = 0; i < tables.ports.size(); ++i)
      for (const std::uint16_t key : tables.of(i))
        if (key != 0)
          seen[key & 0x7FFF][fmt::format("{:#x}", fabric.port(tables.ports[i]).guid.value)] |=
              (key & kMembershipBit) != 0 ? 2 : 1;
    std::map<int, std::map<std::string, int>> expected;
    for (const auto& [pkey, ports] : simulate(parts, both))
      for (const auto& [port, membership] : ports) expected[pkey][std::string(port)] = membership;
    RC_ASSERT(seen == expected);
  }));
}

TEST(RandomPartitions, MeanTheSameHoweverTheyAreWritten) {
  EXPECT_TRUE(test::check("layout of the text does not matter", [] {
    const auto parts = *rc::gen::container<std::vector<Part>>(any_part());
    RC_PRE(!parts.empty());
    const std::string text = write(parts, false);
    const Reading plain(write(parts, true)), spread(text);
    RC_LOG() << text;
    RC_ASSERT(!spread.diagnostics().has_errors());
    RC_ASSERT(laid_out(spread.partitions()) == laid_out(plain.partitions()));
  }));
}

/// Pieces that mean something here, put together at random.
const std::vector<std::string> kPieces = {"Default",
                                          "P",
                                          "=",
                                          "0x10",
                                          "0x7fff",
                                          "0x8001",
                                          ",",
                                          ":",
                                          ";",
                                          "\n",
                                          " ",
                                          "\t",
                                          "#",
                                          "ipoib",
                                          "indx0",
                                          "defmember",
                                          "full",
                                          "limi",
                                          "both",
                                          "mtu",
                                          "rate=7",
                                          "sl=1",
                                          "scope=5",
                                          "mgid",
                                          "mgid=",
                                          "ff12:401b::1",
                                          "ff15::7",
                                          "MGID=",
                                          "ALL",
                                          "ALL_CAS",
                                          "SELF",
                                          "NONE",
                                          "ALL_VCAS",
                                          "A",
                                          "0x1000001",
                                          "000000000010",
                                          "group",
                                          "Q_Key=",
                                          "tclass",
                                          "\r\n",
                                          "\xE2\x80\x93",
                                          "\xEF\xBB\xBF",
                                          std::string(1, '\0'),
                                          "mtu=4 :"};

TEST(RandomPartitions, AnyTextIsRead) {
  EXPECT_TRUE(test::check("pieces in any order", [] {
    std::string text;
    for (const auto& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
      text += piece;
    const Reading reading(text), again(text);
    RC_ASSERT(reading.report() == again.report());
    for (const Diagnostic& d : reading.diagnostics().all())
      RC_ASSERT(d.span.begin <= d.span.end && d.span.end <= text.size());
    laid_out(reading.partitions());
  }));
}

TEST(RandomPartitions, ABadStatementCostsItself) {
  EXPECT_TRUE(test::check("a statement with a mistake among others", [] {
    const auto bad = *rc::gen::elementOf(
        std::vector<std::string>{"Bad=0x99999 : 0x11=full ;\n", "Bad 0x11=full ;\n", "Bad=0x50 : A=full ;\n",
                                 "Bad=0x50 :\n mgid=hello\n ALL ;\n", "Bad=0x50, speed=4 : 0x11=full ;\n",
                                 "Bad=0x50 : defmember=full : 0x11 ;\n", "Bad=0x50 : 0x1g ;\n",
                                 "Bad=0x50\n : 0x11 ;\n", "stray words\n"});
    const auto count = *rc::gen::inRange(1, 6), at = *rc::gen::inRange(0, count);
    std::string text;
    for (int i = 0; i < count; ++i) {
      if (i == at) text += bad;
      text += fmt::format("Good{}={} : 0x10000001=full ;\n", i, i + 1);
    }
    const Reading reading(text);
    RC_ASSERT(reading.diagnostics().count(Severity::error) == 1U);
    for (int i = 0; i < count; ++i)
      RC_ASSERT(reading.partitions().find(PKey(static_cast<std::uint16_t>(i + 1))) != nullptr);
  }));
}

}  // namespace
}  // namespace rch::policy::partitions
