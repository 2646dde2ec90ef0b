#include "fabric/generator.h"
#include "parser_target.h"
#include "policy/bind/bind.h"
#include "policy/build/groups/groups.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto fabric = std::make_shared<const rch::fabric::Fabric>(
      rch::fabric::generate({.shape = rch::fabric::Clos{2, 2}})->fabric);
  return rch::try_parser(
      data, size, [](const rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
        rch::policy::Symbols symbols;
        rch::policy::GroupTable groups(symbols);
        groups.add(rch::parsers::port_groups::parse(sources, source, diagnostics), diagnostics);
        groups.resolve(diagnostics);
        if (diagnostics.has_errors()) return;
        const auto policy = std::make_shared<rch::policy::Policy>();
        policy->groups = groups.take();
        rch::policy::bind(policy, fabric, diagnostics);
      });
}
