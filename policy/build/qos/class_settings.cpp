#include "policy/build/qos/class_settings.h"

#include <algorithm>
#include <string>

namespace rch::policy::qos {
namespace {

/// Keys of NVIDIA SM that set the VLs of one kind of node.
std::string_view own_max_op_vls(PortClass port_class) {
  switch (port_class) {
    case PortClass::ca:
      return "max_op_vls_ca";
    case PortClass::router:
      return "max_op_vls_rtr";
    default:
      return "max_op_vls_sw";
  }
}

/// The setting that decides a field: the class's own, that of switches for ports between them, the common
/// one.
const Setting* deciding(const OptionFile& main, const PortClassInfo& info, std::string_view field) {
  const auto find = [&](std::string_view prefix) {
    return main.find(std::string(prefix) + std::string(field));
  };
  const Setting* setting = find(info.prefix);
  if (setting == nullptr && info.port_class == PortClass::switch_to_switch) setting = find("qos_swe_");
  return setting != nullptr ? setting : find("qos_");
}

bool mentions(const OptionFile& main, std::string_view prefix) {
  return std::any_of(main.settings.begin(), main.settings.end(),
                     [&](const Setting& s) { return s.key->name.starts_with(prefix) && !s.unset; });
}

}  // namespace

std::optional<ClassTables> class_tables(const OptionFile& main, PortClass port_class) {
  const PortClassInfo& info = port_classes()[static_cast<std::size_t>(port_class)];
  if (port_class == PortClass::switch_to_switch && !mentions(main, info.prefix)) return std::nullopt;
  ClassTables found{&info, vl_tables(main.options, port_class)};
  found.high = deciding(main, info, "vlarb_high");
  found.low = deciding(main, info, "vlarb_low");
  found.sl2vl = deciding(main, info, "sl2vl");
  found.max_vls = deciding(main, info, "max_vls");
  found.max_op_vls = main.find(own_max_op_vls(port_class));
  if (found.max_op_vls == nullptr) found.max_op_vls = main.find("max_op_vls");
  if (found.max_op_vls != nullptr)
    if (const auto* code = std::get_if<std::uint64_t>(&found.max_op_vls->meaning))
      found.op_vls = static_cast<std::uint8_t>(std::clamp<std::uint64_t>(*code, 1, 5));
  return found;
}

}  // namespace rch::policy::qos
