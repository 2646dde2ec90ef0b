#pragma once

// What the tests of system definitions and topology files share.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "parsers/ibdm/library.h"

namespace rch::test {

/// A folder of its own, removed with it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The path of the file that was written.
  std::filesystem::path write(const std::string& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

/// A topology file read against IBNL texts, with every finding.
struct TopoReading {
  std::optional<fabric::Fabric> fabric;
  std::vector<std::string> rules;  ///< of the findings, in order of report
  std::string report;              ///< the findings as the user sees them
};
TopoReading read_topo_text(std::string_view topo, const std::vector<std::string>& ibnl);

/// The names of the rules that an IBNL text breaks.
std::vector<std::string> lint_ibnl_text(std::string_view text);

/// Nodes and links in the words of tests/lab/ibdm_fabric.tcl, sorted.
std::vector<std::string> lines_of(const fabric::Fabric& fabric);

/// What IBDM itself makes of a topology file.
struct IbdmReading {
  std::string status;              ///< "0" when it is content
  std::vector<std::string> lines;  ///< nodes and links, sorted
  std::string messages;            ///< its own
};
/// Runs ibdmsh once. `ibnl` is a directory of IBNL files besides the installed ones, or empty.
std::map<std::string, IbdmReading> ask_ibdm(const std::vector<std::filesystem::path>& topos,
                                            const std::filesystem::path& ibnl);

}  // namespace rch::test
