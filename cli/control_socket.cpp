#include "cli/control_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "cli/lab/lab.h"

namespace rch::cli {
namespace {

/// How long an operator's command waits for an answer.
constexpr timeval kPatience{5, 0};

std::string error_text(int code) { return std::generic_category().message(code); }

std::optional<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

const sockaddr* generic(const sockaddr_un& address) { return reinterpret_cast<const sockaddr*>(&address); }

/// A socket that is connected to `path`; -1 and errno if nobody listens there.
int connect_to(const sockaddr_un& address) {
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, generic(address), sizeof address) == 0) return descriptor;
  const int why = errno;
  close(descriptor);
  errno = why;
  return -1;
}

tl::unexpected<Error> cannot(const std::string& what, const std::string& path, int code) {
  return fail(ErrorKind::usage, fmt::format("cannot {} `{}`: {}", what, path, error_text(code)));
}

/// The next whole line of what was read; none: there is more to come.
std::optional<std::string> take_line(std::string& input) {
  const std::size_t end = input.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = input.substr(0, end);
  input.erase(0, end + 1);
  return line;
}

}  // namespace

Result<std::unique_ptr<ControlSocket>> ControlSocket::open(const std::string& path, Answer answer,
                                                           Feed feed) {
  const auto address = address_of(path);
  if (!address) return cannot("listen on", path, ENAMETOOLONG);
  std::error_code ignored;
  if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder, ignored);
  if (const int other = connect_to(*address); other >= 0) {
    close(other);
    return fail(ErrorKind::usage, fmt::format("another process answers on `{}` (choose another one with "
                                              "`--control`)",
                                              path));
  }
  if (errno == ECONNREFUSED) unlink(path.c_str());  // left over from a process that was killed
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0) return cannot("listen on", path, errno);
  const mode_t mask = umask(0177);
  const bool bound = bind(listener, generic(*address), sizeof *address) == 0;
  const int why = errno;
  umask(mask);
  if (!bound || listen(listener, 16) != 0) {
    close(listener);
    return cannot("listen on", path, bound ? errno : why);
  }
  return std::unique_ptr<ControlSocket>(
      new ControlSocket(listener, path, std::move(answer), std::move(feed)));
}

std::string default_control_socket() {
  const std::string lab = lab_folder();
  return lab.empty() ? "/run/rch/control" : lab + "/control";
}

ControlSocket::~ControlSocket() {
  for (const Connection& connection : connections_) close(connection.descriptor);
  close(listener_);
  unlink(path_.c_str());
}

void ControlSocket::add_to(std::vector<pollfd>& waiting) const {
  waiting.push_back({listener_, POLLIN, 0});
  for (const Connection& connection : connections_) {
    const auto events = static_cast<short>(connection.output.empty() ? POLLIN : POLLIN | POLLOUT);
    waiting.push_back({connection.descriptor, events, 0});
  }
}

void ControlSocket::serve() {
  accept_all();
  close_unless([this](Connection& connection) { return serve(connection) && feed(connection); });
}

void ControlSocket::feed() {
  close_unless([this](Connection& connection) { return feed(connection); });
}

template <class Goes>
void ControlSocket::close_unless(Goes&& goes) {
  std::erase_if(connections_, [&](Connection& connection) {
    if (goes(connection)) return false;
    close(connection.descriptor);
    return true;
  });
}

/// Sends what waits, then line after line. False: nobody reads any more.
bool ControlSocket::feed(Connection& connection) const {
  while (connection.watches) {
    if (connection.output.empty()) connection.output = feed_(*connection.watches);
    if (connection.output.empty()) return true;
    const ssize_t sent =
        send(connection.descriptor, connection.output.data(), connection.output.size(), MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    connection.output.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

void ControlSocket::accept_all() {
  while (true) {
    const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return;
    if (connections_.size() < kMostConnections)
      connections_.push_back({.descriptor = descriptor});
    else
      close(descriptor);
  }
}

/// False: the connection has ended.
bool ControlSocket::serve(Connection& connection) const {
  char buffer[4096];
  while (true) {
    const ssize_t count = recv(connection.descriptor, buffer, sizeof buffer, 0);
    if (count == 0) return false;
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (connection.is_over) continue;
    connection.input.append(buffer, static_cast<std::size_t>(count));
    while (const auto line = take_line(connection.input))
      if (!answer(connection, *line)) return false;
    if (connection.input.size() > kMostInput && !end_with_error(connection)) return false;
  }
}

/// Who sends without end reads the answer when it has sent all, or finds that nobody listens. A socket that
/// is closed before would lose the answer: what is not read yet resets the connection.
bool ControlSocket::end_with_error(Connection& connection) {
  connection.is_over = true;
  connection.input.clear();
  const std::string why =
      fmt::format("a request is one JSON object on a line of at most {} bytes", kMostInput);
  return send_line(connection, {{"error", why}}) && shutdown(connection.descriptor, SHUT_WR) == 0;
}

bool ControlSocket::send_line(const Connection& connection, const Json& answer) {
  const std::string text = answer.dump() + "\n";
  return send(connection.descriptor, text.data(), text.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(text.size());
}

/// False: the connection has to end. Who watches asks nothing more.
bool ControlSocket::answer(Connection& connection, const std::string& line) const {
  if (connection.watches) return false;
  const Result<Request> request = request_of(line);
  const Reply reply = request ? answer_(*request) : Json{{"error", request.error().message}};
  connection.watches = reply.watch_from;
  if (reply.watch_from) return true;
  return send_line(connection, reply.answer);
}

namespace {

/// Sends a request, and calls take(line) for each line that comes until it returns false. `patience` without
/// a line ends it, too; 0: none does.
Result<void> exchange(const std::string& path, const Request& request, timeval patience,
                      const std::function<bool(const std::string&)>& take) {
  const auto address = address_of(path);
  if (!address) return cannot("connect to", path, ENAMETOOLONG);
  const int descriptor = connect_to(*address);
  if (descriptor < 0)
    return fail(ErrorKind::usage,
                fmt::format("no subnet manager answers on `{}`: {}", path, error_text(errno)));
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const std::string text = to_json(request).dump() + "\n";
  bool goes_on =
      send(descriptor, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  std::string input;
  char buffer[4096];
  while (goes_on) {
    const ssize_t count = recv(descriptor, buffer, sizeof buffer, 0);
    if (count <= 0) break;
    input.append(buffer, static_cast<std::size_t>(count));
    while (goes_on) {
      const auto line = take_line(input);
      if (!line) break;
      goes_on = take(*line + "\n");
    }
  }
  close(descriptor);
  return {};
}

}  // namespace

Result<void> watch_control(const std::string& path, const WatchRequest& request,
                           const std::function<bool(const std::string&)>& take) {
  return exchange(path, request, {}, take);
}

Result<Json> ask_control(const std::string& path, const Request& request) {
  std::optional<std::string> line;
  const auto first = [&](const std::string& told) {
    line = told;
    return false;
  };
  if (auto asked = exchange(path, request, kPatience, first); !asked) return tl::unexpected(asked.error());
  if (!line) return fail(ErrorKind::usage, fmt::format("the subnet manager on `{}` does not answer", path));
  const auto answer = Json::parse(*line);
  if (!answer || answer->members() == nullptr)
    return fail(ErrorKind::usage, fmt::format("what answers on `{}` is no subnet manager of rch", path));
  return *answer;
}

}  // namespace rch::cli
