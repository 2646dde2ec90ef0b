#include "cli/change_json.h"

#include <fmt/format.h>

namespace rch::cli {

Json change_json(const fabric::Change& change) {
  const bool is_cable = change.port != PortNum(0);
  Json json{{"what", is_cable ? "cable" : "node"},
            {"change", change.is_new ? "new" : "gone"},
            {"guid", fmt::format("{}", change.node)},
            {"node", change.name}};
  if (!is_cable) return json;
  json["port"] = change.port.value;
  json["peer_guid"] = fmt::format("{}", change.peer);
  json["peer_node"] = change.peer_name;
  json["peer_port"] = change.peer_port.value;
  return json;
}

}  // namespace rch::cli
