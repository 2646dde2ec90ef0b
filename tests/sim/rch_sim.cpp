// Runs managers on fabrics in memory while things go wrong. Everything comes from a seed, so a run that fails
// can be repeated: rch_sim --seed N --verbose.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "sim/simulation.h"

namespace {

constexpr const char* kUsage =
    "rch_sim [--seed N] [--count N] [--mute] [--told] [--keys] [--verbose]\n"
    "Runs simulations N, N + 1, ... and prints the seed of each that fails. Exit 1 if one does.\n";

struct Arguments {
  std::uint64_t seed = 1, count = 1;
  bool verbose = false;
  rch::sim::test::Faults faults;
};

bool parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--verbose")
      arguments.verbose = true;
    else if (word == "--mute")
      arguments.faults.mute = true;
    else if (word == "--told")
      arguments.faults.told = true;
    else if (word == "--keys")
      arguments.faults.keys = true;
    else if (word == "--seed" && i + 1 < argc)
      arguments.seed = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--count" && i + 1 < argc)
      arguments.count = std::strtoull(argv[++i], nullptr, 10);
    else
      return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  std::size_t failed = 0;
  rch::sim::test::Outcome all;
  for (std::uint64_t seed = arguments.seed; seed < arguments.seed + arguments.count; ++seed) {
    const auto outcome = rch::sim::test::Simulation(seed, arguments.verbose, arguments.faults).run();
    all.writes += outcome.writes;
    all.sweeps += outcome.sweeps;
    all.plans += outcome.plans;
    all.faults_injected += outcome.faults_injected;
    all.hosts += outcome.hosts;
    if (outcome.fault.empty()) continue;
    ++failed;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), outcome.fault.c_str());
  }
  std::printf("%llu runs, %zu failed: %zu faults injected, %zu sweeps, %zu plans, %zu writes judged\n",
              static_cast<unsigned long long>(arguments.count), failed, all.faults_injected, all.sweeps,
              all.plans, all.writes);
  std::printf("hosts: %zu answers, %zu refusals, %zu given up, %zu tables, %zu reports\n", all.hosts.answered,
              all.hosts.refused, all.hosts.given_up, all.hosts.tables, all.hosts.reports);
  return failed == 0 ? 0 : 1;
}
