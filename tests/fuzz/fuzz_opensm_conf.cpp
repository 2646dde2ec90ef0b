#include "parser_target.h"
#include "policy/build/options/option_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(
      data, size, [](const rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        rch::policy::read_main_options(rch::parsers::opensm_conf::parse(sources, source, diagnostics),
                                       nullptr, sources, diagnostics);
      });
}
