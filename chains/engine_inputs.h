#pragma once

#include <vector>

#include "engines/common/port_options.h"
#include "engines/dfsssp/dfsssp.h"
#include "engines/tree/tree.h"
#include "engines/updn/updn.h"
#include "policy/policy.h"

namespace rch::chains {

// What the options and files of a step are to engines. `files` are the step's, bound to a fabric: there are
// no groups among their entries.

engines::common::PortOptions port_options(const policy::Step& step, const policy::StepFiles& files);
engines::dfsssp::Options dfsssp_options(const policy::Step& step, const policy::StepFiles& files);
engines::tree::Lists tree_lists(const policy::StepFiles& files);
std::vector<engines::updn::Root> updn_roots(const policy::StepFiles& files);
std::vector<engines::updn::SwitchNumber> switch_numbers(const policy::StepFiles& files);

}  // namespace rch::chains
