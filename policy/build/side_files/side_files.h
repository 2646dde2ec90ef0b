#pragma once

#include <map>
#include <utility>

#include "policy/build/build_context.h"
#include "policy/model/dialect.h"
#include "policy/model/side_files.h"

namespace rch::policy {

/// What a side file of some dialect means.
using SideFile = std::variant<std::vector<ListMember>, std::vector<NodeNumber>, std::vector<HopWeight>,
                              std::vector<PortOrder>, std::vector<IgnoredPort>, std::vector<PrefixRoute>,
                              std::vector<NodeName>, std::vector<ModuleFlags>, std::vector<ListedCable>>;

/// How the file of one option reads.
struct SideFileSpec {
  Dialect dialect;
  bool groups = true;     ///< NVIDIA SM takes names of port groups in place of GUIDs
  bool required = false;  ///< a file without an entry is an error
};

/// Reads a side file (docs/side-files.md): repeated and unreachable entries are reported, names of groups
/// looked up. Names are left out when the context knows no groups.
SideFile build_side_file(SourceId source, const SideFileSpec& spec, const BuildContext& context);

/// True for the dialects that build_side_file takes.
bool is_side_file(Dialect dialect);

/// Side files of one configuration, each read once however many steps name it.
class SideFiles {
 public:
  explicit SideFiles(const BuildContext& context) : context_(context) {}

  const SideFile& read(SourceId source, const SideFileSpec& spec);

 private:
  const BuildContext& context_;
  std::map<std::pair<SourceId, Dialect>, SideFile> read_;
};

}  // namespace rch::policy
