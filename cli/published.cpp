#include "cli/published.h"

namespace rch::cli {
namespace {

constexpr hw::Milliseconds kPublishEvery{100};

}  // namespace

void Published::turn(hw::TimePoint now, const Service& service) {
  if (now < next_) return;
  next_ = now + kPublishEvery;
  auto values = std::make_shared<const Values>(Values{service.metrics(), service.status()});
  const std::lock_guard lock(mutex_);
  values_.swap(values);
}

std::shared_ptr<const Published::Values> Published::last() const {
  const std::lock_guard lock(mutex_);
  return values_;
}

/// Names of ports change rarely: their text is kept from page to page.
HttpServer::Text Published::metrics() const {
  const auto values = last();
  if (!values) return {};
  const PortSource& ports = values->metrics.ports;
  const std::lock_guard lock(labels_mutex_);
  if (ports != labels_of_) {
    labels_ = ports.totals ? std::make_shared<const PortLabels>(ports) : nullptr;
    labels_of_ = ports;
  }
  std::string page = metrics_page(values->metrics);
  if (!labels_) return {std::move(page)};
  return {std::move(page), [page_of_ports = PortPage(ports.totals, labels_)](std::string& piece) mutable {
            return page_of_ports.next(piece);
          }};
}

HttpServer::Pages Published::pages() const {
  return {{"/metrics", {"text/plain; version=0.0.4; charset=utf-8", [this] { return metrics(); }}},
          {"/status", {"application/json", [this] {
                         const auto values = last();
                         return HttpServer::Text{(values ? values->status.dump(2) : "{}") + "\n"};
                       }}}};
}

}  // namespace rch::cli
