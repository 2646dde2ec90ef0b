#include "parser_target.h"
#include "policy/build/enhanced_qos/build_enhanced_qos.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(
      data, size, [](rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        namespace enhanced_qos = rch::policy::enhanced_qos;
        rch::policy::Symbols symbols;
        rch::policy::GroupTable groups(symbols);
        rch::policy::FileReader files(sources, diagnostics);
        const rch::policy::BuildContext context{files, diagnostics, symbols, nullptr, &groups};
        const auto policy = enhanced_qos::build_enhanced_qos(
            rch::parsers::enhanced_qos::parse(sources, source, diagnostics), context);
        enhanced_qos::check_sls(policy, {}, diagnostics);
        enhanced_qos::port_rates(policy, rch::Guid(1), {});
        enhanced_qos::vport_rates(policy, rch::Guid(1), true);
      });
}
