// What a service manager is told, on a socket of the test's own.

#include "cli/notifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace rch::cli {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

hw::TimePoint at(int ms) { return hw::TimePoint(milliseconds{ms}); }

class NotifierTest : public testing::Test {
 protected:
  NotifierTest() : path(testing::TempDir() + "notify." + std::to_string(getpid())) { listen(path); }
  ~NotifierTest() override {
    close(descriptor);
    unlink(path.c_str());
  }
  void listen(const std::string& name) {
    descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name.front() == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    ASSERT_EQ(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size), 0);
  }
  std::vector<std::string> told() const {
    std::vector<std::string> all;
    char buffer[512];
    for (ssize_t size = 0; (size = recv(descriptor, buffer, sizeof buffer, 0)) >= 0;)
      all.emplace_back(buffer, static_cast<std::size_t>(size));
    return all;
  }
  void turn(Notifier& notifier, int ms) const {
    notifier.turn(at(ms), [this] { return status; });
  }

  const std::string path;
  int descriptor = -1;
  std::string status = "state master";
};

TEST_F(NotifierTest, SaysOnceThatItIsReadyAndWhatItDoesWhenThatChanges) {
  Notifier notifier(path, std::nullopt);
  EXPECT_THAT(told(), ElementsAre());
  turn(notifier, 1000);
  EXPECT_THAT(told(), ElementsAre("READY=1", "STATUS=state master"));
  turn(notifier, 2000);
  EXPECT_THAT(told(), ElementsAre());
  status = "degraded\nSTOPPING=1";
  turn(notifier, 3000);
  EXPECT_THAT(told(), ElementsAre("STATUS=degraded STOPPING=1")) << "a status is no other message";
  status = "state standby";
  turn(notifier, 3001);
  EXPECT_THAT(told(), ElementsAre()) << "not more often than twice a second";
  notifier.begin_reload(at(3500));
  notifier.end_reload();
  EXPECT_THAT(told(), ElementsAre("RELOADING=1\nMONOTONIC_USEC=3500000", "READY=1"));
  notifier.stopping();
  notifier.stopping();
  EXPECT_THAT(told(), ElementsAre("STOPPING=1"));
}

TEST_F(NotifierTest, FeedsTheWatchdogAtHalfItsTime) {
  Notifier notifier(path, milliseconds{1000});
  EXPECT_LE(notifier.longest_wait(), milliseconds{500});
  std::vector<int> fed;
  for (int ms = 5000; ms <= 7000; ms += 100) {
    turn(notifier, ms);
    if (const auto all = told(); std::ranges::count(all, "WATCHDOG=1") > 0) fed.push_back(ms);
  }
  EXPECT_THAT(fed, ElementsAre(5000, 5500, 6000, 6500, 7000));
}

// A full socket takes nothing and holds nobody up; what counts is sent when it takes datagrams again.
TEST_F(NotifierTest, AReaderThatIsSlowHoldsNobodyUp) {
  Notifier notifier(path, std::nullopt);
  for (int i = 0; i < 5000; ++i) notifier.begin_reload(at(i));
  turn(notifier, 1);
  told();
  turn(notifier, 1000);
  EXPECT_THAT(told(), ElementsAre("READY=1", "STATUS=state master"));
}

TEST_F(NotifierTest, AnAbstractNameIsOneToo) {
  close(descriptor);
  const std::string name = "@rch-notify-" + std::to_string(getpid());
  listen(name);
  Notifier notifier(name, std::nullopt);
  turn(notifier, 1);
  EXPECT_EQ(told().size(), 2U);
}

TEST_F(NotifierTest, TakesWhatTheEnvironmentSays) {
  const auto longest = [](const char* usec, const char* pid) {
    setenv("WATCHDOG_USEC", usec, 1);
    setenv("WATCHDOG_PID", pid, 1);
    return Notifier::from_environment().longest_wait();
  };
  setenv("NOTIFY_SOCKET", path.c_str(), 1);
  const std::string self = std::to_string(getpid());
  EXPECT_EQ(longest("2000000", self.c_str()), milliseconds{500});
  EXPECT_EQ(longest("2000000", "1"), milliseconds::max()) << "the watchdog of another process";
  EXPECT_EQ(longest("soon", self.c_str()), milliseconds::max());
  EXPECT_EQ(longest("0", self.c_str()), milliseconds::max());
  for (const char* socket : {"", "/nowhere/notify"}) {
    setenv("NOTIFY_SOCKET", socket, 1);
    Notifier notifier = Notifier::from_environment();
    turn(notifier, 1);
    notifier.stopping();
    EXPECT_EQ(notifier.longest_wait(), milliseconds::max());
  }
  for (const char* variable : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(variable);
}

}  // namespace
}  // namespace rch::cli
