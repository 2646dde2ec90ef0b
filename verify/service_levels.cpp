#include "verify/service_levels.h"

#include <algorithm>

#include "verify/given_sls.h"

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

bool are_given(const Context& context) {
  return context.options.path_sls && context.options.given != nullptr;
}

void SourceLevels::set(Lid lid) {
  lid_ = lid;
  if (context_.options.path_sls && !are_given(context_))
    service_levels(context_.fabric, context_.tables, lid, by_switch_);
}

std::uint8_t SourceLevels::of(const Source& source) const {
  if (are_given(context_)) return context_.options.given->at(source.port, lid_);
  return context_.options.path_sls ? by_switch_[source.sw.index()] : std::uint8_t{0};
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

BlockServiceLevels::BlockServiceLevels(const Context& context, const SwitchOrder& order,
                                       std::size_t most_columns)
    : context_(context), order_(order), pitch_(most_columns + EntryRows::kApart) {}

void BlockServiceLevels::set_column(Lid lid, std::vector<std::uint8_t>& levels) const {
  if (context_.options.path_sls)
    service_levels(context_.fabric, context_.tables, lid, levels);
  else
    levels.assign(context_.fabric.switch_count(), 0);
}

void BlockServiceLevels::set(std::span<const EntryColumn> columns) {
  common_ = context_.options.path_sls ? fabric::common_path_sl(context_.tables) : std::uint8_t{0};
  const bool all_hold = std::ranges::all_of(columns, [&](const EntryColumn& column) {
    return holds(context_.fabric, context_.tables, column.lid());
  });
  if (common_ && all_hold) {
    common_ = static_cast<std::uint8_t>(*common_ & 15U);
    return;
  }
  common_.reset();
  levels_.resize(order_.count() * pitch_);
  for (std::size_t first = 0; first < columns.size(); first += kTile) {
    const std::size_t count = std::min(kTile, columns.size() - first);
    for (std::size_t c = 0; c < count; ++c) set_column(columns[first + c].lid(), tile_[c]);
    turn_tile(first, count);
  }
}

/// Few switches at a time: their levels of all columns of the tile stay in the cache.
void BlockServiceLevels::turn_tile(std::size_t first, std::size_t count) {
  const auto switches = static_cast<std::uint32_t>(order_.count());
  for (std::uint32_t begin = 0; begin < switches; begin += kTile)
    for (std::uint32_t sw = begin; sw < std::min(begin + std::uint32_t{kTile}, switches); ++sw) {
      std::uint8_t* const to = levels_.data() + order_.at(SwitchId(sw)) * pitch_ + first;
      for (std::size_t c = 0; c < count; ++c) to[c] = tile_[c][sw];
    }
}

}  // namespace rch::verify
