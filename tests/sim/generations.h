#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>

#include "chains/plan.h"

namespace rch::sim::test {

/// The plans that were installed last. All path records of an answer must belong to one of them.
class Generations {
 public:
  void add(const chains::Plan& plan);
  /// What is wrong with an answer to the port `from`; empty if nothing is.
  std::string fault(Guid from, std::span<const std::uint8_t> records) const;

 private:
  struct Generation {
    std::shared_ptr<const fabric::Fabric> fabric;
    std::shared_ptr<const fabric::RoutingTables> tables;
  };
  static std::string fault_in(const Generation& in, Guid from, std::span<const std::uint8_t> record);

  std::deque<Generation> last_;
};

}  // namespace rch::sim::test
