#include "engines/file/file.h"
#include "engines/inputs.h"
#include "engines/opensm_compat/rules.h"
#include "engines/registry.h"

namespace rch::engines {

constexpr std::string_view kFileReads[] = {"lfts_file", "lid_matrix_dump_file", "hop_weights_file",
                                           "avoid_throttled_links"};

/// Loaded tables leave nothing to choose.
constexpr bool idle_with_tables(std::string_view key, const Setup& setup) {
  const bool of_dump = key == "lfts_file" || key == "lid_matrix_dump_file";
  return (setup.tables && !of_dump) || opensm_compat::ignores_throttled_links(key, setup);
}

constexpr Descriptor kFile{
    .name = "file",
    .summary = "tables or hop counts from dump files; as free of credit loops as the file",
    .reads = {kFileReads, kPortSelectionKeys},
    .is_idle = idle_with_tables,
    .in_nvidia_chains = false,
    .route = [](const fabric::SubFabric& view, const Inputs& in) {
      file::Options options{.lfts = in.lfts, .hops = in.hops, .ports = in.ports};
      options.ports.installed.reset();  // the files decide, whatever is installed
      return file::route(view, options);
    }};

}  // namespace rch::engines
