#include "sim/policies.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "policy/build/front_end.h"

namespace rch::sim::test {

namespace {

constexpr std::string_view kBandwidths =
    "BW_NAMES\nslow = 2500\nbulk = 20000\nBW_RULES\ndefault = all:bulk, 3:slow\n";

}  // namespace

std::shared_ptr<const policy::Policy> read_policy(std::string text) {
  const auto folder = std::filesystem::temp_directory_path();
  const auto file = folder / fmt::format("rch_sim.{}.opensm.conf", getpid());
  const auto bandwidths = folder / fmt::format("rch_sim.{}.bandwidths", getpid());
  constexpr std::string_view kName = "BANDWIDTHS";
  if (const auto at = text.find(kName); at != std::string::npos)
    text.replace(at, kName.size(), bandwidths.string());
  std::ofstream(bandwidths) << kBandwidths;
  std::ofstream(file) << text << "sweep_interval 5\nsminfo_polling_timeout 2000\npacket_life_time 14\n";
  SourceSet sources;
  Diagnostics diagnostics;
  auto configuration = policy::load(file, sources, diagnostics);
  std::filesystem::remove(file);
  std::filesystem::remove(bandwidths);
  return std::make_shared<const policy::Policy>(std::move(*configuration.value().policy));
}

}  // namespace rch::sim::test
