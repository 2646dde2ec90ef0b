#pragma once

#include "engines/descriptor.h"
#include "engines/inputs.h"
#include "policy/model/policy.h"

namespace rch::chains {

/// What a step says to its engine: the options and files that the engine reads. `files` are those of the
/// step, bound to a fabric: there are no groups among their entries. They must outlive the result. `qos` is
/// of the main options. Installed tables and initial loads are left to the caller.
engines::Inputs engine_inputs(const engines::Descriptor& engine, const policy::Step& step,
                              const policy::StepFiles& files, const policy::QosOptions& qos);

}  // namespace rch::chains
