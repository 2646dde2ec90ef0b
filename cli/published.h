#pragma once

#include <memory>
#include <mutex>

#include "cli/http_server.h"
#include "cli/service.h"

namespace rch::cli {

/// What a manager shows by HTTP: pages of the last values that it published. Values that are published do not
/// change, so that pages are made of them in any thread.
class Published {
 public:
  /// In each turn of the loop: publishes, but not more often than every 100 ms.
  void turn(hw::TimePoint now, const Service& service);
  /// `/metrics` and `/status`. It must outlive them.
  HttpServer::Pages pages() const;

 private:
  struct Values {
    ManagerMetrics metrics;
    Json status;
  };
  std::shared_ptr<const Values> last() const;
  HttpServer::Text metrics() const;

  hw::TimePoint next_{};
  mutable std::mutex mutex_;
  std::shared_ptr<const Values> values_;
  // The labels of the page that was made last, and what they were made of.
  mutable std::mutex labels_mutex_;
  mutable PortSource labels_of_;
  mutable std::shared_ptr<const PortLabels> labels_;
};

}  // namespace rch::cli
