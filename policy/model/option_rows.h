#pragma once

#include "policy/model/option_table.h"

namespace rch::policy {

/// A part of the option table as it is written.
struct RowSection {
  std::string_view title;
  std::span<const OptionKey> rows;
  std::string_view reason;  ///< of rows without effect that have none of their own
  Maker maker;              ///< nvidia: of all rows
  Concern concern;          ///< of rows that name no other
};
std::span<const RowSection> opensm_rows();
std::span<const RowSection> nvidia_rows();

/// The options of one class of ports, each without its prefix.
struct QosRows {
  std::string_view prefix;
  std::span<const OptionKey> rows;
  std::string_view other_prefix = {};  ///< people write it in place of `prefix`
  Maker maker = Maker::opensm;
};
std::span<const QosRows> qos_rows();

}  // namespace rch::policy
