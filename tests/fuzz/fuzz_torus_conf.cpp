#include "engines/torus_2qos/discovery.h"
#include "fabric/generator.h"
#include "parser_target.h"
#include "policy/build/torus/torus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto made = rch::fabric::generate({.shape = rch::fabric::Grid{{{3, true}, {3, true}}},
                                                  .switch_guid = rch::Guid(1),
                                                  .host_guid = rch::Guid(1000)});
  return rch::try_parser(
      data, size, [](const rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        const auto conf = rch::policy::build_torus(
            rch::parsers::torus_conf::parse(sources, source, diagnostics), source, diagnostics);
        if (diagnostics.has_errors()) return;
        const rch::fabric::SubFabric view(made->fabric);
        (void)rch::engines::torus_2qos::discover_torus(view, {conf.shape});
        (void)rch::engines::torus_2qos::ring_lengths(view, {conf.shape});
      });
}
