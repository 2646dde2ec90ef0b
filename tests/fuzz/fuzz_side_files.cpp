// The first byte tells which side file the rest is: `0` roots, `1` GUIDs … in the order of Dialect.

#include "parser_target.h"
#include "policy/build/side_files/side_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  using policy::Dialect;
  if (size == 0) return 0;
  constexpr int kCount = static_cast<int>(Dialect::topo_config) - static_cast<int>(Dialect::roots) + 1;
  const auto dialect =
      static_cast<Dialect>(static_cast<int>(Dialect::roots) + (data[0] + 256 - '0') % kCount);
  return try_parser(data + 1, size - 1, [&](SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
    policy::FileReader files(sources, diagnostics);
    policy::Symbols symbols;
    policy::GroupTable groups(symbols);
    policy::build_side_file(source, {dialect}, {files, diagnostics, symbols, nullptr, &groups});
    for (const Diagnostic& d : diagnostics.all())
      for (const Edit& edit : d.fixes)
        if (edit.span.begin > edit.span.end || edit.span.end > size - 1) std::abort();
  });
}
