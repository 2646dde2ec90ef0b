// Files of assertions, judged on tables without entries.

#include "assertions/judge.h"
#include "parser_target.h"
#include "support/small_fabrics.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  static const fabric::Fabric fabric = test::build(test::clos(2, 2, 2));
  fabric::RoutingTables tables;
  tables.lfts = fabric::ForwardingTables(fabric.switch_count(), fabric.max_lid());
  const assertions::Subject subject{
      .fabric = fabric,
      .tables = tables,
      .why_unproven = [] { return std::string("it is empty"); },
      .read_plan = [](const std::string&) -> Result<assertions::Subject::Other> {
        return fail(ErrorKind::usage, "no plan");
      }};
  return try_parser(data, size, [&](SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
    const auto file = parsers::assertions::parse(sources, source, diagnostics);
    if (diagnostics.has_errors()) return;
    if (file.tests.empty()) std::abort();
    if (assertions::judge(file, subject, diagnostics).size() != file.tests.size()) std::abort();
  });
}
