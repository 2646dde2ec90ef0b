#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::cli {

/// An end port as a user names it, with the LID that was meant.
struct NamedPort {
  PortId port;
  Lid lid;
};

/// Finds an end port by a point (docs/points.md), or by LID (any of its LMC range), by node or port GUID
/// (0x…), or by node description or name of a node-name map: the whole of it or, when that is unique, its
/// first word. A node with several linked ports means the first of them; a switch its port 0. Fails (usage)
/// when nothing or more than one node matches. `absence`: why the fabric may lack a node that exists. Then it
/// comes first in the message, and no other name is guessed.
Result<NamedPort> find_end_port(const fabric::Fabric& fabric, std::string_view text,
                                std::string_view absence = {});

}  // namespace rch::cli
