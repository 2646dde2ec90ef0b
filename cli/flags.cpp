#include "cli/flags.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/json.h"
#include "cli/overwrites.h"
#include "policy/build/rch_file/rch_file.h"

namespace rch::cli {

namespace {

/// What is wrong with a word that must be one of some; empty: nothing.
std::string none_of(const std::vector<std::string>& words, const std::string& word) {
  if (std::ranges::find(words, word) != words.end()) return {};
  const std::vector<std::string_view> candidates(words.begin(), words.end());
  const std::string_view meant = nearest(word, candidates);
  return fmt::format("`{}` is none of {}{}", printable(word), fmt::join(words, ", "),
                     meant.empty() ? "" : fmt::format("; did you mean `{}`?", meant));
}

/// Values that completions offer, which the library does not keep.
std::map<const CLI::Option*, std::vector<std::string>>& known_words() {
  static std::map<const CLI::Option*, std::vector<std::string>> words;
  return words;
}

FlagOutline outline_of(const CLI::Option& option) {
  FlagOutline flag;
  for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  if (flag.names.empty()) flag.names.push_back(option.get_name());
  if (option.get_expected_max() > 0) flag.type = option.get_type_name();
  flag.help = option.get_description();
  if (const auto known = known_words().find(&option); known != known_words().end())
    flag.words = known->second;
  return flag;
}

/// Flags of groups are flags of the command.
void add_flags_of(const CLI::App& app, CommandOutline& command) {
  for (const CLI::Option* option : app.get_options())
    (option->nonpositional() ? command.flags : command.arguments).push_back(outline_of(*option));
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; }))
    if (below->get_name().empty()) add_flags_of(*below, command);
}

CommandOutline outline_of(const CLI::App& app) {
  CommandOutline command{app.get_name(), app.get_description(), {}, {}, {}};
  add_flags_of(app, command);
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!below->get_name().empty()) command.commands.push_back(outline_of(*below));
  return command;
}

}  // namespace

Flag Flag::type(const std::string& name) const { return Flag(*option_->type_name(name)); }
Flag Flag::required() const { return Flag(*option_->required()); }
Flag Flag::one_of(const std::vector<std::string>& words) const { return suggest(words).checked(words); }
Flag Flag::suggest(const std::vector<std::string>& words) const {
  known_words()[option_] = words;
  return *this;
}
Flag Flag::checked(const std::vector<std::string>& words) const {
  return Flag(*option_->check([words](const std::string& word) { return none_of(words, word); }));
}
Flag Flag::between(int low, int high) const { return Flag(*option_->check(CLI::Range(low, high))); }
Flag Flag::values(int count) const { return Flag(*option_->expected(count)); }
Flag Flag::needs(Flag other) const { return Flag(*option_->needs(other.option_)); }
Flag Flag::excludes(Flag other) const { return Flag(*option_->excludes(other.option_)); }

/// A command leaves flags that it does not know to `rch`, which has those of all commands; one with commands
/// of its own does not, because it would pass a misspelt command on, too.
Command Command::command(const std::string& name, const std::string& about) const {
  app_->require_subcommand(1);
  app_->fallthrough(false);
  return {*app_->add_subcommand(name, about)->fallthrough(), *chosen_};
}

Command Command::optional_command(const std::string& name, const std::string& about) const {
  const Command below = command(name, about);
  app_->require_subcommand(0, 1);
  app_->fallthrough();
  return below;
}

void Command::exits(std::initializer_list<Exit> codes) const {
  std::string text = "Exit status:";
  for (const Exit code : codes) {
    const auto number = static_cast<std::size_t>(code);
    text += fmt::format("\n  {}  {}", number, kExitTexts[number]);
  }
  app_->footer(text);
}

Command Command::exactly_one() const {
  CLI::Option_group* group = app_->add_option_group("one of these");
  group->require_option(1);
  return {*group, *chosen_};
}

Flag Command::add(const std::string& name, bool& target, const std::string& help) const {
  return Flag(*app_->add_flag(name, target, help));
}
Flag Command::add(const std::string& name, int& target, const std::string& help) const {
  return Flag(*app_->add_option(name, target, help));
}
Flag Command::add(const std::string& name, std::uint32_t& target, const std::string& help) const {
  return Flag(*app_->add_option(name, target, help));
}
Flag Command::add(const std::string& name, std::uint64_t& target, const std::string& help) const {
  return Flag(*app_->add_option(name, target, help));
}
Flag Command::add(const std::string& name, std::optional<std::uint8_t>& target,
                  const std::string& help) const {
  return Flag(*app_->add_option(name, target, help));
}
Flag Command::add(const std::string& name, std::optional<std::uint64_t>& target,
                  const std::string& help) const {
  return Flag(*app_->add_option(name, target, help));
}
Flag Command::add(const std::string& name, std::string& target, const std::string& help) const {
  return Flag(*app_->add_option(name, target, help));
}
Flag Command::add(const std::string& name, std::vector<std::string>& target, const std::string& help) const {
  return Flag(*app_->add_option(name, target, help));
}

void Command::add_control(std::string& path) const {
  add("--control", path, "The socket it answers on (default: /run/rch/control; in a lab, one of the lab)")
      .type("SOCKET");
}

void Command::add_format(Format& format, const std::vector<Format>& formats) const {
  static const std::map<std::string, Format> kFormats{{"text", Format::text},
                                                      {"json", Format::json},
                                                      {"sarif", Format::sarif},
                                                      {"markdown", Format::markdown}};
  std::vector<std::string> names;
  for (const Format f : formats)
    names.push_back(std::ranges::find(kFormats, f, &std::pair<const std::string, Format>::second)->first);
  const auto take = [&format](const std::string& name) { format = kFormats.at(to_lower(name)); };
  auto* option = app_->add_option_function<std::string>(
      "--format", take, "How findings and results are printed (default: text)");
  known_words()[option] = names;
  option->check([names](const std::string& word) { return none_of(names, to_lower(word)); })
      ->type_name(fmt::format("{}", fmt::join(names, "|")));
}

CommandOutline Command::outline() const { return outline_of(*app_); }

namespace {

/// True if a command below was given. It knows nothing of the flags of this one.
bool refuses_own_flags_with_command_below(const CLI::App& command) {
  const auto below = command.get_subcommands();
  if (below.empty()) return false;
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0)
      throw CLI::ValidationError(
          fmt::format("{} goes without `{}`", option->get_name(), below.front()->get_name()));
  return true;
}

}  // namespace

void Command::does(Action action, std::function<std::string()> check) const {
  app_->callback([app = app_, chosen = chosen_, action = std::move(action), check = std::move(check)] {
    if (refuses_own_flags_with_command_below(*app)) return;  // that one does it
    if (check)
      if (const std::string wrong = check(); !wrong.empty()) throw CLI::ValidationError(wrong);
    *chosen = action;
  });
}

namespace {

/// `help COMMAND` and `version` as the flags that they are, in the reverse order that the library takes.
std::vector<std::string> arguments(int argc, char** argv, const CLI::App& rch) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "version") words = {"--version"};
  const auto is_meant = [&](const CLI::App* command) { return command->get_name() == words[1]; };
  const bool explains = words.size() == 2 && rch.get_subcommands(is_meant).empty();
  if (!words.empty() && words.front() == "help" && !explains) {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  std::reverse(words.begin(), words.end());
  return words;
}

/// What is wrong when a word stands where a command should, or none does; empty if neither is so.
std::string missing_command(const CLI::App& rch) {
  const CLI::App* at = &rch;
  std::string path = "rch";
  for (auto given = at->get_subcommands(); !given.empty(); given = at->get_subcommands()) {
    at = given.front();
    path += " " + at->get_name();
  }
  std::vector<std::string> names;
  for (const CLI::App* command : at->get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_name().empty()) names.push_back(command->get_name());
  if (names.empty()) return "";
  // A command that also does something alone leaves what it does not know to `rch`.
  const auto words = at->get_require_subcommand_min() > 0 ? at->remaining() : rch.remaining(true);
  const auto word =
      std::find_if(words.begin(), words.end(), [](const auto& w) { return !w.starts_with('-'); });
  const std::string list = fmt::format("commands of `{}`: {}\n", path, fmt::join(names, ", "));
  if (word == words.end())
    return words.empty() && at->get_require_subcommand_min() > 0
               ? fmt::format("rch: error: no command is given\n{}", list)
               : "";
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view meant = nearest(*word, candidates);
  return fmt::format("rch: error: no command is called `{}`{}\n{}", printable(*word),
                     meant.empty() ? "" : fmt::format("; did you mean `{}`?", meant), list);
}

std::vector<const CLI::App*> commands_of(const CLI::App& at) {
  return at.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

/// The flag of a command that a word is; null: it is none. Those of a group are flags of its command.
const CLI::Option* flag_of(const CLI::App& command, const std::string& word) {
  for (const CLI::Option* option : command.get_options())
    if (option->check_name(word)) return option;
  for (const CLI::App* group :
       command.get_subcommands([](const CLI::App* a) { return a->get_name().empty(); }))
    if (const CLI::Option* option = flag_of(*group, word)) return option;
  return nullptr;
}

/// The first command under `at` that has the flag; null: none has.
const CLI::App* command_with(const CLI::App& at, const std::string& flag) {
  for (const CLI::App* command : commands_of(at)) {
    if (flag_of(*command, flag) != nullptr) return command;
    if (const CLI::App* deeper = command_with(*command, flag)) return deeper;
  }
  return nullptr;
}

std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : path_of(*parent) + " " + command.get_name();
}

/// "`--flag` stands before ...": `words` are the flag and those behind it.
std::string misplaced(const CLI::App& at, const std::string& flag, std::span<char*> words) {
  const CLI::App* command = command_with(at, flag);
  if (command == nullptr) return "";
  for (const CLI::App* other : commands_of(at))
    if (std::ranges::find(words, other->get_name()) != words.end() && flag_of(*other, flag) != nullptr)
      command = other;
  const CLI::Option* option = flag_of(*command, flag);
  const std::string value = option->get_expected_max() > 0 ? " " + option->get_type_name() : "";
  return fmt::format("rch: error: `{0}` stands before the command that it belongs to: write `{1} {0}{2}`\n",
                     printable(flag), path_of(*command), value);
}

/// What is wrong when a flag stands before the command that has it; empty if none does. Its value would be
/// taken for a command.
std::string misplaced_flag(const CLI::App& rch, std::span<char*> words) {
  const CLI::App* at = &rch;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word(words[i]);
    if (!word.starts_with('-')) {
      const auto commands = commands_of(*at);
      const auto command = std::ranges::find(commands, word, &CLI::App::get_name);
      if (command == commands.end()) return "";
      at = *command;
      continue;
    }
    const std::string name = word.substr(0, word.find('='));
    const CLI::Option* own = flag_of(*at, name);
    if (own == nullptr) own = flag_of(rch, name);
    if (own == nullptr) return misplaced(*at, name, words.subspan(i));
    if (own->get_expected_max() > 0 && word == name) ++i;
  }
  return "";
}

/// Suggests a flag for one that the command does not have; empty if no flag is wrong.
std::string unknown_flag(const CLI::App& rch) {
  const CLI::App* at = &rch;
  std::string path = "rch";
  for (auto given = at->get_subcommands(); !given.empty(); given = at->get_subcommands()) {
    at = given.front();
    path += " " + at->get_name();
  }
  const auto words = rch.remaining(true);
  const auto word =
      std::find_if(words.begin(), words.end(), [](const auto& w) { return w.starts_with("--"); });
  if (word == words.end()) return "";
  std::vector<std::string> names;
  for (const CLI::App* command : {at, &rch})
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string flag = word->substr(0, word->find('='));
  const std::string_view meant = nearest(flag, candidates);
  return fmt::format("rch: error: `{}` has no flag `{}`{}\nRun with --help for more information.\n", path,
                     printable(flag), meant.empty() ? "" : fmt::format("; did you mean `{}`?", meant));
}

/// True if the command line asks for JSON, whatever else is wrong with it.
bool wants_json(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  const auto flag = std::ranges::find(words, "--format");
  return std::ranges::find(words, "--format=json") != words.end() ||
         (flag != words.end() && std::next(flag) != words.end() && to_lower(*std::next(flag)) == "json");
}

/// Prints an error in a command line as the JSON object that the command itself would have printed.
void print_usage_error(std::string_view text) {
  constexpr std::string_view kBegin = "rch: error: ";
  if (text.starts_with(kBegin)) text.remove_prefix(kBegin.size());
  const Json object{{"findings", Json::array()},
                    {"error", text.substr(0, text.find('\n'))},
                    {"exit", static_cast<int>(Exit::usage)}};
  std::fputs((object.dump(2) + "\n").c_str(), stdout);
}

}  // namespace

std::variant<Action, int> parse_command_line(int argc, char** argv, const ProgramTexts& texts,
                                             const std::function<void(const Command&)>& declare) {
  CLI::App app{texts.about, "rch"};
  app.set_version_flag("--version", texts.version);
  app.option_defaults()->always_capture_default(false);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("rch: error: {}\nRun with --help for more information.\n", error.what());
  });
  Action chosen;
  declare({app, chosen});
  try {
    app.parse(arguments(argc, argv, app));
  } catch (const CLI::ParseError& error) {
    // Help and version end here too, with code 0.
    std::string wrong = error.get_exit_code() == 0
                            ? ""
                            : misplaced_flag(app, std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
    if (wrong.empty() && error.get_exit_code() != 0) wrong = missing_command(app);
    // A flag that is misspelt may be missed as one that is required.
    const bool is_missed = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                           dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if (wrong.empty() && is_missed) wrong = unknown_flag(app);
    std::fputs(wrong.c_str(), stderr);
    if (wrong.empty() && app.exit(error) == 0) return 0;
    if (wants_json(argc, argv)) print_usage_error(wrong.empty() ? error.what() : wrong);
    return static_cast<int>(Exit::usage);
  }
  return chosen;
}

void add_conf(const Command& command, ConfFlags& flags) {
  const Flag conf =
      command.add("-F,--config", flags.opensm_conf, "An opensm.conf; it names the policy files").type("CONF");
  command.add("-C,--rch", flags.rch_file, "An rch.yaml; it names the opensm.conf or states options")
      .type("YAML")
      .excludes(conf);
}

std::string require_conf(const ConfFlags& flags) {
  return flags.given() ? "" : "a configuration (-F CONF or -C YAML) is required";
}

std::string require_writable(const std::string& file, const std::string& what) {
  if (file.empty()) return "";
  if (file == "-")
    return fmt::format("{} goes to a file, not to standard output; write `./-` for that name", what);
  const std::filesystem::path path(file);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code ignored;
  const auto refuse = [&](std::string_view why) {
    return fmt::format("cannot write `{}`: {}", printable(file), why);
  };
  if (std::filesystem::is_directory(path, ignored)) return refuse("it is a folder");
  if (!std::filesystem::is_directory(folder, ignored)) return refuse("there is no such folder");
  const bool is_special =
      std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
  if (::access(is_special ? path.c_str() : folder.c_str(), W_OK) != 0) return refuse(std::strerror(errno));
  return "";
}

std::string require_other_file(const std::string& file, const std::string& what,
                               const std::vector<std::string>& inputs) {
  std::error_code unknown;
  for (const std::string& input : inputs)
    if (!input.empty() && std::filesystem::is_regular_file(file, unknown) &&
        std::filesystem::equivalent(file, input, unknown))
      return fmt::format("cannot write {} to `{}`: it is read from there", what, printable(file));
  return require_writable(file, what);
}

void add_timings(const Command& command, std::string& file) {
  command.add("--timings", file, "Write milliseconds per phase and peak memory as JSON; - is standard output")
      .type("FILE");
}

void add_details(const Command& command, bool& details) {
  command.add("-v,--verbose", details, "Also print the fingerprint of the fabric, and what figures mean");
}

void add_metrics(const Command& command, bool& metrics) {
  command.add("--metrics", metrics,
              "Say how evenly the tables spread traffic: histograms, shifts, effective bisection bandwidth");
}

void add_strict(const Command& command, bool& strict) {
  command.add("--strict", strict, "Refuse a live fabric of which a part does not answer");
}

void add_path_sls(const Command& command, bool& dump, Flag dumps) {
  command.add("--dump-path-sls", dump, "With them path-sl.dump, the SL of every path between hosts: large")
      .needs(dumps);
}

void add_previous(const Command& command, std::string& previous) {
  command
      .add("--previous", previous,
           "The plan installed before: its LIDs and routes are kept where they hold, its SLs are those of "
           "hosts")
      .type("PLAN");
}

void add_accept(const Command& command, std::vector<std::string>& accept,
                const std::vector<std::string>& more) {
  std::vector<std::string> kinds(std::begin(policy::kFindings), std::end(policy::kFindings));
  kinds.insert(kinds.end(), more.begin(), more.end());
  command
      .add("--accept", accept,
           fmt::format("Finding that does not forbid the commit (may be repeated): {}",
                       fmt::join(kinds, ", ")))
      .one_of(kinds)
      .type("FINDING");
}

}  // namespace rch::cli
