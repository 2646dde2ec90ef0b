#include <memory>
#include <vector>

#include "cli/context.h"
#include "cli/flags.h"
#include "cli/generate.h"
#include "fabric/join.h"

namespace rch::cli {
namespace {

struct JoinFlags {
  std::string a, b, file, to = "ibnetdiscover";
  std::vector<std::string> links;
};

Result<std::vector<fabric::JoinLink>> read_links(const std::vector<std::string>& texts) {
  std::vector<fabric::JoinLink> links;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
      return fail(ErrorKind::usage, fmt::format("`{}` names no two switches; write A:B", text));
    links.push_back({text.substr(0, colon), text.substr(colon + 1)});
  }
  return links;
}

Exit join(const JoinFlags& flags) {
  Context context(Format::text);
  const auto end = [&](const Error& error) {
    context.output.error(error);
    return context.output.finish(exit_of(error.kind));
  };
  const auto links = read_links(flags.links);
  if (!links) return end(links.error());
  const auto a = read_fabric(context, flags.a, {});
  if (!a) return context.output.finish(a.error());
  const auto b = read_fabric(context, flags.b, {});
  if (!b) return context.output.finish(b.error());
  const auto joined = fabric::join(*a, *b, *links);
  if (!joined) return end(joined.error());
  if (auto written = write_fabric(*joined, form_named(flags.to), flags.file); !written)
    return end(written.error());
  return Exit::good;
}

}  // namespace

void add_join(const Command& fabric) {
  const Command command = fabric.command("join", "Make one fabric of two, with cables between them");
  command.exits({Exit::good, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<JoinFlags>();
  command.add("A", flags->a, "The first fabric; its origin stays").required();
  command.add("B", flags->b, "The second fabric").required();
  command.add("--link", flags->links, "A cable between a switch of A and one of B (may be repeated)")
      .type("A:B")
      .required();
  add_writing(command, flags->to, flags->file);
  command.does([flags] { return join(*flags); });
}

}  // namespace rch::cli
