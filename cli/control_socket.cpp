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

Result<std::unique_ptr<ControlSocket>> ControlSocket::open(const std::string& path, Answer answer) {
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
  return std::unique_ptr<ControlSocket>(new ControlSocket(listener, path, std::move(answer)));
}

ControlSocket::~ControlSocket() {
  for (const Connection& connection : connections_) close(connection.descriptor);
  close(listener_);
  unlink(path_.c_str());
}

void ControlSocket::add_to(std::vector<pollfd>& waiting) const {
  waiting.push_back({listener_, POLLIN, 0});
  for (const Connection& connection : connections_) waiting.push_back({connection.descriptor, POLLIN, 0});
}

void ControlSocket::serve() {
  accept_all();
  std::erase_if(connections_, [this](Connection& connection) {
    if (serve(connection)) return false;
    close(connection.descriptor);
    return true;
  });
}

void ControlSocket::accept_all() {
  while (true) {
    const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return;
    if (connections_.size() < kMostConnections)
      connections_.push_back({descriptor, {}});
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
    connection.input.append(buffer, static_cast<std::size_t>(count));
    while (const auto line = take_line(connection.input))
      if (!answer(connection.descriptor, *line)) return false;
    if (connection.input.size() > kMostInput) return false;
  }
}

bool ControlSocket::answer(int descriptor, const std::string& line) const {
  const auto request = Json::parse(line);
  const Json answer = request && request->members() != nullptr
                          ? answer_(*request)
                          : Json{{"error", "a request is one JSON object on a line"}};
  const std::string text = answer.dump() + "\n";
  return send(descriptor, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

Result<Json> ask_control(const std::string& path, const Json& request) {
  const auto address = address_of(path);
  if (!address) return cannot("connect to", path, ENAMETOOLONG);
  const int descriptor = connect_to(*address);
  if (descriptor < 0)
    return fail(ErrorKind::usage,
                fmt::format("no subnet manager answers on `{}`: {}", path, error_text(errno)));
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  const std::string text = request.dump() + "\n";
  std::string input;
  std::optional<std::string> line;
  if (send(descriptor, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size())) {
    char buffer[4096];
    for (ssize_t count = 1; !line && count > 0; line = take_line(input)) {
      count = recv(descriptor, buffer, sizeof buffer, 0);
      if (count > 0) input.append(buffer, static_cast<std::size_t>(count));
    }
  }
  close(descriptor);
  if (!line) return fail(ErrorKind::usage, fmt::format("the subnet manager on `{}` does not answer", path));
  const auto answer = Json::parse(*line);
  if (!answer || answer->members() == nullptr)
    return fail(ErrorKind::usage, fmt::format("what answers on `{}` is no subnet manager of rch", path));
  return *answer;
}

}  // namespace rch::cli
