#pragma once

#include <functional>

#include "cli/exit.h"

namespace CLI {
class App;
}

namespace rch::cli {

/// The rch command; returns the exit code of the process. What the libraries below throw (memory that is not
/// to be had) ends here as an error.
int run(int argc, char** argv) noexcept;

/// What a chosen command does once its flags are parsed.
using Action = std::function<Exit()>;

// One function per command: declares its flags on `app` and leaves in `action` what to do when it is chosen.
void add_lint(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_apply(CLI::App& app, Action& action);
void add_trace(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_fabric(CLI::App& app, Action& action);
void add_show(CLI::App& app, Action& action);

}  // namespace rch::cli
