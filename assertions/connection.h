#pragma once

#include <span>
#include <string>

#include "fabric/fabric.h"

namespace rch::assertions {

/// A cable between switches without which two of these end ports are in parts that no cable joins, in words;
/// empty if there is none. Ports that nothing joins as it is, or that hang on no switch, are told in its
/// place.
std::string cut_by_a_cable(const fabric::Fabric& fabric, std::span<const PortId> between);
/// The same of a switch. Its own hosts do not count.
std::string cut_by_a_switch(const fabric::Fabric& fabric, std::span<const PortId> between);

}  // namespace rch::assertions
