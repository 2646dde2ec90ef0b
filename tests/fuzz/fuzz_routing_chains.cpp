#include "parser_target.h"
#include "parsers/routing_chains/routing_chains.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rch::try_parser(data, size, rch::parsers::routing_chains::parse);
}
