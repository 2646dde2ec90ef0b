#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "fabric/fabric.h"
#include "support/golden_case.h"

namespace rch::fabric::test {

/// A fabric text as one reader saw it.
struct Reading {
  std::optional<Fabric> fabric;
  std::string findings;            ///< all diagnostics, rendered
  std::vector<std::string> rules;  ///< their names, in order
};

/// By content, under the name `net`.
Reading read_text(std::string text);
Reading read_path(const std::filesystem::path& path);

std::filesystem::path golden(std::string_view path);
using rch::test::golden_net;
using rch::test::golden_text;
/// All folders `cases/FABRIC/RUN` of the golden data, sorted.
std::vector<std::filesystem::path> golden_cases();

/// Everything of a fabric as text, one line a node or port, for whole-value comparison.
struct DumpOptions {
  bool rates = true;
  bool lids = true;
  bool capabilities =
      true;  ///< revision, MTU and VL capability, enhanced port 0: what not every form carries
  bool origin = true;
};
std::string dump(const Fabric& fabric, const DumpOptions& options = {});
/// Empty if the two dumps are equal; else their first lines that differ.
std::string difference(const Fabric& a, const Fabric& b, const DumpOptions& options = {});

std::string to_net(const Fabric& fabric);

/// Runs a shell command; its output, and the exit status in `status` if given.
std::string run(const std::string& command, int* status = nullptr);

}  // namespace rch::fabric::test
