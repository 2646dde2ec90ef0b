// Certificates as a text. What is read is written so that it reads back as the same, and any order may be
// checked.

#include "certificate/certificate.h"
#include "fabric_target.h"
#include "support/small_fabrics.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  static const fabric::Fabric fabric = test::build(test::clos(2, 2, 2));
  fabric::RoutingTables tables;
  tables.lfts = fabric::ForwardingTables(fabric.switch_count(), fabric.max_lid());
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = certificate::from_text(fabric, text);
  if (!read) {
    require(!read.error().message.empty());
    return 0;
  }
  const std::string written = certificate::to_text(fabric, *read);
  require(certificate::to_text(fabric, certificate::from_text(fabric, written).value()) == written);
  (void)certificate::check({.fabric = fabric, .tables = tables}, *read);
  return 0;
}
