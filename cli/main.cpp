#include <cstdio>
#include <exception>

#include <fmt/format.h>
#include <malloc.h>

#include "cli/commands.h"
#include "cli/commit.h"
#include "cli/layout.h"
#include "cli/threads.h"

namespace rch::cli {
namespace {

ProgramTexts texts() {
  return {.about = R"(Lints, plans, proves and commits InfiniBand routing chains.

FABRIC is a file (ibnetdiscover text, opensm-subnet.lst or an rch snapshot, told apart by content)
or live[:CA[:PORT]], the fabric behind a port of this machine.)",
          .version = fmt::format("rch {} (commit {})", RCH_VERSION, kCommit)};
}

/// The exit code, unless the output did not get through: nobody may take half a report for a good one.
int finished(Exit code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return static_cast<int>(code);
  std::fputs("rch: error: cannot write to standard output\n", stderr);
  return static_cast<int>(code == Exit::good ? Exit::usage : code);
}

int run(int argc, char** argv) {
  int threads = 0;
  std::string color = "auto";
  const auto parsed = parse_command_line(argc, argv, texts(), [&](const Command& rch) {
    rch.exits({Exit::good, Exit::findings, Exit::usage, Exit::unroutable, Exit::forbidden, Exit::fabric});
    rch.add("--threads", threads, "Threads for routing and proving (default: one per core)").between(1, 1024);
    rch.add("--color", color,
            "Colors: auto (default: on a terminal, unless NO_COLOR is set), always or never")
        .one_of({"auto", "always", "never"})
        .type("WHEN");
    add_lint(rch);
    add_plan(rch);
    add_verify(rch);
    add_diff(rch);
    add_whatif(rch);
    add_certify(rch);
    add_test(rch);
    add_trace(rch);
    add_explain(rch);
    add_report(rch);
    add_export(rch);
    add_apply(rch);
    add_run(rch);
    add_lab(rch);
    add_replay(rch);
    add_status(rch);
    add_reload(rch);
    add_confirm(rch);
    add_sweep(rch);
    add_partition(rch);
    add_quarantine(rch);
    add_drain(rch);
    add_undrain(rch);
    add_watch(rch);
    add_history(rch);
    add_blame(rch);
    add_sa(rch);
    add_fabric(rch);
    add_show(rch);
    add_completion(rch);
    add_help(rch);
  });
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  use_color(color == "always"  ? ColorWhen::always
            : color == "never" ? ColorWhen::never
                               : ColorWhen::automatic);
  if (threads > 0) limit_threads(static_cast<unsigned>(threads));
  return finished(std::get<Action>(parsed)());
}

}  // namespace
}  // namespace rch::cli

int main(int argc, char** argv) {
  // A buffer of that size goes back to the system as soon as it is freed. By default glibc begins to keep
  // such buffers once it has freed one, and a proof of a large fabric has many, one after the other.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  try {
    return rch::cli::run(argc, argv);
  } catch (const std::exception& error) {  // memory that is not to be had
    std::fprintf(stderr, "rch: error: %s\n", error.what());
    return static_cast<int>(rch::cli::Exit::usage);
  }
}
