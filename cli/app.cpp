#include "cli/app.h"

#include <cstdio>
#include <exception>
#include <memory>

#include <tbb/global_control.h>
#include <CLI/CLI.hpp>

namespace rch::cli {
namespace {

constexpr const char* kAbout = R"(Lints, plans, proves and commits InfiniBand routing chains.

FABRIC is a file (ibnetdiscover text, opensm-subnet.lst or an rch snapshot, told apart by content)
or live[:CA[:PORT]], the fabric behind a port of this machine.)";

constexpr const char* kExitCodes = R"(Exit status:
  0  good
  1  findings of error grade
  2  wrong usage or unreadable input
  3  no engine of the chain could route
  4  the verdict forbids the commit
  5  the fabric refused or lost a write)";

/// The exit code, unless the output did not get through: nobody may take half a report for a good one.
int finished(Exit code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return static_cast<int>(code);
  std::fputs("rch: error: cannot write to standard output\n", stderr);
  return static_cast<int>(code == Exit::good ? Exit::usage : code);
}

int parse_and_act(int argc, char** argv) {
  CLI::App app{kAbout, "rch"};
  app.footer(kExitCodes);
  app.set_version_flag("--version", "rch " RCH_VERSION);
  app.require_subcommand(1);
  app.option_defaults()->always_capture_default(false);
  int threads = 0;
  app.add_option("--threads", threads, "Threads for routing and proving (default: one per core)")
      ->check(CLI::Range(1, 1024));

  Action action;
  add_lint(app, action);
  add_plan(app, action);
  add_verify(app, action);
  add_trace(app, action);
  add_apply(app, action);
  add_fabric(app, action);
  add_show(app, action);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version end here too, with code 0.
    return app.exit(error) == 0 ? 0 : static_cast<int>(Exit::usage);
  }
  std::unique_ptr<tbb::global_control> limit;
  if (threads > 0)
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(threads));
  return finished(action());
}

}  // namespace

int run(int argc, char** argv) noexcept {
  try {
    return parse_and_act(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rch: error: %s\n", error.what());
    return static_cast<int>(Exit::usage);
  }
}

}  // namespace rch::cli
