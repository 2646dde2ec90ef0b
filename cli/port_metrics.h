#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cli/exposition.h"
#include "fabric/routing_tables.h"
#include "perfmgr/totals.h"
#include "policy/model/policy.h"

namespace rch::cli {

/// Where the metrics of ports are from. Null: there are none.
struct PortSource {
  std::shared_ptr<const perfmgr::Totals> totals{};
  std::shared_ptr<const fabric::Fabric> fabric{};
  std::shared_ptr<const fabric::RoutingTables> tables{};  ///< that have the P_Keys
  std::shared_ptr<const policy::Policy> policy{};         ///< that names the partitions

  friend bool operator==(const PortSource&, const PortSource&) = default;
};

/// The labels of a set of ports, as text. Made once for each fabric and partitions.
class PortLabels {
 public:
  explicit PortLabels(const PortSource& source);
  /// `{guid="…",port="…"} ` of a row.
  std::string_view of(std::size_t row) const {
    return std::string_view(text_).substr(begin_[row], begin_[row + 1] - begin_[row]);
  }
  /// The samples of rch_port_info.
  const std::string& info() const { return info_; }

 private:
  std::string text_, info_;
  std::vector<std::size_t> begin_;
};

/// The families of ports, in the order of a page.
std::span<const MetricFamily> port_families();

/// The part of a page that has the families of ports, piece by piece: that of a large fabric has 100 MB and
/// more.
class PortPage {
 public:
  PortPage(std::shared_ptr<const perfmgr::Totals> totals, std::shared_ptr<const PortLabels> labels)
      : totals_(std::move(totals)), labels_(std::move(labels)) {}
  /// Replaces `text` by the next piece. False: there is no more.
  bool next(std::string& text);

 private:
  void add_samples(std::string& text);

  std::shared_ptr<const perfmgr::Totals> totals_;
  std::shared_ptr<const PortLabels> labels_;
  std::size_t family_ = 0, port_ = 0;  ///< the next sample
};

}  // namespace rch::cli
