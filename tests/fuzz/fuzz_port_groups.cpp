#include "parser_target.h"
#include "policy/groups/groups.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(
      data, size, [](const rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        rch::policy::Symbols symbols;
        rch::policy::GroupTable groups(symbols);
        groups.add(rch::parsers::port_groups::parse(sources, source, diagnostics), diagnostics);
        groups.resolve(diagnostics);
      });
}
