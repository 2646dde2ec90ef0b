#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "hw/live_fabric.h"
#include "hw/smp_client.h"

namespace rch::hw {

/// A pass of Gets over the fabric: everything is on its way at once, the first answer that does not come or
/// is no good ends the pass.
class ReadPass {
 public:
  ReadPass(SmpClient& client, const LiveFabric& live) : client_(client), live_(live) {}

  /// `store` gets the payload.
  void get(PortId target, Attribute attribute, std::uint32_t modifier,
           std::function<void(const SmpData&)> store);
  /// Waits for all answers. Fails (fabric) naming the port, its route and the table.
  Result<void> finish();

 private:
  void give_up(PortId target, const std::string& what, const SmpAnswer& answer);

  SmpClient& client_;
  const LiveFabric& live_;
  std::optional<Error> error_;
};

}  // namespace rch::hw
