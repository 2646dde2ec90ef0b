// Runs managers on fabrics in memory while things go wrong. Everything comes from a seed, so a run that fails
// can be repeated: rch_sim --seed N --verbose.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "sim/job_start.h"
#include "sim/simulation.h"

namespace {

constexpr const char* kUsage =
    "rch_sim [--seed N] [--count N] [--mute] [--told] [--keys] [--errors] [--tori] [--equipped] [--tenants] "
    "[--verbose]\n"
    "Runs simulations N, N + 1, ... and prints the seed of each that fails. Exit 1 if one does.\n"
    "rch_sim --job-start [--seed N] [--hosts N] [--window N] [--patience MS] [--tries N]\n"
    "Every host asks for the paths to all others. Exit 1 if a query is given up or answered late.\n";

struct Arguments {
  std::uint64_t seed = 1, count = 1;
  bool verbose = false;
  rch::sim::test::Faults faults;
  bool is_job_start = false;
  rch::sim::test::JobStart job;
};

/// True: `word` is an option with a number, which is taken.
bool takes_number(const std::string& word, const char* number, Arguments& arguments) {
  const std::uint64_t value = std::strtoull(number, nullptr, 10);
  if (word == "--seed")
    arguments.seed = arguments.job.seed = value;
  else if (word == "--count")
    arguments.count = value;
  else if (word == "--hosts")
    arguments.job.hosts = static_cast<std::uint32_t>(value);
  else if (word == "--window")
    arguments.job.window = value;
  else if (word == "--patience")
    arguments.job.patience = std::chrono::milliseconds{value};
  else if (word == "--tries")
    arguments.job.tries = static_cast<unsigned>(value);
  else
    return false;
  return true;
}

bool parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--verbose")
      arguments.verbose = true;
    else if (word == "--mute")
      arguments.faults.mute = true;
    else if (word == "--told")
      arguments.faults.told = true;
    else if (word == "--errors")
      arguments.faults.errors = true;
    else if (word == "--tori")
      arguments.faults.tori = true;
    else if (word == "--equipped")
      arguments.faults.equipped = true;
    else if (word == "--tenants")
      arguments.faults.tenants = true;
    else if (word == "--keys")
      arguments.faults.keys = true;
    else if (word == "--job-start")
      arguments.is_job_start = true;
    else if (i + 1 < argc && takes_number(word, argv[i + 1], arguments))
      ++i;
    else
      return false;
  }
  return true;
}

int run_job_start(const rch::sim::test::JobStart& job) {
  const auto outcome = rch::sim::test::run(job);
  std::printf(
      "%zu hosts ask for %zu paths, %zu at once each, in %u tries of %lld ms; %llu of 1000 datagrams are "
      "lost\n",
      outcome.hosts, outcome.queries, job.window, job.tries, static_cast<long long>(job.patience.count()),
      static_cast<unsigned long long>(job.loss));
  std::printf("%zu requests came, %zu were answered, %zu needed no other answer; %zu sweeps meanwhile\n",
              outcome.arrived, outcome.answers, outcome.repeated, outcome.sweeps);
  std::printf("%zu paths, %zu refusals, %zu given up, %zu late; the longest took %lld ms, all %lld ms\n",
              outcome.answered, outcome.refused, outcome.given_up, outcome.late,
              static_cast<long long>(outcome.longest.count()), static_cast<long long>(outcome.all.count()));
  return outcome.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  if (arguments.is_job_start) return run_job_start(arguments.job);
  std::size_t failed = 0;
  rch::sim::test::Outcome all;
  for (std::uint64_t seed = arguments.seed; seed < arguments.seed + arguments.count; ++seed) {
    const auto outcome = rch::sim::test::Simulation(seed, arguments.verbose, arguments.faults).run();
    all.writes += outcome.writes;
    all.sweeps += outcome.sweeps;
    all.plans += outcome.sweeps;
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
