#include "fabric/generator.h"

#include <utility>

#include "fabric/assemble.h"
#include "fabric/shuffle.h"

namespace rch::fabric {

Result<Generated> generate(const GeneratorOptions& options) {
  if (std::string why = objection(options.shape); !why.empty()) return fail(ErrorKind::usage, std::move(why));
  if (options.parallel == 0 || options.parallel > Assembly::kMaxPorts || options.hosts > Assembly::kMaxPorts)
    return fail(ErrorKind::usage, fmt::format("{} parallel cables and {} hosts a switch are out of range",
                                              options.parallel, options.hosts));
  Assembly assembly(options);
  std::visit([&](const auto& topology) { assemble(topology, assembly); }, options.shape);
  auto fabric = std::move(assembly).build();
  if (fabric && options.shuffle) fabric = shuffled(*fabric, *options.shuffle);
  if (fabric && options.equipment.any()) fabric = equipped(*fabric, options);
  if (!fabric) return tl::unexpected(fabric.error());
  Generated generated{std::move(*fabric), {}};
  if (std::holds_alternative<Grid>(options.shape)) {
    auto conf = torus_conf(options, generated.fabric);
    if (!conf) return tl::unexpected(conf.error());
    generated.torus_conf = std::move(*conf);
  }
  return generated;
}

}  // namespace rch::fabric
