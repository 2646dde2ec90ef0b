#include "sim/policies.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "policy/build/front_end.h"

namespace rch::sim::test {

namespace {

/// What `bandwidths.conf` names.
constexpr const char* kBandwidths =
    "BW_NAMES\nslow = 2500\nbulk = 20000\nBW_RULES\ndefault = all:bulk, 3:slow\n";

}  // namespace

std::shared_ptr<const policy::Policy> read_policy(const std::string& text, const FilesBeside& beside) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("rch_sim.{}.opensm.conf", getpid());
  std::ofstream(file) << text << "sweep_interval 5\nsminfo_polling_timeout 2000\npacket_life_time 14\n"
                      << (beside.torus.empty() ? "" : "torus_config torus.conf\n")
                      << (beside.partitions.empty() ? "" : "partition_config_file partitions.conf\n");
  SourceSet sources;
  sources.provide(file.parent_path() / "bandwidths.conf", kBandwidths);
  if (!beside.torus.empty()) sources.provide(file.parent_path() / "torus.conf", beside.torus);
  if (!beside.partitions.empty()) sources.provide(file.parent_path() / "partitions.conf", beside.partitions);
  Diagnostics diagnostics;
  auto configuration = policy::load(file, sources, diagnostics);
  std::filesystem::remove(file);
  return std::make_shared<const policy::Policy>(std::move(*configuration.value().policy));
}

}  // namespace rch::sim::test
