#include "cli/target.h"

#include <malloc.h>

#include <filesystem>

#include "cli/fabric_folder.h"
#include "fabric/db_csv_file.h"
#include "fabric/formats.h"
#include "parsers/ibdm/topo_fabric.h"
#include "policy/build/mistaken.h"

namespace rch::cli {

Result<std::optional<hw::PortName>> live_port(const std::string& target) {
  if (target != "live" && !target.starts_with("live:")) return std::optional<hw::PortName>();
  auto port = hw::parse_live(target);
  if (!port) return tl::unexpected(port.error());
  return std::optional(std::move(*port));
}

namespace {

Result<std::optional<fabric::Fabric>> read_topo(SourceId topo, SourceSet& sources, Diagnostics& diagnostics) {
  parsers::ibdm::Library library;
  if (const auto done = parsers::ibdm::load_system_files(sources, library); !done)
    return tl::unexpected(done.error());
  return parsers::ibdm::read_topo(sources, topo, library, diagnostics);
}

Result<std::optional<fabric::Fabric>> read_one(const std::filesystem::path& file, SourceSet& sources,
                                               Diagnostics& diagnostics) {
  const auto source = fabric::load_fabric_text(sources, file);
  if (!source) return tl::unexpected(source.error());
  const std::size_t found_before = diagnostics.all().size();
  if (policy::report_mistaken(sources, *source, policy::GivenAs::fabric, diagnostics))
    return std::optional<fabric::Fabric>();
  auto fabric = parsers::ibdm::is_topo(sources.at(*source).text())
                    ? read_topo(*source, sources, diagnostics)
                    : fabric::read_fabric(sources, *source, diagnostics);
  if (diagnostics.all().size() == found_before) sources.forget(*source);
  malloc_trim(0);  // of a large fabric the text and what was read from it leave 80 MB of holes
  return fabric;
}

}  // namespace

Result<std::optional<fabric::Fabric>> read_fabric_file(const std::string& file, SourceSet& sources,
                                                       Diagnostics& diagnostics) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(file, ignored)) return read_one(file, sources, diagnostics);
  const auto files = fabric_files(file);
  if (!files) return tl::unexpected(files.error());
  auto fabric = read_one(files->front().path, sources, diagnostics);
  if (fabric && *fabric) report_folder(file, *files, **fabric, diagnostics);
  return fabric;
}

}  // namespace rch::cli
