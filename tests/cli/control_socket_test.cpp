// The control socket of `rch run`.

#include "cli/control_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "cli/event_log.h"

namespace rch::cli {
namespace {

class ControlSocketTest : public testing::Test {
 protected:
  ControlSocketTest() : path(testing::TempDir() + "control." + std::to_string(getpid())) { listen(); }
  ~ControlSocketTest() override { stop(); }

  void listen() {
    auto opened = ControlSocket::open(
        path,
        [this](const Request& request) -> ControlSocket::Reply {
          ++answers;
          if (const auto* watch = std::get_if<WatchRequest>(&request))
            return ControlSocket::Reply(*watch->since);
          if (std::holds_alternative<RunningRequest>(request)) return Json{{"long", std::string(30000, 'x')}};
          return Json{{"echo", to_json(request).text("request")}};
        },
        [this](std::uint64_t& number) { return events.take(number); });
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
  std::string exchange(const std::string& text) const { return exchange(text, true); }
  /// The same until the connection ends.
  std::string everything(const std::string& text) const { return exchange(text, false); }
  std::string exchange(const std::string& text, bool one_line) const {
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
    for (ssize_t count = 1; count > 0 && (!one_line || back.find('\n') == std::string::npos);) {
      count = recv(descriptor, buffer, sizeof buffer, 0);
      if (count > 0) back.append(buffer, static_cast<std::size_t>(count));
    }
    close(descriptor);
    return back;
  }

  EventLog events{100};
  std::atomic<int> answers = 0;
  const std::string path;
  std::unique_ptr<ControlSocket> server;
  std::atomic<bool> going = false;
  std::thread thread;
};

TEST_F(ControlSocketTest, AnswersALineWithALine) {
  const auto answer = ask_control(path, StatusRequest{});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->dump(), R"({"echo":"status"})");
}

TEST_F(ControlSocketTest, WhatIsNoObjectIsRefused) {
  for (const char* line : {"status\n", "[]\n", "{\n", "\n", "{\"request\":\xff}\n", "\"x\"\n"})
    EXPECT_EQ(exchange(line), "{\"error\":\"a request is one JSON object on a line\"}\n") << line;
  EXPECT_EQ(exchange(std::string(5000, '[') + "\n"),
            "{\"error\":\"a request is one JSON object on a line\"}\n");
}

TEST_F(ControlSocketTest, ARequestIsRefusedForWhatIsNotKnownInIt) {
  EXPECT_EQ(exchange("{\"request\":\"sweep\",\"acept\":[\"link-reset\"]}\n"),
            "{\"error\":\"`sweep`: unknown member `acept`: did you mean `accept`?\"}\n");
  EXPECT_EQ(answers, 0);
}

TEST_F(ControlSocketTest, ALineThatIsTooLongIsAnsweredWithAnErrorAndTheConnectionEnds) {
  const std::string error = "{\"error\":\"a request is one JSON object on a line of at most 65536 bytes\"}\n";
  EXPECT_EQ(exchange(std::string(ControlSocket::kMostInput + 1, 'x')), error);
  EXPECT_EQ(exchange(std::string(40 * ControlSocket::kMostInput, 'x')), error);
  const std::string request = "{\"request\":\"status\"}\n";
  EXPECT_EQ(everything(std::string(2 * ControlSocket::kMostInput, 'x') + "\n" + request + request), error);
  EXPECT_EQ(answers, 0) << "what follows the line is no request any more";
  EXPECT_TRUE(ask_control(path, StatusRequest{})) << "others are answered";
}

TEST_F(ControlSocketTest, OnlyTheUserMayConnect) {
  struct stat seen {};
  ASSERT_EQ(stat(path.c_str(), &seen), 0);
  EXPECT_EQ(seen.st_mode & 0777U, 0600U);
}

TEST_F(ControlSocketTest, TwoProcessesDoNotShareASocket) {
  const auto second = ControlSocket::open(path, [](const Request&) { return Json(); });
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            "another process answers on `" + path + "` (choose another one with `--control`)");
  EXPECT_TRUE(ask_control(path, StatusRequest{})) << "the first one still answers";
}

TEST_F(ControlSocketTest, WhatAKilledProcessLeftIsReplaced) {
  stop();
  const int left = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(left);
  EXPECT_FALSE(ask_control(path, StatusRequest{}));
  listen();
  EXPECT_TRUE(ask_control(path, StatusRequest{}));
}

/// Waits until the socket has the lines up to this number, and returns what came.
std::vector<std::string> watched(const std::string& path, std::uint64_t from, std::size_t count) {
  std::vector<std::string> lines;
  const auto take = [&](const std::string& line) {
    lines.push_back(line);
    return lines.size() < count;
  };
  EXPECT_TRUE(watch_control(path, {from}, take));
  return lines;
}

TEST_F(ControlSocketTest, WhoWatchesGetsEachEventOnce) {
  for (int i = 0; i < 3; ++i) events.add({{"text", i}});
  EXPECT_EQ(watched(path, 2, 2),
            (std::vector<std::string>{"{\"number\":2,\"text\":1}\n", "{\"number\":3,\"text\":2}\n"}));
  std::thread later([this] {
    for (int i = 3; i < 6; ++i) events.add({{"text", i}});
  });
  EXPECT_EQ(watched(path, 4, 3).back(), "{\"number\":6,\"text\":5}\n");
  later.join();
}

// It is told what it missed, others are answered meanwhile, and memory does not grow.
TEST_F(ControlSocketTest, AReaderThatIsTooSlowIsToldFromWhereEventsAreGone) {
  const int slow = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(connect(slow, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const std::string request = "{\"request\":\"watch\",\"since\":1}\n";
  ASSERT_EQ(send(slow, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
  const std::string text(1000, 'x');
  for (int i = 0; i < 5000; ++i) {
    events.add({{"text", text}});
    if (i % 500 == 0) {
      EXPECT_TRUE(ask_control(path, StatusRequest{})) << "others are answered";
    }
  }
  std::string all;
  char buffer[65536];
  const std::string last = fmt::format("{{\"number\":5000,\"text\":\"{}\"}}\n", text);
  for (ssize_t count = 1; count > 0 && !all.ends_with(last);) {
    count = recv(slow, buffer, sizeof buffer, 0);
    if (count > 0) all.append(buffer, static_cast<std::size_t>(count));
  }
  close(slow);
  std::uint64_t next = 1, dropped = 0;
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    const auto told = Json::parse(line);
    ASSERT_TRUE(told) << line;
    if (const Json* gone = told->find("dropped")) {
      EXPECT_EQ(gone->number("from"), next);
      next = gone->number("to").value_or(0) + 1;
      ++dropped;
    } else {
      EXPECT_EQ(told->number("number"), next++);
    }
  }
  EXPECT_EQ(next, 5001U) << "each event came or is told to be gone";
  EXPECT_GT(dropped, 0U);
}

TEST_F(ControlSocketTest, WhoNeverReadsDelaysNobody) {
  std::vector<int> idle;
  for (std::size_t i = 0; i < ControlSocket::kMostConnections - 1; ++i) {
    idle.push_back(socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    ASSERT_EQ(connect(idle.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const std::string request = "{\"request\":\"running\"}\n";
    for (int times = 0; times < 20; ++times) {
      if (send(idle.back(), request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) break;
    }
  }
  EXPECT_TRUE(ask_control(path, StatusRequest{}));
  for (const int descriptor : idle) close(descriptor);
}

}  // namespace
}  // namespace rch::cli
