// The control socket of `rch run`, and the codes of its log.

#include "cli/control_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "cli/run_log.h"

namespace rch::cli {
namespace {

class ControlSocketTest : public testing::Test {
 protected:
  ControlSocketTest() : path(testing::TempDir() + "control." + std::to_string(getpid())) { listen(); }
  ~ControlSocketTest() override { stop(); }

  void listen() {
    auto opened = ControlSocket::open(path, [](const Json& request) {
      const Json* what = request.find("request");
      return Json{{"echo", what != nullptr ? *what : Json()}};
    });
    ASSERT_TRUE(opened) << opened.error().message;
    server = std::move(*opened);
    going = true;
    thread = std::thread([this] {
      while (going) {
        std::vector<pollfd> waiting;
        server->add_to(waiting);
        poll(waiting.data(), waiting.size(), 10);
        server->serve();
      }
    });
  }
  void stop() {
    going = false;
    if (thread.joinable()) thread.join();
    server.reset();
  }
  /// Sends `text` and returns what comes back until the connection ends or a line is complete.
  std::string exchange(const std::string& text) const {
    const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    std::size_t sent = 0;
    while (sent < text.size()) {
      const ssize_t count = send(descriptor, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) break;
      sent += static_cast<std::size_t>(count);
    }
    std::string back;
    char buffer[256];
    for (ssize_t count = 1; count > 0 && back.find('\n') == std::string::npos;) {
      count = recv(descriptor, buffer, sizeof buffer, 0);
      if (count > 0) back.append(buffer, static_cast<std::size_t>(count));
    }
    close(descriptor);
    return back;
  }

  const std::string path;
  std::unique_ptr<ControlSocket> server;
  std::atomic<bool> going = false;
  std::thread thread;
};

TEST_F(ControlSocketTest, AnswersALineWithALine) {
  const auto answer = ask_control(path, {{"request", "status"}});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->dump(), R"({"echo":"status"})");
}

TEST_F(ControlSocketTest, WhatIsNoObjectIsRefused) {
  for (const char* line : {"status\n", "[]\n", "{\n", "\n", "{\"request\":\xff}\n", "\"x\"\n"})
    EXPECT_EQ(exchange(line), "{\"error\":\"a request is one JSON object on a line\"}\n") << line;
  EXPECT_EQ(exchange(std::string(5000, '[') + "\n"),
            "{\"error\":\"a request is one JSON object on a line\"}\n");
}

TEST_F(ControlSocketTest, ALineWithoutEndIsCutOff) {
  EXPECT_EQ(exchange(std::string(4 * ControlSocket::kMostInput, 'x')), "");
  EXPECT_TRUE(ask_control(path, {{"request", "status"}})) << "others are answered";
}

TEST_F(ControlSocketTest, OnlyTheUserMayConnect) {
  struct stat seen {};
  ASSERT_EQ(stat(path.c_str(), &seen), 0);
  EXPECT_EQ(seen.st_mode & 0777U, 0600U);
}

TEST_F(ControlSocketTest, TwoProcessesDoNotShareASocket) {
  const auto second = ControlSocket::open(path, [](const Json&) { return Json(); });
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            "another process answers on `" + path + "` (choose another one with `--control`)");
  EXPECT_TRUE(ask_control(path, {{"request", "status"}})) << "the first one still answers";
}

TEST_F(ControlSocketTest, WhatAKilledProcessLeftIsReplaced) {
  stop();
  const int left = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(left);
  EXPECT_FALSE(ask_control(path, {{"request", "status"}}));
  listen();
  EXPECT_TRUE(ask_control(path, {{"request", "status"}}));
}

TEST(RunLog, CodesAreDocumented) {
  std::ifstream file(RCH_DOCS "/manager.md");
  std::stringstream page;
  page << file.rdbuf();
  for (const LogCode& code : log_codes())
    EXPECT_NE(page.str().find(fmt::format("| {} | {} |\n", code.code, code.meaning)), std::string::npos)
        << code.code;
}

}  // namespace
}  // namespace rch::cli
