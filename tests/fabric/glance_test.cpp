// What a look at a fabric file tells, so that two files of a folder can be compared.

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "fabric/formats.h"
#include "fabric/glance.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

void expect_counts(const Glance& seen, const Fabric& fabric, Format format) {
  EXPECT_EQ(seen.format, format);
  EXPECT_EQ(seen.switches, fabric.switch_count());
  EXPECT_EQ(seen.others, fabric.nodes().size() - fabric.switch_count());
}

TEST(Glance, CountsTheNodesOfEveryForm) {
  for (const char* name : {"multi", "torus2d-6x5", "ftree3-k6-esp0"}) {
    const Fabric fabric = golden_net(name);
    std::ostringstream tables;
    write_db_csv(fabric, tables);
    expect_counts(glance(tables.str()), fabric, Format::db_csv);
    expect_counts(glance(to_net(fabric)), fabric, Format::ibnetdiscover);
  }
  expect_counts(glance(golden_text("cases/multi/minhop/opensm-subnet.lst")), golden_net("multi"),
                Format::subnet_lst);
  expect_counts(glance(golden_text("diags/speeds.ibnetdiscover.txt")), golden_net("speeds"),
                Format::ibnetdiscover);
}

TEST(Glance, DatesAreThoseOfComments) {
  const std::string net = to_net(golden_net("multi"));
  EXPECT_EQ(glance(net).date, "");
  EXPECT_EQ(glance("#\n# Topology file: generated on Sun Feb  1 09:00:00 2026\n#\n" + net).date,
            "2026-02-01");
  EXPECT_EQ(glance("# Topology file: generated on Sat Nov 28 23:59:59 2026\n" + net).date, "2026-11-28");
  EXPECT_EQ(glance("# Timestamp: 2026-01-31 10:00:00 UTC +0000\nSTART_NODES\nEND_NODES\n").date,
            "2026-01-31");
  EXPECT_EQ(glance("# Running command: ibdiagnet -o may-2026-1-x\nSTART_NODES\nEND_NODES\n").date, "");
}

// Tables of switches begin as their nodes do in ibnetdiscover text.
TEST(Glance, TablesAreNoFabric) {
  EXPECT_EQ(glance(golden_text("cases/multi/minhop/opensm.mcfdbs")).format, Format::unknown);
  EXPECT_EQ(glance(golden_text("cases/multi/minhop/opensm.fdbs")).format, Format::unknown);
  EXPECT_EQ(glance(golden_text("cases/multi/minhop/guid2lid")).format, Format::unknown);
  EXPECT_EQ(glance("\nSwitch 0x0002c90200400000\nLID    : Out Port(s)\n0xC000 : 0x001\n").format,
            Format::unknown);
}

}  // namespace
}  // namespace rch::fabric::test
