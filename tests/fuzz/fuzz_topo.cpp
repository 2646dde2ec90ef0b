#include "parser_target.h"
#include "parsers/ibdm/topo_fabric.h"

namespace {

/// The types that the corpus uses: boards with a variant, boards in boards, hosts.
constexpr const char* kBox = R"(SYSTEM LEAF
NODE SW 8 MT47396 U1
  1 -4x-5G-> P1
  2 -> P2
  3 -12x-> UP
SYSTEM LEAF:12x
NODE SW 8 MT47396 U1
  1 -12x-> P1
SYSTEM RACK
SUBSYSTEM LEAF leaf1
  P1 -> P1
  UP -> leaf2 UP
SUBSYSTEM LEAF leaf2
  P1 -> P2
TOPSYSTEM Box,Crate
SUBSYSTEM RACK rack
  P1 -> L1/P1
  P2 -> L1/P2
SUBSYSTEM LEAF leaf1
  P1 -> L2/P1
  P2 -> L2/P2
)";
constexpr const char* kHost = "TOPSYSTEM Host\nNODE HCA 2 MT23108 U1\n  1 -> P1\n  2 -> P2\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(data, size,
                         [](rch::SourceSet& sources, rch::SourceId source, rch::Diagnostics& diagnostics) {
                           rch::parsers::ibdm::Library library;
                           library.add(sources, sources.add("box", kBox));
                           library.add(sources, sources.add("host", kHost));
                           rch::parsers::ibdm::read_topo(sources, source, library, diagnostics);
                         });
}
