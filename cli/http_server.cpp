#include "cli/http_server.h"

#include <microhttpd.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::cli {
namespace {

/// What a connection buffers.
constexpr std::size_t kPieceSize = std::size_t{1} << 18U;

struct HostAndPort {
  std::string host, port;
};

std::optional<HostAndPort> host_and_port(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  HostAndPort out{colon == address.npos ? "127.0.0.1" : address.substr(0, colon),
                  colon == address.npos ? address : address.substr(colon + 1)};
  if (out.host.starts_with('[') && out.host.ends_with(']'))
    out.host = out.host.substr(1, out.host.size() - 2);
  else if (out.host.find(':') != out.host.npos)
    return std::nullopt;  // where the port begins is not clear
  const auto port = parse_integer(out.port);
  if (out.host.empty() || !port || *port > 65535) return std::nullopt;
  return out;
}

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<Addresses> resolve(const std::string& address) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  const auto parts = host_and_port(address);
  if (!parts || ::getaddrinfo(parts->host.c_str(), parts->port.c_str(), &hints, &found) != 0)
    return fail(ErrorKind::usage,
                fmt::format("`{}` is no ADDRESS:PORT; expected one as in 127.0.0.1:9109", address));
  return Addresses(found, &::freeaddrinfo);
}

/// A response that owns its text.
MHD_Response* response_of(std::string text) {
  auto* owned = new std::string(std::move(text));
  return MHD_create_response_from_buffer_with_free_callback_cls(
      owned->size(), owned->data(), [](void* given) { delete static_cast<std::string*>(given); }, owned);
}

/// A text on its way, and how much of its piece is sent.
struct Sending {
  HttpServer::Text text;
  std::size_t sent = 0;
};

ssize_t read_more(void* given, std::uint64_t, char* buffer, std::size_t size) noexcept {
  auto& sending = *static_cast<Sending*>(given);
  while (sending.sent == sending.text.first.size()) {
    sending.sent = 0;
    if (!sending.text.more(sending.text.first)) return MHD_CONTENT_READER_END_OF_STREAM;
  }
  const std::size_t count = sending.text.first.copy(buffer, size, sending.sent);
  sending.sent += count;
  return static_cast<ssize_t>(count);
}

/// A response that makes its text as it is sent.
MHD_Response* response_in_pieces(HttpServer::Text text) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kPieceSize, &read_more,
                                           new Sending{std::move(text)},
                                           [](void* given) { delete static_cast<Sending*>(given); });
}

MHD_Result reply(MHD_Connection* connection, unsigned status, const std::string& type,
                 HttpServer::Text text) {
  MHD_Response* response =
      text.more ? response_in_pieces(std::move(text)) : response_of(std::move(text.first));
  if (response == nullptr) return MHD_NO;
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type.c_str());
  const MHD_Result queued = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return queued;
}

/// What is thrown must not leave through the library.
MHD_Result answer(void* server, MHD_Connection* connection, const char* url, const char* method, const char*,
                  const char*, std::size_t*, void**) noexcept {
  constexpr const char* kText = "text/plain; charset=utf-8";
  const std::string_view asked = method;
  if (asked != MHD_HTTP_METHOD_GET && asked != MHD_HTTP_METHOD_HEAD)
    return reply(connection, MHD_HTTP_METHOD_NOT_ALLOWED, kText, {"only GET is answered\n"});
  const HttpServer::Pages& pages = static_cast<HttpServer*>(server)->pages();
  const auto page = pages.find(std::string_view(url));
  if (page != pages.end()) return reply(connection, MHD_HTTP_OK, page->second.type, page->second.make());
  std::string text = "pages:";
  for (const auto& [path, ignored] : pages) text += " " + path;
  return reply(connection, MHD_HTTP_NOT_FOUND, kText, {text + "\n"});
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const std::string& address, Pages pages) {
  const auto found = resolve(address);
  if (!found) return tl::unexpected(found.error());
  const bool v6 = (*found)->ai_family == AF_INET6;
  std::unique_ptr<HttpServer> server(new HttpServer(std::move(pages)));
  errno = 0;
  server->daemon_ =
      MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | (v6 ? unsigned{MHD_USE_IPv6} : 0U), 0, nullptr,
                       nullptr, &answer, server.get(), MHD_OPTION_SOCK_ADDR, (*found)->ai_addr,
                       MHD_OPTION_CONNECTION_LIMIT, kMostConnections, MHD_OPTION_CONNECTION_TIMEOUT,
                       kPatienceSeconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, 2 * kPieceSize, MHD_OPTION_END);
  if (server->daemon_ == nullptr)
    return fail(ErrorKind::usage,
                fmt::format("cannot listen on `{}`: {}", address, std::generic_category().message(errno)));
  return server;
}

HttpServer::~HttpServer() {
  if (daemon_ != nullptr) MHD_stop_daemon(daemon_);
}

std::uint16_t HttpServer::port() const {
  return MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_BIND_PORT)->port;
}

}  // namespace rch::cli
