// What a manager shows by HTTP.

#include "cli/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/source.h"
#include "cli/manager_metrics.h"

namespace rch::cli {
namespace {

class HttpServerTest : public testing::Test {
 protected:
  using Text = HttpServer::Text;

  /// Each piece is its number again and again; every third is empty.
  static Text in_pieces(int count, std::size_t size) {
    return {piece(0, size), [number = 0, count, size](std::string& next) mutable {
              if (++number == count) return false;
              next = piece(number, size);
              return true;
            }};
  }
  static std::string piece(int number, std::size_t size) {
    std::string text;
    while (number % 3 != 2 && text.size() < size) text += std::to_string(number) + "\n";
    return text;
  }
  HttpServerTest() {
    auto listening = HttpServer::listen(
        "0", {{"/page", {"text/plain", [this] { return Text{"number " + std::to_string(++made)}; }}},
              {"/pieces", {"text/plain", [] { return in_pieces(1000, 10'000); }}},
              {"/long", {"text/plain", [] { return Text{std::string(8U << 20U, 'x')}; }}}});
    EXPECT_TRUE(listening) << listening.error().message;
    server = std::move(*listening);
  }

  int connected() const {
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return descriptor;
  }
  /// Sends `request` and returns all that comes back.
  std::string ask(const std::string& request) const {
    const int descriptor = connected();
    send(descriptor, request.data(), request.size(), MSG_NOSIGNAL);
    std::string back;
    char buffer[65536];
    for (ssize_t count = 1; count > 0;) {
      count = recv(descriptor, buffer, sizeof buffer, 0);
      if (count > 0) back.append(buffer, static_cast<std::size_t>(count));
    }
    close(descriptor);
    return back;
  }
  static std::string request(const std::string& line) {
    return line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  }

  std::atomic<int> made = 0;
  std::unique_ptr<HttpServer> server;
};

TEST_F(HttpServerTest, APageIsMadeForEachRequest) {
  for (int i = 1; i < 4; ++i) {
    const std::string answer = ask(request("GET /page"));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
    EXPECT_NE(answer.find("Content-Type: text/plain\r\n"), std::string::npos) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\nnumber " + std::to_string(i))) << answer;
  }
}

TEST_F(HttpServerTest, ALongPageComesInPieces) {
  // HTTP/1.0 knows no chunks: the page ends with the connection.
  const std::string answer = ask("GET /pieces HTTP/1.0\r\n\r\n");
  std::string expected;
  for (int i = 0; i < 1000; ++i) expected += piece(i, 10'000);
  EXPECT_TRUE(answer.ends_with("\r\n\r\n" + expected)) << answer.size() << " of " << expected.size();
  EXPECT_NE(ask(request("GET /pieces")).find("Transfer-Encoding: chunked\r\n"), std::string::npos);
}

TEST_F(HttpServerTest, WhoLeavesInAPageHurtsNobody) {
  for (int i = 0; i < 50; ++i) {
    const int descriptor = connected();
    const std::string text = request("GET /pieces");
    send(descriptor, text.data(), text.size(), MSG_NOSIGNAL);
    char some[1000];
    EXPECT_GT(recv(descriptor, some, sizeof some, 0), 0);
    close(descriptor);
  }
  EXPECT_TRUE(ask(request("GET /page")).starts_with("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, AHeadHasNoBody) { EXPECT_TRUE(ask(request("HEAD /page")).ends_with("\r\n\r\n")); }

TEST_F(HttpServerTest, OtherPathsAndMethodsAreRefused) {
  const std::string none = ask(request("GET /etc/passwd"));
  EXPECT_TRUE(none.starts_with("HTTP/1.1 404 ")) << none;
  EXPECT_TRUE(none.ends_with("pages: /long /page /pieces\n")) << none;
  EXPECT_TRUE(ask(request("GET /page/../../etc/passwd")).starts_with("HTTP/1.1 404 "));
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "X"})
    EXPECT_TRUE(ask(request(std::string(method) + " /page")).starts_with("HTTP/1.1 405 ")) << method;
  EXPECT_EQ(made, 0);
}

TEST_F(HttpServerTest, WhatIsNoRequestHurtsNobody) {
  for (const std::string& text :
       {std::string("\r\n\r\n\r\n"), std::string("GET\r\n\r\n"), std::string(100000, 'x'),
        std::string(64, '\0'), "GET /page HTTP/1.1\r\n" + std::string(100000, 'h') + ": x\r\n\r\n"}) {
    const int descriptor = connected();
    send(descriptor, text.data(), text.size(), MSG_NOSIGNAL);
    shutdown(descriptor, SHUT_WR);
    close(descriptor);
  }
  EXPECT_TRUE(ask(request("GET /page")).starts_with("HTTP/1.1 200 "));
}

TEST_F(HttpServerTest, WhoNeverReadsDelaysNobody) {
  std::vector<int> idle;
  for (unsigned i = 0; i + 1 < HttpServer::kMostConnections; ++i) {
    idle.push_back(connected());
    const std::string text = request("GET /long");
    if (i % 2 == 0) send(idle.back(), text.data(), text.size(), MSG_NOSIGNAL);
  }
  EXPECT_TRUE(ask(request("GET /page")).starts_with("HTTP/1.1 200 "));
  for (const int descriptor : idle) close(descriptor);
}

TEST_F(HttpServerTest, TwoProcessesDoNotShareAPort) {
  const std::string address = "127.0.0.1:" + std::to_string(server->port());
  const auto second = HttpServer::listen(address, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "cannot listen on `" + address + "`: Address already in use");
}

TEST(HttpServer, AddressesAreNumbers) {
  for (const char* address :
       {"", ":", ":80", "localhost:80", "1.2.3:x", "::1:80", "[::1]", "127.0.0.1:99999", "[]:1"})
    EXPECT_FALSE(HttpServer::listen(address, {})) << address;
  EXPECT_TRUE(HttpServer::listen("127.0.0.1:0", {}));
}

TEST(Metrics, AreDocumented) {
  const std::string page = *read_file(RCH_DOCS "/monitoring.md");
  for (const MetricFamily& family : metric_families())
    EXPECT_NE(page.find(fmt::format("| `{}` | {} | {} |\n", family.name, name_of(family.type), family.help)),
              std::string::npos)
        << fmt::format("| `{}` | {} | {} |", family.name, name_of(family.type), family.help);
}

TEST(Metrics, ShowWhatWasCounted) {
  ManagerMetrics metrics;
  metrics.status.state = hw::SmState::master;
  metrics.status.degraded = "why";
  metrics.manager.traps = {{0, 2}, {128, 3}};
  metrics.sa.by_attribute[{sa::Attribute::path_record, sa::Status::good}] = 5;
  metrics.sa.by_attribute[{sa::Attribute{}, sa::Status::busy}] = 7;
  metrics.phases["verify"].add(1500);
  metrics.phases["verify"].add(250);
  metrics.events["RCH200"] = 9;
  metrics.journal_bytes = 1234567890123;
  const std::string page = metrics_page(metrics);
  for (const char* line : {
           "rch_sm_state{state=\"master\"} 1\n",
           "rch_sm_state{state=\"standby\"} 0\n",
           "rch_degraded 1\n",
           "rch_traps_total{number=\"other\"} 2\n",
           "rch_traps_total{number=\"128\"} 3\n",
           "rch_sa_requests_total{attribute=\"PathRecord\",status=\"good\"} 5\n",
           "rch_sa_requests_total{attribute=\"other\",status=\"busy\"} 7\n",
           "rch_phase_duration_seconds_sum{phase=\"verify\"} 1.75\n",
           "rch_phase_duration_seconds_count{phase=\"verify\"} 2\n",
           "rch_log_events_total{code=\"RCH200\"} 9\n",
           "rch_journal_written_bytes_total 1234567890123\n",
       })
    EXPECT_NE(page.find(std::string("\n") + line), std::string::npos) << line << page;
}

TEST(Metrics, LabelsAreEscaped) {
  Exposition page;
  page.family({"x", MetricType::gauge, "Help."});
  page.sample(1, {{"node", "a\"b\\c\nd"}});
  EXPECT_EQ(page.take(), "# HELP x Help.\n# TYPE x gauge\nx{node=\"a\\\"b\\\\c\\nd\"} 1\n");
}

}  // namespace
}  // namespace rch::cli
