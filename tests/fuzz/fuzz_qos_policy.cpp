#include "parser_target.h"
#include "policy/build/qos/build_qos.h"

/// Text to policy with some partitions and without, then queries of the result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(
      data, size, [](rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        namespace qos = rch::policy::qos;
        const auto syntax = rch::parsers::qos_policy::parse(sources, source, diagnostics);
        rch::policy::Symbols symbols;
        rch::policy::GroupTable groups(symbols);
        rch::policy::FileReader files(sources, diagnostics);
        const qos::KnownPartition partitions[] = {{0x10, "Storage", 1}, {0x7FFF, "Default", {}}};
        const qos::KnownPartitions known = partitions;
        for (const bool with : {true, false}) {
          const rch::policy::BuildContext context{files, diagnostics, symbols, nullptr,
                                                  with ? &groups : nullptr};
          const auto policy = qos::build_qos(syntax, source, with ? &known : nullptr, context);
          if (!policy.levels.empty()) qos::match(policy, {5, 1, 0x10, {}, {}});
        }
      });
}
