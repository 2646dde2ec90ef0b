#include "verify/service_levels.h"

#include <algorithm>

namespace rch::verify {
namespace {

bool holds(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, Lid lid) {
  return tables.lfts.switch_count() >= fabric.switch_count() && lid.index() < tables.lfts.stride();
}

}  // namespace

void service_levels(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, Lid lid,
                    std::vector<std::uint8_t>& out) {
  if (tables.steps.empty() || !holds(fabric, tables, lid)) {
    out.assign(fabric.switch_count(), 0);
    return;
  }
  fabric::path_sls_to(fabric, tables, lid, out);
  for (std::uint8_t& sl : out) sl &= 15U;
}

void service_levels(const Context& context, Lid lid, std::vector<std::uint8_t>& out) {
  if (context.options.path_sls)
    service_levels(context.fabric, context.tables, lid, out);
  else
    out.assign(context.fabric.switch_count(), 0);
}

SlSet group_sls(const fabric::RoutingTables& tables) {
  SlSet sls = sl_bit(0);  // of tables without groups
  for (const fabric::MulticastGroup& group : tables.groups) sls = static_cast<SlSet>(sls | sl_bit(group.sl));
  return sls;
}

SlSet expected_sls(const fabric::RoutingTables& tables) {
  // base with each subset of the bits that dimensions and borders may set.
  const auto add_subsets = [](SlSet& sls, unsigned base, unsigned bits) {
    for (unsigned subset = bits;; subset = (subset - 1) & bits) {
      sls = static_cast<SlSet>(sls | sl_bit(static_cast<std::uint8_t>(base | subset)));
      if (subset == 0) break;
    }
  };
  unsigned border = 0;
  for (const fabric::RoutedStep& step : tables.steps) border |= step.sl.border & 15U;
  SlSet sls = group_sls(tables);
  for (const fabric::RoutedStep& step : tables.steps) {
    unsigned bits = border;
    for (const fabric::SlRule::Dimension& d : step.sl.dimensions) bits |= (1U << d.bit) & 15U;
    add_subsets(sls, step.sl.base & 15U, bits);
  }
  return sls;
}

void BlockServiceLevels::set(const Context& context, std::span<const EntryColumn> columns) {
  const auto lid = [](const EntryColumn& column) { return column.members.front().lid; };
  // Not a power of two: the columns of one switch would share one set of the cache.
  pitch_ = context.fabric.switch_count() + 64;
  common_ = context.options.path_sls ? fabric::common_path_sl(context.tables) : std::uint8_t{0};
  if (common_ && std::ranges::all_of(columns, [&](const EntryColumn& column) {
        return holds(context.fabric, context.tables, lid(column));
      })) {
    common_ = static_cast<std::uint8_t>(*common_ & 15U);
    return;
  }
  common_.reset();
  levels_.resize(columns.size() * pitch_);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    service_levels(context, lid(columns[c]), one_);
    std::ranges::copy(one_, levels_.begin() + static_cast<std::ptrdiff_t>(c * pitch_));
  }
}

}  // namespace rch::verify
