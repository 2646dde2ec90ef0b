#include "parser_target.h"
#include "policy/torus/torus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(
      data, size, [](const rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        rch::policy::build_torus(rch::parsers::torus_conf::parse(sources, source, diagnostics), source,
                                 diagnostics);
      });
}
