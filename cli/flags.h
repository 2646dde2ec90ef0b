#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/exit.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rch::cli {

enum class Format { text, json, sarif, markdown };

/// What a chosen command does once its flags are parsed.
using Action = std::function<Exit()>;

/// A flag or argument: its name, and the values that it takes.
struct FlagOutline {
  std::vector<std::string> names;  ///< with dashes; of an argument one, without
  std::string type;                ///< how help names the value; empty: it takes none
  std::string help;
  std::vector<std::string> words;  ///< values that are known; empty: any
};

/// A command as completions and pages list it.
struct CommandOutline {
  std::string name, about;
  std::vector<FlagOutline> flags, arguments;
  std::vector<CommandOutline> commands;
};

/// One flag or argument of a command. A handle: the command owns what it names.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  /// How help names the value, `FILE`.
  Flag type(const std::string& name) const;
  Flag required() const;
  Flag one_of(const std::vector<std::string>& words) const;
  /// Values that completions offer; others are taken, too.
  Flag suggest(const std::vector<std::string>& words) const;
  Flag between(int low, int high) const;
  Flag values(int count) const;
  Flag needs(Flag other) const;
  Flag excludes(Flag other) const;

 private:
  Flag checked(const std::vector<std::string>& words) const;

  CLI::Option* option_;
};

/// A command under declaration. A handle over the library that parses the command line, which is included by
/// flags.cpp only because it takes seconds to compile.
class Command {
 public:
  Command(CLI::App& app, Action& chosen) : app_(&app), chosen_(&chosen) {}

  /// A command below this one, of which exactly one must be given.
  Command command(const std::string& name, const std::string& about) const;
  /// The same, of a command that also does something without it.
  Command optional_command(const std::string& name, const std::string& about) const;
  /// The exit codes that help lists.
  void exits(std::initializer_list<Exit> codes) const;
  /// Flags of which exactly one must be given.
  Command exactly_one() const;

  /// Names that begin with `-` are flags, others are arguments. Keeps a reference to the target.
  Flag add(const std::string& name, bool& target, const std::string& help) const;
  Flag add(const std::string& name, int& target, const std::string& help) const;
  Flag add(const std::string& name, std::uint32_t& target, const std::string& help) const;
  Flag add(const std::string& name, std::uint64_t& target, const std::string& help) const;
  Flag add(const std::string& name, std::optional<std::uint8_t>& target, const std::string& help) const;
  Flag add(const std::string& name, std::optional<std::uint64_t>& target, const std::string& help) const;
  Flag add(const std::string& name, std::string& target, const std::string& help) const;
  Flag add(const std::string& name, std::vector<std::string>& target, const std::string& help) const;
  /// `--control`, of commands that ask a running subnet manager.
  void add_control(std::string& path) const;
  /// `--format`.
  void add_format(Format& format, const std::vector<Format>& formats = {Format::text, Format::json}) const;

  /// The command with all below it. While the command line is parsed it is complete.
  CommandOutline outline() const;

  /// What the command does. `check` returns what is wrong with flags that do not go together; empty: nothing.
  void does(Action action, std::function<std::string()> check = {}) const;

 private:
  CLI::App* app_;
  Action* chosen_;
};

struct ProgramTexts {
  std::string about, version;
};

/// Parses a command line that `declare` describes. `help COMMAND` and `version` are read as flags. Returns
/// what was chosen; or the exit code of the process when help, the version or a wrong usage was printed.
std::variant<Action, int> parse_command_line(int argc, char** argv, const ProgramTexts& texts,
                                             const std::function<void(const Command&)>& declare);

// Flags that mean the same in every command.

/// Where a configuration starts: one of the two.
struct ConfFlags {
  std::string opensm_conf, rch_file;

  bool given() const { return !opensm_conf.empty() || !rch_file.empty(); }
};

void add_conf(const Command& command, ConfFlags& flags);
/// A check for commands that cannot do without.
std::string require_conf(const ConfFlags& flags);
/// Says why `what` cannot be written to the file, before work is done for it; empty if it can or none is
/// named.
std::string require_writable(const std::string& file, const std::string& what);
void add_timings(const Command& command, std::string& file);
void add_metrics(const Command& command, bool& metrics);
/// `-v`.
void add_details(const Command& command, bool& details);
/// `--strict` of commands that may read a live fabric.
void add_strict(const Command& command, bool& strict);
void add_path_sls(const Command& command, bool& dump, Flag dumps);
void add_previous(const Command& command, std::string& previous);
/// `more`: kinds of finding besides those of a verdict.
void add_accept(const Command& command, std::vector<std::string>& accept,
                const std::vector<std::string>& more = {});

}  // namespace rch::cli
