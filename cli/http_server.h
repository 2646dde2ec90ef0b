#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"

struct MHD_Daemon;

namespace rch::cli {

/// Answers HTTP GETs with pages, in a thread of its own: nothing waits for a client. A page is made for each
/// request, by a function that any thread may call.
class HttpServer {
 public:
  /// A page, or its beginning: large ones are made while they are sent.
  struct Text {
    std::string first;
    /// Replaces its argument by the next piece. False: there is no more. Null: `first` is all.
    std::function<bool(std::string&)> more{};
  };
  struct Page {
    std::string type;  ///< `Content-Type`
    std::function<Text()> make;
  };
  using Pages = std::map<std::string, Page, std::less<>>;  ///< by path
  static constexpr unsigned kMostConnections = 32, kPatienceSeconds = 10;

  /// `address`: `ADDRESS:PORT`, `[ADDRESS]:PORT` or `PORT` (of localhost); addresses are numbers. Port 0:
  /// any. Fails (usage) when it is no address, or nobody may listen there.
  static Result<std::unique_ptr<HttpServer>> listen(const std::string& address, Pages pages);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  const Pages& pages() const { return pages_; }

 private:
  explicit HttpServer(Pages pages) : pages_(std::move(pages)) {}

  const Pages pages_;
  MHD_Daemon* daemon_ = nullptr;
};

}  // namespace rch::cli
