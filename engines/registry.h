#pragma once

#include <span>
#include <string_view>

#include "engines/descriptor.h"

namespace rch::engines {

// Each is defined in the descriptor.cpp of its engine's folder.
extern const Descriptor kMinhop;
extern const Descriptor kUpdn;
extern const Descriptor kDnup;
extern const Descriptor kFtree;
extern const Descriptor kDor;
extern const Descriptor kTorus2Qos;
extern const Descriptor kPqft;
extern const Descriptor kDfsssp;
extern const Descriptor kSssp;
extern const Descriptor kFile;
extern const Descriptor kArMinhop;
extern const Descriptor kArUpdn;
extern const Descriptor kArFtree;
extern const Descriptor kArDor;
extern const Descriptor kArTorus;

/// The engines of rch, in the order `rch show engines` prints them. The first one routes when none is named.
std::span<const Descriptor* const> all_engines();

/// Engines of OpenSM and NVIDIA SM that rch does not have.
std::span<const Descriptor> absent_engines();

/// The engine of rch that comes nearest to one that it does not have; empty if none does.
std::string_view substitute_for(std::string_view absent);

/// Searches both; null if nobody has an engine of that name.
const Descriptor* find_engine(std::string_view name);

/// The first engine that reads an option; null for options that are not an engine's, which concern all.
const Descriptor* first_reader(std::string_view key);

}  // namespace rch::engines
