#include "parser_target.h"
#include "parsers/ibdm/assembly.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(
      data, size, [](const rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        const rch::parsers::ibdm::SystemFile file(sources, source);
        for (const rch::Diagnostic& d : file.findings().all())
          diagnostics.add(*d.rule, d.span, d.message) = d;
        if (!file.broken()) rch::parsers::ibdm::assemble(file, {}, diagnostics);
      });
}
