// Any bytes may be given as tables of ibdiagnet or of NVIDIA SM: the reader reports or reads them, hides what
// could be a key, and what it read is written and read back. A file is often right but for a few bytes, so
// the input also damages a sound one: two bytes of place, one of length, and what stands there instead.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "fabric_target.h"

namespace {

constexpr const char* kSound =
    "START_NODES\nNodeDesc,NumPorts,NodeType,SystemImageGUID,NodeGUID,PortGUID,DeviceID,revision,VendorID\n"
    "\"leaf\",3,2,0x10,0x10,0x10,54000,160,713\n\"host\",1,1,0x20,0x20,0x21,4129,0,713\nEND_NODES\n"
    "START_PORTS\nNodeGuid,PortGuid,PortNum,MKey,MSMLID,LID,LMC,LinkWidthActv,LinkSpeedActv,PortState,VLCap,"
    "MTUCap\n"
    "0x10,0x10,0,0x5ec2e7c0ffee,2,1,0,2,1,4,3,4\n0x10,0x10,1,0x5ec2e7c0ffee,0,0,0,2,2048,4,3,5\n"
    "0x20,0x21,1,0x5ec2e7c0ffee,2,2,1,2,2048,4,4,5\nEND_PORTS\n"
    "START_SWITCHES\nNodeGUID,MCastFDBCap,ENP0\n0x10,16383,1\nEND_SWITCHES\n"
    "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,1,0x20,1\nEND_LINKS\n"
    "START_PORT_HIERARCHY_INFO\nNodeGUID,PortNum,Label\n0x10,1,\"1/1\"\nEND_PORT_HIERARCHY_INFO\n";

std::string damaged(const std::uint8_t* data, std::size_t size) {
  std::string text = kSound;
  if (size < 3) return text;
  const std::size_t at = (data[0] * 256U + data[1]) % text.size();
  return text.replace(at, data[2], reinterpret_cast<const char*>(data + 3), size - 3);
}

void read(const std::string& text) {
  using namespace rch;
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add("input", text);
  const auto fabric = fabric::read_db_csv(sources, source, diagnostics);
  require(fabric.has_value() != diagnostics.has_errors());
  for (const Diagnostic& d : diagnostics.all()) {
    const std::string shown = render(d, sources);
    require(!shown.empty() && shown.find("5ec2e7c0") == std::string::npos);
  }
  if (!fabric) return;
  use(*fabric);
  std::ostringstream written;
  fabric::write_db_csv(*fabric, written);
  Diagnostics again;
  const auto back = fabric::read_db_csv(sources, sources.add("again", written.str()), again);
  require(back.has_value() && back->fingerprint() == fabric->fingerprint());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find("5ec2e7c0") == std::string::npos) {
    read(text);
    read(damaged(data, size));
  }
  return 0;
}
