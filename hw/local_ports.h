#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"

namespace rch::hw {

/// A port of an RDMA device of this machine, as the kernel describes it.
struct LocalPort {
  std::string ca;
  int number = 0;
  Guid guid;
  bool infiniband = true;    ///< its link layer; false: Ethernet
  bool linked = false;       ///< the link is trained (LinkUp)
  bool active = false;       ///< its state is Active: a subnet manager has seen it
  bool sm_disabled = false;  ///< IsSMdisabled: no subnet manager may run on it
};

/// "`mlx5_0` port 1".
std::string name_of(const LocalPort& port);

/// The port that a command takes that names none, or only the CA: an InfiniBand port with a link, rather one
/// on which a subnet manager may run, then rather an active one, then the first in the given order. Fails
/// (fabric) saying of each port why it is not taken.
Result<LocalPort> choose_port(std::span<const LocalPort> ports);

/// The ports of one CA, or of all, in the order of libibumad; umad_init() must have been called.
std::vector<LocalPort> local_ports(const std::string& ca);

}  // namespace rch::hw
