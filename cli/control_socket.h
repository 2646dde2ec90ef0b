#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <poll.h>

#include "base/result.h"
#include "cli/json.h"
#include "cli/request.h"

namespace rch::cli {

/// /run/rch/control; in a lab, a socket of that lab.
std::string default_control_socket();

/// Answers requests of operators on a Unix socket: one JSON object a line, one answer a line. What is no
/// request is refused here. Those who watch get lines from then on.
///
/// Never blocks. A line of more than kMostInput bytes is answered with an error, and nothing more on that
/// connection. One that takes no answers is closed. One that watches and is slow gets its lines when it takes
/// them; one line of it is kept here.
class ControlSocket {
 public:
  struct Reply {
    Reply(Json text) : answer(std::move(text)) {}
    explicit Reply(std::uint64_t number) : watch_from(number) {}

    Json answer{};
    std::optional<std::uint64_t> watch_from{};  ///< in place of an answer: lines, the first of this number
  };
  using Answer = std::function<Reply(const Request& request)>;
  /// The line of a number, which becomes that of the next one; empty: there is none yet.
  using Feed = std::function<std::string(std::uint64_t& number)>;
  static constexpr std::size_t kMostInput = 65536, kMostConnections = 64;

  /// Makes the folder of `path` if there is none. Only the user may connect. Fails (usage) when another
  /// process answers there, or the socket cannot be made.
  static Result<std::unique_ptr<ControlSocket>> open(const std::string& path, Answer answer, Feed feed = {});
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  /// Adds the descriptors to wait for.
  void add_to(std::vector<pollfd>& waiting) const;
  /// Takes what has come in and answers it.
  void serve();
  /// Sends lines to those who watch.
  void feed();

 private:
  struct Connection {
    int descriptor;
    std::string input{}, output{};
    std::optional<std::uint64_t> watches{};  ///< the number of its next line
    bool is_over = false;                    ///< what still comes is thrown away
  };
  ControlSocket(int listener, std::string path, Answer answer, Feed feed)
      : listener_(listener), path_(std::move(path)), answer_(std::move(answer)), feed_(std::move(feed)) {}
  void accept_all();
  bool serve(Connection& connection) const;
  bool answer(Connection& connection, const std::string& line) const;
  static bool end_with_error(Connection& connection);
  static bool send_line(const Connection& connection, const Json& answer);
  bool feed(Connection& connection) const;
  template <class Goes>
  void close_unless(Goes&& goes);

  int listener_;
  std::string path_;
  Answer answer_;
  Feed feed_;
  std::vector<Connection> connections_;
};

/// Asks for events and calls take(line) for each line that comes, until it returns false or the connection
/// ends. Fails (usage) when nobody answers on `path`.
Result<void> watch_control(const std::string& path, const WatchRequest& request,
                           const std::function<bool(const std::string&)>& take);

/// Sends one request and waits for its answer. Fails (usage) when nobody answers on `path`.
Result<Json> ask_control(const std::string& path, const Request& request);

}  // namespace rch::cli
