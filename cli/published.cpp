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

HttpServer::Pages Published::pages() const {
  return {{"/metrics",
           {"text/plain; version=0.0.4; charset=utf-8",
            [this] {
              const auto values = last();
              return values ? metrics_page(values->metrics) : std::string();
            }}},
          {"/status", {"application/json", [this] {
                         const auto values = last();
                         return (values ? values->status.dump(2) : "{}") + "\n";
                       }}}};
}

}  // namespace rch::cli
