// `rch completion SHELL`: what bash, zsh and fish need to complete a command line of rch, made of the
// declarations that the command line is parsed by.
//
// The scripts for bash and zsh share one function. It follows the commands of the line, and tells what may
// stand at the cursor: words, files, folders or nothing that is known.

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/context.h"

namespace rch::cli {
namespace {

enum class Kind { none, words, files, folders };
constexpr std::string_view kKindNames[] = {"none", "words", "files", "folders"};

/// Returns what a flag or argument takes, by how help names it. Arguments without a name of their own are
/// files.
Kind kind_of(const FlagOutline& flag) {
  constexpr std::string_view kFiles[] = {"FILE",   "CONF",   "YAML", "PLAN",
                                         "FABRIC", "SOCKET", "PATH", "TABLES"};
  if (!flag.words.empty()) return Kind::words;
  if (flag.type == "DIR") return Kind::folders;
  const std::string_view type = std::string_view(flag.type).substr(0, flag.type.find_first_of(":( "));
  const bool is_argument = !flag.names.front().starts_with('-');
  const bool is_file = std::ranges::find(kFiles, type) != std::end(kFiles);
  return is_file || (is_argument && type == "TEXT") ? Kind::files : Kind::none;
}

/// Calls `use` with each command and the words that lead to it, `rch fabric info`.
template <class Use>
void walk(const CommandOutline& command, const std::string& path, const Use& use) {
  use(command, path);
  for (const CommandOutline& below : command.commands) walk(below, path + " " + below.name, use);
}

std::vector<std::string> names_of(const std::vector<CommandOutline>& commands) {
  std::vector<std::string> names;
  for (const CommandOutline& command : commands) names.push_back(command.name);
  return names;
}

/// Lists the words that may stand at the cursor when no flag waits for a value.
std::pair<Kind, std::vector<std::string>> arguments_of(const CommandOutline& command) {
  if (!command.commands.empty()) return {Kind::words, names_of(command.commands)};
  Kind kind = Kind::none;
  for (const FlagOutline& argument : command.arguments) {
    if (kind_of(argument) == Kind::words) return {Kind::words, argument.words};
    kind = std::max(kind, kind_of(argument));
  }
  return {kind, {}};
}

/// Patterns of `case`, by what stands behind them.
using Cases = std::map<std::string, std::vector<std::string>>;

std::string text_of(const Cases& cases, std::string_view behind) {
  std::string text;
  for (const auto& [action, patterns] : cases)
    text += fmt::format("    \"{}\") {}{} ;;\n", fmt::join(patterns, "\" | \""), action, behind);
  return text;
}

std::string assignment(Kind kind, const std::vector<std::string>& words) {
  return fmt::format("kind={} list=\"{}\"", kKindNames[static_cast<std::size_t>(kind)],
                     fmt::join(words, " "));
}

/// The function that bash and zsh share.
std::string common_function(const CommandOutline& rch) {
  std::vector<std::string> paths;
  Cases values, places;
  walk(rch, "rch", [&](const CommandOutline& command, const std::string& path) {
    if (path != "rch") paths.push_back(path);
    std::vector<std::string> flags;
    std::vector<FlagOutline> all = command.flags;
    if (path != "rch") all.insert(all.end(), rch.flags.begin(), rch.flags.end());
    for (const FlagOutline& flag : all)
      for (const std::string& name : flag.names) {
        flags.push_back(name);
        if (!flag.type.empty()) values[assignment(kind_of(flag), flag.words)].push_back(path + " " + name);
      }
    std::ranges::sort(flags);
    flags.erase(std::unique(flags.begin(), flags.end()), flags.end());
    const auto [kind, words] = arguments_of(command);
    places[fmt::format("{} flags=\"{}\"", assignment(kind, words), fmt::join(flags, " "))].push_back(path);
  });
  return fmt::format(R"(# Sets what may stand behind the words: kind, the words of the list, and the flags.
_rch_look() {{
  local at=rch previous= word
  for word in "$@"; do
    case "$at $word" in
    "{}") at="$at $word" ;;
    esac
    previous=$word
  done
  case "$at $previous" in
{}  esac
  case "$at" in
{}  esac
}}
)",
                     fmt::join(paths, "\" | \""), text_of(values, "; return"), text_of(places, ""));
}

constexpr std::string_view kBash = R"(_rch() {
  local kind=none list= flags= current=${COMP_WORDS[COMP_CWORD]}
  local -a before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
  # bash cuts `--flag=value` in three.
  if [[ $current == "=" ]]; then
    current=
  elif ((${#before[@]})) && [[ ${before[-1]} == "=" ]]; then
    unset 'before[-1]'
  fi
  _rch_look "${before[@]}"
  COMPREPLY=()
  if [[ $current == -* ]]; then kind=words list=$flags; fi
  case $kind in
  words) mapfile -t COMPREPLY < <(compgen -W "$list" -- "$current") ;;
  files) compopt -o default 2> /dev/null ;;
  folders) mapfile -t COMPREPLY < <(compgen -d -- "$current") && compopt -o filenames 2> /dev/null ;;
  esac
}
complete -F _rch rch
)";

constexpr std::string_view kZsh = R"(_rch() {
  local kind=none list= flags= current=${words[CURRENT]}
  local -a before
  before=("${(@)words[2,CURRENT-1]}")
  if [[ $current == --*=* ]]; then
    before+=("${current%%=*}")
    compset -P '*='
    current=
  fi
  _rch_look "${before[@]}"
  if [[ $current == -* ]]; then kind=words list=$flags; fi
  case $kind in
  words) compadd -- ${=list} ;;
  files) _files ;;
  folders) _files -/ ;;
  esac
}
if [[ ${funcstack[1]} == _rch ]]; then _rch "$@"; else compdef _rch rch; fi
)";

/// In single quotes of fish.
std::string fish_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  return "'" + out + "'";
}

std::string fish_values(const FlagOutline& flag) {
  switch (kind_of(flag)) {
    case Kind::words:
      return fmt::format(" -x -a {}", fish_quoted(fmt::format("{}", fmt::join(flag.words, " "))));
    case Kind::files:
      return " -r -F";
    case Kind::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Kind::none:
      break;
  }
  return flag.type.empty() ? "" : " -x";
}

std::string fish_lines(const CommandOutline& command, const std::string& path) {
  const std::string begin = fmt::format("complete -c rch -n '__rch_at \"{}\"'", path);
  std::string text;
  for (const CommandOutline& below : command.commands)
    text += fmt::format("{} -a {} -d {}\n", begin, below.name, fish_quoted(below.about));
  for (const FlagOutline& flag : command.flags) {
    text += path == "rch" ? "complete -c rch" : begin;  // flags of rch go with each command
    for (const std::string& name : flag.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    text += fmt::format("{} -d {}\n", fish_values(flag),
                        fish_quoted(flag.help.substr(0, flag.help.find_first_of(":(;"))));
  }
  const auto [kind, words] = arguments_of(command);
  if (kind == Kind::files || kind == Kind::folders) text += begin + " -F\n";
  if (kind == Kind::words && command.commands.empty())
    text += fmt::format("{} -a {}\n", begin, fish_quoted(fmt::format("{}", fmt::join(words, " "))));
  return text;
}

std::string fish_script(const CommandOutline& rch) {
  std::vector<std::string> paths;
  std::string lines;
  walk(rch, "rch", [&](const CommandOutline& command, const std::string& path) {
    if (path != "rch") paths.push_back(fish_quoted(path));
    lines += fish_lines(command, path);
  });
  return fmt::format(R"(# Completes rch in fish; made by `rch completion fish`.
set -g __rch_paths {}
# True if the commands of the line are these.
function __rch_at
  set -l at rch
  for word in (commandline -opc)[2..-1]
    contains -- "$at $word" $__rch_paths; and set at "$at $word"
  end
  test "$at" = "$argv[1]"
end
complete -c rch -f
{})",
                     fmt::join(paths, " "), lines);
}

std::string script_for(const std::string& shell, const CommandOutline& rch) {
  if (shell == "fish") return fish_script(rch);
  const std::string title = fmt::format("# Completes rch in {0}; made by `rch completion {0}`.\n", shell);
  if (shell == "zsh") return fmt::format("#compdef rch\n{}{}{}", title, common_function(rch), kZsh);
  return fmt::format("{}{}{}", title, common_function(rch), kBash);
}

}  // namespace

void add_completion(const Command& rch) {
  struct Flags {
    std::string shell;
    CommandOutline outline;
  };
  const Command command =
      rch.command("completion", "Print a script that completes command lines of rch in a shell");
  command.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<Flags>();
  command.add("SHELL", flags->shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  command.does(
      [flags] {
        Output output(Format::text);
        output.text(script_for(flags->shell, flags->outline));
        return output.finish(Exit::good);
      },
      [flags, rch] {  // the declarations are gone when the command runs
        flags->outline = rch.outline();
        return std::string();
      });
}

}  // namespace rch::cli
