#pragma once

// Fabrics, engines and options drawn from a seed, and what the real OpenSM makes of them on ibsim.

#include <string>
#include <string_view>

#include "engines/dor/dor.h"
#include "engines/updn/updn.h"
#include "fabric/fabric.h"

namespace rch::test {

/// What OpenSM and an engine are both told.
struct OpenSmSituation {
  std::string fabric;        ///< arguments of lab_fabric.py
  unsigned system_size = 1;  ///< so many switches, in file order, share a system GUID
  unsigned lmc = 0;
  bool lmc_of_switches = false;         ///< `lmc_esp0`; switches have an enhanced port 0
  engines::updn::Options options = {};  ///< roots, ids and connect_roots are for updn (the last for dnup too)
};

/// A folder that holds one situation and, after run(), OpenSM's files.
class OpenSmLab {
 public:
  explicit OpenSmLab(const std::string& folder);

  /// A fabric of 4 to 40 switches of any kind and options that the engine reads, each with a chance.
  OpenSmSituation draw(std::string_view engine, std::uint64_t seed);
  /// Routes with the engine; `more` are further lines of opensm.conf. Throws if OpenSM did not come up.
  void run(std::string_view engine, const OpenSmSituation& situation, const std::string& more = {});

  const std::string& folder() const { return folder_; }
  /// With LIDs as OpenSM gave them.
  fabric::Fabric fabric() const;
  fabric::ForwardingTables tables(const fabric::Fabric& fabric) const;

 private:
  void make_net(const OpenSmSituation& situation);
  std::string write(const std::string& name, const std::string& text) const;

  std::string folder_;
};

/// The options in words, for messages.
std::string to_string(const OpenSmSituation& situation);

}  // namespace rch::test
