#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engines/common/names.h"
#include "engines/common/port_selection/port_options.h"

namespace rch::engines::common {

/// The physical port of a switch; nothing if there is no such port.
inline std::optional<PortId> find_port(const fabric::Fabric& fabric, const PortName& name) {
  const auto sw = switch_named(fabric, name.sw);
  if (!sw || name.port == PortNum(0) || name.port.value > fabric.node(*sw).num_ports) return std::nullopt;
  return fabric.port_id(*sw, name.port);
}

inline std::string text(const PortName& name) { return fmt::format("{} port {}", name.sw, name.port); }

/// Lines of one option that could not be used: how many, and the first.
class UnusedLines {
 public:
  void add(std::string what) {
    if (count_++ == 0) first_ = std::move(what);
  }
  /// Adds a remark if there are any. `of`: lines of the option.
  void report(std::string_view option, std::string_view why, std::size_t of,
              std::vector<std::string>& remarks) const {
    if (count_ > 0)
      remarks.push_back(fmt::format("{} of {} lines of `{}` {}: {}", count_, of, option, why, first_));
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace rch::engines::common
