#include "dumps/settings.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

#include "dumps/rules.h"
#include "fabric/db_csv_codes.h"
#include "fabric/db_csv_rows.h"

namespace rch::dumps {
namespace {

using fabric::CsvColumn;
using fabric::CsvRows;

enum PortSetting : std::size_t { kOfNode, kNumber, kState, kWidth, kSpeed, kMtu, kOpVls, kIn, kOut };
constexpr CsvColumn kPortSettings[] = {{"NodeGUID", {}, true},
                                       {"PortNum", {}, true},
                                       {"PortState"},
                                       {"LinkWidthActv"},
                                       {"LinkSpeedActv"},
                                       {"NMTU"},
                                       {"OpVLs"},
                                       {"PartEnfInb"},
                                       {"PartEnfOutb"}};

enum SwitchSetting : std::size_t { kOfSwitch, kTop };
constexpr CsvColumn kSwitchSettings[] = {{"NodeGUID", {}, true}, {"LinearFDBTop"}};

constexpr std::uint64_t kHighestCode = 5;  // of an MTU, and of a number of VLs

/// The rows of the sections that tell settings. What a device did not answer is unknown; whoever reads the
/// fabric of the file reports that.
class SettingsReader {
 public:
  SettingsReader(SourceSet& sources, SourceId source, fabric::Reporter& report)
      : sources_(sources),
        source_(source),
        report_(report),
        sections_(fabric::find_sections(sources.at(source).text(), source)) {}

  SettingsDump read() {
    for_each_row("PORTS", kPortSettings, CsvRows::Secrets::columns,
                 [&](const CsvRows& rows) { take_port(rows); });
    for_each_row("SWITCHES", kSwitchSettings, CsvRows::Secrets::none,
                 [&](const CsvRows& rows) { take_switch(rows); });
    return std::move(dump_);
  }

 private:
  template <class Row>
  void for_each_row(std::string_view name, std::span<const CsvColumn> columns, CsvRows::Secrets secrets,
                    Row&& row) {
    const fabric::CsvSection* const section = sections_.find(name);
    if (section == nullptr) return;
    CsvRows rows(sources_, source_, *section, report_, columns, secrets);
    while (rows.usable() && rows.next()) row(std::as_const(rows));
  }

  static std::uint64_t told(const CsvRows& rows, std::size_t column, std::uint64_t most) {
    return rows.has(column) && !rows.says_nothing(column) ? rows.number(column, most).value_or(0) : 0;
  }
  static std::optional<bool> flag(const CsvRows& rows, std::size_t column) {
    if (!rows.has(column) || rows.says_nothing(column)) return std::nullopt;
    const auto value = rows.number(column, 1);
    return value ? std::optional(*value != 0) : std::nullopt;
  }

  void take_port(const CsvRows& rows) {
    const auto node = rows.needed_guid(kOfNode);
    const auto number = rows.needed_number(kNumber, 254);
    if (!node || !number) return;
    SettingsDump::Port port{.node = *node,
                            .number = PortNum(static_cast<std::uint8_t>(*number)),
                            .line = rows.span(kOfNode),
                            .checks_in = flag(rows, kIn),
                            .checks_out = flag(rows, kOut)};
    const bool is_down =
        rows.has(kState) && fabric::state_from_csv(rows.text(kState)) == fabric::PortState::down;
    if (!is_down) {  // the other fields of a port that is down are those of an earlier link
      port.width = fabric::width_from_csv(rows.text(kWidth)).value_or(fabric::LinkWidth::unknown);
      port.speed = fabric::speed_from_csv(rows.text(kSpeed)).value_or(fabric::LinkSpeed::unknown);
      port.mtu = static_cast<std::uint8_t>(told(rows, kMtu, kHighestCode));
      port.op_vls = static_cast<std::uint8_t>(told(rows, kOpVls, kHighestCode));
    }
    dump_.ports.push_back(port);
  }

  void take_switch(const CsvRows& rows) {
    const auto sw = rows.needed_guid(kOfSwitch);
    if (!sw || !rows.has(kTop) || rows.says_nothing(kTop)) return;
    const auto top = rows.number(kTop, 0xFFFF);
    if (top) dump_.switches.push_back({*sw, rows.span(kTop), Lid(static_cast<std::uint16_t>(*top))});
  }

  SourceSet& sources_;
  SourceId source_;
  fabric::Reporter& report_;
  fabric::CsvSections sections_;
  SettingsDump dump_;
};

}  // namespace

std::optional<SettingsDump> read_settings(SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  auto adaptive = read_adaptive_settings(sources, source, diagnostics);
  if (!adaptive) return std::nullopt;
  fabric::Reporter report(diagnostics);
  SettingsDump dump = SettingsReader(sources, source, report).read();
  report.finish();
  if (report.failed()) return std::nullopt;
  dump.adaptive = std::move(*adaptive);
  return dump;
}

}  // namespace rch::dumps
