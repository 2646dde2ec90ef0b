#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "policy/build/options/option_file.h"
#include "policy/model/vl_tables.h"

namespace rch::policy::qos {

/// The tables of one class of ports and where they come from.
struct ClassTables {
  const PortClassInfo* info;
  VlTables tables;
  const Setting* high = nullptr;  ///< null: the built-in table
  const Setting* low = nullptr;
  const Setting* sl2vl = nullptr;
  const Setting* max_vls = nullptr;
  const Setting* max_op_vls = nullptr;  ///< null: the default
  std::uint8_t op_vls = 5;              ///< code
};

/// The tables of one class; ports between switches only if the file has options for them.
std::optional<ClassTables> class_tables(const OptionFile& main, PortClass port_class);

}  // namespace rch::policy::qos
