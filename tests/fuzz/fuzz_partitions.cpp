#include "parser_target.h"
#include "policy/build/partitions/build_partitions.h"
#include "policy/build/partitions/views.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(
      data, size, [](const rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        using namespace rch::policy;
        rch::SourceSet copy = sources;
        FileReader files(copy, diagnostics);
        Symbols symbols;
        GroupTable groups(symbols);
        const auto built = partitions::build_partitions(
            rch::parsers::partitions::parse(sources, source, diagnostics), {.files = files,
                                                                            .diagnostics = diagnostics,
                                                                            .symbols = symbols,
                                                                            .main = nullptr,
                                                                            .groups = &groups});
        partitions::known_partitions(built);
        partitions::sl_uses(built);
      });
}
