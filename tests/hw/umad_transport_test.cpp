#include "hw/umad_transport.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace rch::hw {
namespace {

TEST(ParseLive, TakesCaAndPort) {
  EXPECT_EQ(parse_live("live")->ca, "");
  EXPECT_EQ(parse_live("live")->port, 0);
  EXPECT_EQ(parse_live("live:mlx5_0")->ca, "mlx5_0");
  EXPECT_EQ(parse_live("live:0x0002c90300010005")->guid, Guid(0x0002c90300010005));
  EXPECT_EQ(parse_live("live:mlx5_0:2")->ca, "mlx5_0");
  EXPECT_EQ(parse_live("live:mlx5_0:2")->port, 2);
}

TEST(ParseLive, RefusesAnythingElse) {
  for (const char* text : {"liv", "lively", "live:mlx5_0:", "live:mlx5_0:two", "live:mlx5_0:255",
                           "live:a:1:2", "live:0x", "live:0x0", "live:0x1:1"}) {
    const auto name = parse_live(text);
    ASSERT_FALSE(name) << text;
    EXPECT_EQ(name.error().kind, ErrorKind::usage);
  }
  EXPECT_EQ(parse_live("live:a:x").error().message,
            "`live:a:x` does not name a port: expected `live[:ca[:port]]` or `live:GUID`");
}

TEST(UmadTransport, ADeviceWithoutRightsIsNamed) {
  const auto refuse = [](const std::string&) { return EACCES; };
  EXPECT_EQ(device_without_rights("/dev/infiniband/issm3", refuse), "/dev/infiniband/umad3");
  EXPECT_EQ(device_without_rights("/dev/infiniband/issm3", [](const std::string&) { return ENOENT; }), "");
  EXPECT_EQ(device_without_rights("", refuse), "") << "there is no such port";
}

}  // namespace
}  // namespace rch::hw
