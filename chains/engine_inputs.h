#pragma once

#include <vector>

#include "chains/chain.h"
#include "engines/common/port_selection/port_options.h"
#include "engines/dfsssp/dfsssp.h"
#include "engines/tree/tree.h"
#include "engines/updn/updn.h"
#include "policy/model/policy.h"

namespace rch::chains {

// What the options and files of a step are to engines. Files are bound to a fabric: there are no groups among
// their entries.

engines::common::PortOptions port_options(const StepInput& input);
/// Of engines that keep what is in force.
engines::common::PortOptions keeping_port_options(const StepInput& input);
engines::dfsssp::Options dfsssp_options(const StepInput& input);
engines::tree::Lists tree_lists(const policy::StepFiles& files);
std::vector<engines::updn::Root> updn_roots(const policy::StepFiles& files);
std::vector<engines::updn::SwitchNumber> switch_numbers(const policy::StepFiles& files);

}  // namespace rch::chains
