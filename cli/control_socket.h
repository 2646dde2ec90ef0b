#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <poll.h>

#include "base/result.h"
#include "cli/json.h"

namespace rch::cli {

inline constexpr const char* kControlSocket = "/run/rch/control";

/// Answers requests of operators on a Unix socket: one JSON object a line, one answer a line.
///
/// Never blocks. A connection that sends a line of more than kMostInput bytes, or takes no answers, is
/// closed.
class ControlSocket {
 public:
  using Answer = std::function<Json(const Json& request)>;
  static constexpr std::size_t kMostInput = 65536, kMostConnections = 64;

  /// Makes the folder of `path` if there is none. Only the user may connect. Fails (usage) when another
  /// process answers there, or the socket cannot be made.
  static Result<std::unique_ptr<ControlSocket>> open(const std::string& path, Answer answer);
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  /// Adds the descriptors to wait for.
  void add_to(std::vector<pollfd>& waiting) const;
  /// Takes what has come in and answers it.
  void serve();

 private:
  struct Connection {
    int descriptor;
    std::string input;
  };
  ControlSocket(int listener, std::string path, Answer answer)
      : listener_(listener), path_(std::move(path)), answer_(std::move(answer)) {}
  void accept_all();
  bool serve(Connection& connection) const;
  bool answer(int descriptor, const std::string& line) const;

  int listener_;
  std::string path_;
  Answer answer_;
  std::vector<Connection> connections_;
};

/// Sends one request and waits for its answer. Fails (usage) when nobody answers on `path`.
Result<Json> ask_control(const std::string& path, const Json& request);

}  // namespace rch::cli
