#include "engines/pqft/pqft.h"
#include "engines/registry.h"
#include "engines/tree/lists_of.h"

namespace rch::engines {

constexpr std::string_view kPqftReads[] = {"root_guid_file", "cn_guid_file", "io_guid_file",
                                           "pqft_structure"};

constexpr Descriptor kPqft{
    .name = "pqft",
    .summary = "parallel and quasi fat trees by a formula, damaged ones too: no credit loops",
    .reads = {kPqftReads},
    .route = [](const fabric::SubFabric& view, const Inputs& in) {
      return pqft::route(
          view,
          {.lists = tree::lists_of(in), .structure = in.pqft_structure, .installed = in.ports.installed});
    }};

}  // namespace rch::engines
