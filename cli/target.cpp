#include "cli/target.h"

#include "fabric/formats.h"

namespace rch::cli {

Result<std::optional<hw::PortName>> live_port(const std::string& target) {
  if (target != "live" && !target.starts_with("live:")) return std::optional<hw::PortName>();
  auto port = hw::parse_live(target);
  if (!port) return tl::unexpected(port.error());
  return std::optional(std::move(*port));
}

Result<std::optional<fabric::Fabric>> read_fabric_file(const std::string& file, SourceSet& sources,
                                                       Diagnostics& diagnostics) {
  const auto source = sources.load(file);
  if (!source) return tl::unexpected(source.error());
  return fabric::read_fabric(sources, *source, diagnostics);
}

}  // namespace rch::cli
