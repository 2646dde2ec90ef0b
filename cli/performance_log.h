#pragma once

#include <string>
#include <string_view>

#include "cli/json.h"
#include "fabric/fabric.h"
#include "perfmgr/events.h"

namespace rch::cli {

/// A line of the log.
struct LogLine {
  std::string_view code;
  std::string text;
  Json fields;
};
/// What the performance manager tells. `fabric` names ports; null: by their GUIDs.
LogLine describe(const perfmgr::Event& event, const fabric::Fabric* fabric);

}  // namespace rch::cli
