#include "parser_target.h"
#include "policy/build/rch_file/rch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(
      data, size, [](const rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        rch::policy::build_settings(rch::parsers::rch_yaml::parse(sources, source, diagnostics), diagnostics);
      });
}
