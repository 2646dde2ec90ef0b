#include "engines/file/file.h"
#include "engines/inputs.h"
#include "engines/registry.h"

namespace rch::engines {

constexpr std::string_view kFileReads[] = {"lfts_file", "lid_matrix_dump_file", "hop_weights_file",
                                           "avoid_throttled_links"};

constexpr Descriptor kFile{
    .name = "file",
    .summary = "tables or hop counts from dump files; as free of credit loops as the file",
    .reads = {kFileReads, kPortSelectionKeys},
    .in_nvidia_chains = false,
    .route = [](const fabric::SubFabric& view, const Inputs& in) {
      file::Options options{.lfts = in.lfts, .hops = in.hops, .ports = in.ports};
      options.ports.installed.reset();  // the files decide, whatever is installed
      return file::route(view, options);
    }};

}  // namespace rch::engines
