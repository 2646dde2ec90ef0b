#pragma once

#include <string>

#include "chain_fixture.h"

namespace rch::test {

/// What ibdmchk says of the dump files of a folder. It crashes at the end of every run, so its text counts
/// and not its exit status (ibdmchk(1)).
std::string ibdmchk(const ScratchFolder& folder, const std::string& arguments);

}  // namespace rch::test
