#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chains/plan.h"
#include "whatif/failure.h"
#include "whatif/link_flows.h"
#include "whatif/outcome.h"

namespace rch::whatif {

/// What all cases start from.
struct Base {
  std::shared_ptr<const policy::Policy> policy;
  chains::Plan plan;  ///< of the whole fabric, as it is installed; made by `policy` in this process
  policy::Settings settings;
};

/// A configuration that may replace that of the base plan.
struct Alternative {
  std::string name;
  std::shared_ptr<const policy::Policy> policy;
  policy::Settings settings;
};

/// Judges failures one by one. One judge serves several threads at a time.
class Judge {
 public:
  /// The base plan is clean.
  explicit Judge(Base base, std::vector<Alternative> alternatives = {});
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  /// Pairs of hosts on the fullest link of the base plan.
  std::uint64_t fullest() const { return flows_.fullest(); }
  /// The steps that route the whole fabric, as Outcome::steps names them.
  const std::string& steps() const { return steps_; }

  const std::vector<Alternative>& alternatives() const { return alternatives_; }

  /// The case `number`, a failure of parts of the fabric of the base plan; or an alternative, which is judged
  /// as `rch reload` takes it: LIDs stay, and routes where they can.
  Outcome judge(std::uint64_t number, const Failure& failure) const;

  /// Returns the plan that `rch plan --previous` makes of a damaged fabric, whatever its verdict is; none
  /// where that fails. Adds what the plan and the update to it come to.
  std::optional<chains::Plan> reroute(fabric::Fabric damaged, Outcome& outcome) const;

 private:
  /// What is planned instead of the base plan.
  struct Instead {
    const std::shared_ptr<const policy::Policy>& policy;
    const policy::Settings& settings;
    bool may_reassign;  ///< chains::PlanRequest
  };
  std::optional<chains::Plan> replan(const Instead& instead, fabric::Fabric fabric, Outcome& outcome) const;
  void judge_alternative(const std::string& name, Outcome& outcome) const;

  const Base base_;
  const std::vector<Alternative> alternatives_;
  std::string steps_;
  LinkFlows flows_;
};

}  // namespace rch::whatif
