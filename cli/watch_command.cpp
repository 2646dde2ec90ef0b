#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/control_socket.h"

namespace rch::cli {
namespace {

struct WatchFlags {
  std::string control = kControlSocket;
  std::optional<std::uint64_t> since;
  std::string format = "json";
};

/// A line of JSON as people read it.
std::string for_people(const Json& event) {
  return fmt::format("{} {} {} {}\n", event.text("time"), event.text("severity"), event.text("code"),
                     event.text("text"));
}

/// Lines go out as they come, until the manager stops or nobody reads them. An error is one line, too.
Exit watch(Context& context, const WatchFlags& flags) {
  std::optional<Error> refused;
  const auto print = [&](const std::string& line) {
    const auto told = Json::parse(line);
    if (told && told->find("error") != nullptr)
      refused = Error{ErrorKind::usage, *told->find("error")->string()};
    else
      std::fputs((flags.format == "text" && told ? for_people(*told) : line).c_str(), stdout);
    return !refused && std::fflush(stdout) == 0;
  };
  const auto watched = watch_control(flags.control, {flags.since}, print);
  if (!watched) return context.stop(watched.error());
  return refused ? context.stop(*refused) : Exit::good;
}

Exit run(const WatchFlags& flags) {
  Context context(Format::text);
  return context.end(watch(context, flags), {});
}

}  // namespace

void add_watch(const Command& rch) {
  const Command command = rch.command("watch", "Print the events of a running subnet manager, a line each");
  command.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<WatchFlags>();
  command.add("--since", flags->since, "Begin with the event of this number (default: with the next one)")
      .type("N");
  command.add("--format", flags->format, "Lines of JSON, or of text (default: json)")
      .one_of({"text", "json"})
      .type("text|json");
  command.add_control(flags->control);
  command.does([flags] { return run(*flags); });
}

}  // namespace rch::cli
