#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "fabric/fabric.h"
#include "fabric/glance.h"

namespace rch::cli {

/// A file of a folder that holds a fabric.
struct FabricFile {
  std::filesystem::path path;
  fabric::Glance glance;
};

/// Files of a folder that hold a fabric in a form that ibdiagnet and subnet managers write, the one that says
/// most first. Only the head of that one is looked at. Fails (usage) if the folder cannot be read, if no file
/// holds a fabric, or if two have the best form.
Result<std::vector<FabricFile>> fabric_files(const std::filesystem::path& folder);

/// Says which file of the folder was read and which were left, and warns of those that contradict it.
void report_folder(const std::filesystem::path& folder, const std::vector<FabricFile>& files,
                   const fabric::Fabric& read, Diagnostics& diagnostics);

}  // namespace rch::cli
