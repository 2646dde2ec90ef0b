#pragma once

// Looks at a fabric that another subnet manager runs, again and again, and judges what its switches forward
// by. It sends Gets only, is no manager, and answers nobody.

#include <functional>
#include <memory>
#include <optional>

#include "chains/adoption.h"
#include "hw/exchange.h"
#include "hw/live_fabric.h"
#include "sm/manager.h"

namespace rch::sm {

/// One look.
struct Audit {
  chains::Adoption found;
  std::vector<hw::OtherSm> managers;
  std::size_t quarantined = 0;
  bool fabric_changed = false;      ///< since the look before: nodes, ports or links
  std::size_t entries_changed = 0;  ///< since then; entries of forwarding tables
};

class Observer {
 public:
  struct Settings {
    FoundJudge judge;
    hw::Milliseconds every{10000};  ///< from look to look; never less than ten times what a look takes
    /// After each look: what was seen, or why nothing was.
    std::function<void(const Result<Audit>&)> tell;
  };
  /// `exchange` must outlive it.
  Observer(hw::Exchange& exchange, Settings settings) : exchange_(exchange), settings_(std::move(settings)) {}

  /// Ends when the exchange is told to stop, or fails with what broke it. To be called once.
  hw::Task<Result<void>> run();
  /// Looks again as soon as possible.
  void look_now() { wake_ = true; }

 private:
  hw::Task<Result<Audit>> look();
  Audit compared(chains::Adoption found, const hw::LiveFabric& live);
  bool ended() const { return exchange_.stopping() || exchange_.broken(); }

  hw::Exchange& exchange_;
  Settings settings_;
  std::optional<chains::Plan> before_;
  bool wake_ = false;
};

}  // namespace rch::sm
