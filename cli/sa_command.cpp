#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/live.h"
#include "cli/stop_signals.h"
#include "conformance/conformance.h"
#include "hw/causes.h"

namespace rch::cli {
namespace {

namespace c = conformance;

struct SaTestFlags {
  std::string fabric = "live";
  std::vector<std::string> only;
  std::uint64_t sa_key = 1;
  std::optional<std::uint64_t> m_key;
  Format format = Format::text;
};

/// The tests of --only, all without it. Fails (usage) when a name is that of no test.
Result<std::vector<c::Test>> chosen_tests(const std::vector<std::string>& only) {
  std::vector<c::Test> tests = c::all_tests();
  if (only.empty()) return tests;
  for (const std::string& name : only) {
    if (std::ranges::find(tests, name, &c::Test::name) != tests.end()) continue;
    std::vector<std::string> names;
    for (const c::Test& test : tests) names.push_back(test.name);
    return fail(ErrorKind::usage,
                fmt::format("`{}` is no test; tests are: {}", name, fmt::join(names, ", ")));
  }
  std::erase_if(tests, [&](const c::Test& test) { return std::ranges::find(only, test.name) == only.end(); });
  return tests;
}

void print(Output& output, const c::TestResult& result) {
  output.line(
      fmt::format("{:<48}{:<16}{}", result.name, name_of(result.finding.outcome), result.finding.seen));
  std::fflush(stdout);  // whoever reads a pipe sees each result when it is there
}

Json test_json(const c::TestResult& result) {
  return {{"name", result.name},
          {"about", result.about},
          {"result", name_of(result.finding.outcome)},
          {"seen", result.finding.seen}};
}

Exit sa_test(Context& context, const SaTestFlags& flags) {
  const auto tests = chosen_tests(flags.only);
  if (!tests) return context.stop(tests.error());
  const auto port = live_port(flags.fabric);
  if (!port) return context.stop(port.error());
  if (!*port)
    return context.stop({ErrorKind::usage, "--fabric must be live[:CA[:PORT]]; a file answers no requests"});
  const std::atomic<bool>& stop = stop_on_signals();
  auto transport = hw::UmadTransport::open(**port, hw::Serves::reports);
  if (!transport) return context.stop(transport.error());
  c::Client client(**transport, stop);
  auto session = c::Session::begin(client, {.sa_key = flags.sa_key, .m_key = flags.m_key});
  if (!session) return context.stop(session.error());

  std::array<std::size_t, 4> counts{};
  auto results = Json::array();
  c::run(*session, *tests, [&](const c::TestResult& result) {
    ++counts[static_cast<std::size_t>(result.finding.outcome)];
    print(context.output, result);
    results.push_back(test_json(result));
  });
  std::vector<std::string> sums;
  for (const auto outcome :
       {c::Outcome::pass, c::Outcome::fail, c::Outcome::skipped, c::Outcome::not_observable})
    sums.push_back(fmt::format("{} {}", counts[static_cast<std::size_t>(outcome)], name_of(outcome)));
  context.output.line(fmt::format("{}", fmt::join(sums, ", ")));
  context.output.json("tests", results);
  if (stop)
    return context.stop(
        hw::error_of(hw::causes::kStopped, "a signal ended the test; what it registered is removed"));
  return counts[static_cast<std::size_t>(c::Outcome::fail)] == 0 ? Exit::good : Exit::findings;
}

}  // namespace

void add_sa(const Command& rch) {
  const Command sa = rch.command("sa", "Ask the subnet administration of a live fabric");
  const Command command =
      sa.command("test", "Test a subnet manager and its administration, whoever made it, for conformance");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<SaTestFlags>();
  command.add("--fabric", flags->fabric, "The port to ask from (default: live)").type("live[:CA[:PORT]]");
  command.add("--only", flags->only, "The test of that name (may be repeated; default: all)").type("NAME");
  command.add("--sa-key", flags->sa_key, "The SA_Key of trusted requests; 0: there is none (default: 1)")
      .type("KEY");
  command.add("--m-key", flags->m_key, "The M_Key of the ports of this machine and of the subnet manager")
      .type("KEY");
  command.add_format(flags->format);
  command.does([flags] {
    Context context(flags->format);
    return context.end(sa_test(context, *flags), {});
  });
}

}  // namespace rch::cli
