#include "hw/umad_transport.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

#include "hw/local_ports.h"

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

LocalPort local_port(std::string ca, int number) {
  LocalPort port;
  port.ca = std::move(ca);
  port.number = number;
  port.linked = port.active = true;
  return port;
}

std::string chosen(const std::vector<LocalPort>& ports) {
  const auto port = choose_port(ports);
  return port ? name_of(*port) : port.error().message;
}

TEST(ChoosePort, TakesTheFirstThatIsAsGood) {
  EXPECT_EQ(chosen({local_port("mlx5_0", 1), local_port("mlx5_0", 2), local_port("mlx5_1", 1)}),
            "`mlx5_0` port 1");
}

/// libibumad takes the Ethernet port here: it looks at states alone.
TEST(ChoosePort, TakesAnInfiniBandPortThatNoManagerHasSeenRatherThanEthernet) {
  LocalPort ethernet = local_port("bnxt_re0", 1), fresh = local_port("mlx5_0", 1);
  ethernet.infiniband = fresh.active = false;
  ethernet.active = true;
  EXPECT_EQ(chosen({ethernet, fresh}), "`mlx5_0` port 1");
}

TEST(ChoosePort, PrefersPortsThatMayHaveAManagerAndAreActive) {
  LocalPort disabled = local_port("mlx5_0", 1), fresh = local_port("mlx5_1", 1),
            down = local_port("mlx5_2", 1);
  disabled.sm_disabled = true;
  fresh.active = down.active = down.linked = false;
  EXPECT_EQ(chosen({down, disabled, fresh}), "`mlx5_1` port 1");
  EXPECT_EQ(chosen({down, disabled}), "`mlx5_0` port 1");
  EXPECT_EQ(chosen({fresh, local_port("mlx5_3", 2)}), "`mlx5_3` port 2");
}

TEST(ChoosePort, SaysOfEachPortWhyItIsNotTaken) {
  LocalPort ethernet = local_port("bnxt_re0", 1), down = local_port("mlx5_0", 1);
  ethernet.infiniband = down.linked = false;
  EXPECT_EQ(
      chosen({ethernet, down}),
      "this machine has no InfiniBand port with a link: `bnxt_re0` port 1 is an Ethernet port, `mlx5_0` port "
      "1 has no link");
  EXPECT_EQ(chosen({}), "this machine has no InfiniBand port");
}

}  // namespace
}  // namespace rch::hw
