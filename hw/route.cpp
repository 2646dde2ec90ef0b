#include "hw/route.h"

namespace rch::hw {

std::string to_string(const Route& route) {
  std::string text = "0";
  for (std::size_t hop = 1; hop <= route.hops; ++hop) text += "," + std::to_string(route.ports[hop]);
  return text;
}

}  // namespace rch::hw
