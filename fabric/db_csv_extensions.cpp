// Sections of ibdiagnet 2 about what PortInfo and NodeInfo do not have: labels, FNM ports, planes.

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/db_csv_draft.h"
#include "fabric/db_csv_rules.h"

namespace rch::fabric {
namespace {

enum LabelColumn : std::size_t { kLabelNode, kLabelPort, kLabelShort, kLabelLong };
constexpr CsvColumn kLabelColumns[] = {
    {"NodeGUID", {}, true}, {"PortNum", {}, true}, {"Label"}, {"ExtendedLabel"}};

enum SpecialColumn : std::size_t { kSpecialNode, kSpecialPort, kSpecialManagement };
constexpr CsvColumn kSpecialColumns[] = {{"NodeGUID", {}, true}, {"PortNum", {}, true}, {"IsFNMPort"}};

enum ChipColumn : std::size_t { kChipNode, kChipPlanes };
constexpr CsvColumn kChipColumns[] = {{"NodeGUID", {}, true}, {"AsicMaxPlanes"}};

/// Many devices do not know these fields, so `N/A` is nothing to report.
bool says_nothing(std::string_view field) { return field.empty() || field == "N/A" || field == "-1"; }

}  // namespace

void read_special_ports(TablesDraft& tables) {
  tables.for_each_row("EXTENDED_PORT_INFO", kSpecialColumns, [&](const CsvRows& rows) {
    if (!rows.has(kSpecialManagement) || says_nothing(rows.text(kSpecialManagement))) return;
    if (rows.number(kSpecialManagement, 0xFF).value_or(0) == 0) return;
    if (const auto at = tables.place(rows, kSpecialNode, kSpecialPort)) tables.seen(*at).management = true;
  });
}

void read_labels(TablesDraft& tables) {
  tables.for_each_row("PORT_HIERARCHY_INFO", kLabelColumns, [&](const CsvRows& rows) {
    const std::string_view label =
        says_nothing(rows.text(kLabelShort)) ? rows.text(kLabelLong) : rows.text(kLabelShort);
    if (says_nothing(label)) return;
    if (const auto at = tables.place(rows, kLabelNode, kLabelPort)) tables.set_label(*at, label);
  });
}

void read_chips(TablesDraft& tables) {
  std::size_t chips = 0;
  Span first;
  tables.for_each_row("EXTENDED_NODE_INFO", kChipColumns, [&](const CsvRows& rows) {
    if (!rows.has(kChipPlanes) || says_nothing(rows.text(kChipPlanes))) return;
    if (rows.number(kChipPlanes, 0xFF).value_or(0) <= 1 || !tables.node(rows, kChipNode)) return;
    if (chips++ == 0) first = rows.span();
  });
  if (chips == 0) return;
  tables.report()
      .add(kPlanes, first,
           fmt::format("{} of several planes: each is a node of its own", counted(chips, "switch chip")))
      .hint = "form not confirmed: compare the number of switches with what the subnet manager shows";
}

}  // namespace rch::fabric
