#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/flags.h"
#include "cli/generate.h"
#include "cli/output.h"
#include "fabric/faults.h"
#include "fabric/generator.h"
#include "fabric/join.h"

namespace rch::cli {
namespace {

struct GenerateFlags {
  std::string kind, size, file, torus_conf, to = "ibnetdiscover";
  std::string switch_guid, host_guid, equipment;
  fabric::GeneratorOptions options;
  fabric::Faults faults;  ///< its seed serves everything random
};

tl::unexpected<Error> bad_size(const GenerateFlags& flags, std::string_view form) {
  return fail(ErrorKind::usage,
              fmt::format("`{}` is no size of a {}; write {}", flags.size, flags.kind, form));
}

/// "6x5tx4m" cut at the x: numbers, each with its suffix letter or 0.
Result<std::vector<std::pair<std::uint32_t, char>>> cut_size(const GenerateFlags& flags,
                                                             std::string_view form) {
  std::vector<std::pair<std::uint32_t, char>> parts;
  std::string_view rest = flags.size;
  while (true) {
    const std::size_t cross = rest.find('x');
    std::string_view word = rest.substr(0, cross);
    char suffix = 0;
    if (!word.empty() && (word.back() == 't' || word.back() == 'm')) {
      suffix = word.back();
      word.remove_suffix(1);
    }
    const auto number = parse_integer(word);
    if (!number || *number == 0 || *number > 65535) return bad_size(flags, form);
    parts.emplace_back(static_cast<std::uint32_t>(*number), suffix);
    if (cross == std::string_view::npos) return parts;
    rest.remove_prefix(cross + 1);
  }
}

using Shape = fabric::Topology;
using Parts = std::vector<std::pair<std::uint32_t, char>>;

/// How the size of each kind is written, and what it makes.
struct Kind {
  std::string_view form;
  std::size_t fewest, most;  ///< numbers in the size
  Shape (*shape)(const Parts& size, const GenerateFlags& flags);
};

Shape grid(const Parts& size, bool wraps) {
  fabric::Grid grid;
  for (const auto& [radix, suffix] : size)
    grid.dimensions.push_back({radix, suffix == 0 ? wraps : suffix == 't'});
  return grid;
}

const std::map<std::string, Kind, std::less<>>& kinds() {
  static const std::map<std::string, Kind, std::less<>> kKinds{
      {"torus",
       {"1 to 3 radices such as 6x5x4m", 1, 3,
        [](const Parts& s, const GenerateFlags&) { return grid(s, true); }}},
      {"mesh",
       {"1 to 3 radices such as 6x5", 1, 3,
        [](const Parts& s, const GenerateFlags&) { return grid(s, false); }}},
      {"hypercube",
       {"the number of dimensions", 1, 1,
        [](const Parts& s, const GenerateFlags&) { return Shape(fabric::Hypercube{s[0].first}); }}},
      {"clos",
       {"LEAVESxSPINES", 2, 2,
        [](const Parts& s, const GenerateFlags&) {
          return Shape(fabric::Clos{s[0].first, s[1].first});
        }}},
      {"ftree",
       {"the ports k of a switch", 1, 1,
        [](const Parts& s, const GenerateFlags&) { return Shape(fabric::FatTree{s[0].first}); }}},
      {"hyperx",
       {"the widths of its dimensions such as 8x8x4", 1, 8,
        [](const Parts& s, const GenerateFlags&) {
          fabric::HyperX hyperx;
          for (const auto& [width, suffix] : s) hyperx.widths.push_back(width);
          return Shape(hyperx);
        }}},
      {"dragonfly",
       {"GROUPSxROUTERSxGLOBAL", 3, 3,
        [](const Parts& s, const GenerateFlags&) {
          return Shape(fabric::Dragonfly{s[0].first, s[1].first, s[2].first});
        }}},
      {"dragonfly+",
       {"GROUPSxLEAVESxSPINESxGLOBAL", 4, 4,
        [](const Parts& s, const GenerateFlags&) {
          return Shape(fabric::DragonflyPlus{s[0].first, s[1].first, s[2].first, s[3].first});
        }}},
      {"slimfly",
       {"a power q of a prime", 1, 1,
        [](const Parts& s, const GenerateFlags&) { return Shape(fabric::SlimFly{s[0].first}); }}},
      {"rail",
       {"UNITSxRAILSxSPINES", 3, 3,
        [](const Parts& s, const GenerateFlags&) {
          return Shape(fabric::RailTree{s[0].first, s[1].first, s[2].first});
        }}},
      {"random",
       {"SWITCHESxDEGREE", 2, 2,
        [](const Parts& s, const GenerateFlags& f) {
          return Shape(fabric::RandomRegular{s[0].first, s[1].first, f.faults.seed});
        }}},
  };
  return kKinds;
}

Result<void> read_guid(const std::string& text, Guid& guid) {
  if (text.empty()) return {};
  const auto value = parse_integer(text);
  if (!value || *value == 0) return fail(ErrorKind::usage, fmt::format("`{}` is no GUID", text));
  guid = Guid(*value);
  return {};
}

/// Words of `--equip`, and what each asks for.
constexpr std::pair<std::string_view, bool fabric::Equipment::*> kEquipment[] = {
    {"enhanced-port0", &fabric::Equipment::enhanced_port0},
    {"missing-hosts", &fabric::Equipment::missing_hosts},
    {"spine-hosts", &fabric::Equipment::spine_hosts},
    {"two-port-hosts", &fabric::Equipment::two_port_hosts},
    {"aggregation-nodes", &fabric::Equipment::aggregation_nodes},
    {"spare-ports", &fabric::Equipment::spare_ports},
};

/// `all`, or words between commas.
Result<fabric::Equipment> equipment_of(const GenerateFlags& flags) {
  if (flags.equipment == "all") return fabric::Equipment::all(flags.faults.seed);
  fabric::Equipment equipment{.seed = flags.faults.seed};
  for (std::string_view rest = flags.equipment; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    const auto* known = std::ranges::find(kEquipment, word, [](const auto& row) { return row.first; });
    if (known == std::end(kEquipment)) {
      std::vector<std::string_view> words{"all"};
      for (const auto& row : kEquipment) words.push_back(row.first);
      return fail(ErrorKind::usage,
                  fmt::format("`{}` is no equipment; write {}", word, fmt::join(words, ", ")));
    }
    equipment.*known->second = true;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return equipment;
}

Result<fabric::GeneratorOptions> options_of(const GenerateFlags& flags) {
  const Kind& kind = kinds().at(flags.kind);
  const auto size = cut_size(flags, kind.form);
  if (!size) return tl::unexpected(size.error());
  if (size->size() < kind.fewest || size->size() > kind.most) return bad_size(flags, kind.form);
  fabric::GeneratorOptions options = flags.options;
  options.shape = kind.shape(*size, flags);
  for (const auto& [text, guid] :
       {std::pair(&flags.switch_guid, &options.switch_guid), std::pair(&flags.host_guid, &options.host_guid)})
    if (auto read = read_guid(*text, *guid); !read) return tl::unexpected(read.error());
  const auto equipment = equipment_of(flags);
  if (!equipment) return tl::unexpected(equipment.error());
  options.equipment = *equipment;
  return options;
}

Result<void> generate(const GenerateFlags& flags) {
  const auto options = options_of(flags);
  if (!options) return tl::unexpected(options.error());
  auto generated = fabric::generate(*options);
  if (!generated) return tl::unexpected(generated.error());
  const auto damaged = fabric::remove_parts(generated->fabric, flags.faults);
  if (!damaged) return tl::unexpected(damaged.error());
  for (const std::string& removed : damaged->removed) fmt::print(stderr, "removed  {}\n", removed);
  const fabric::Fabric& fabric = damaged->fabric;
  if (!flags.torus_conf.empty()) {
    const auto conf = fabric::torus_conf(*options, fabric);
    if (!conf) return tl::unexpected(conf.error());
    if (auto written = write_file(flags.torus_conf, *conf); !written) return written;
  }
  return write_fabric(fabric, form_named(flags.to), flags.file);
}

Exit finish(const Result<void>& done) {
  if (done) return Exit::good;
  Output(Format::text).error(done.error());
  return exit_of(done.error().kind);
}

}  // namespace

std::optional<Result<fabric::Fabric>> generated_fabric(const std::string& text) {
  const std::size_t colon = text.find(':');
  GenerateFlags flags;
  flags.kind = text.substr(0, colon);
  if (colon == std::string::npos || !kinds().contains(flags.kind)) return std::nullopt;
  flags.size = text.substr(colon + 1);
  const auto options = options_of(flags);
  if (!options) return Result<fabric::Fabric>(tl::unexpected(options.error()));
  auto made = fabric::generate(*options);
  if (!made) return Result<fabric::Fabric>(tl::unexpected(made.error()));
  return Result<fabric::Fabric>(std::move(made->fabric));
}

void add_generate(const Command& fabric) {
  const Command command = fabric.command("generate", "Print a regular or random fabric");
  command.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<GenerateFlags>();
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds()) names.push_back(name);
  command
      .add("KIND", flags->kind,
           "torus, mesh, hypercube, hyperx, clos, ftree, rail, dragonfly, dragonfly+, slimfly or random")
      .required()
      .one_of(names);
  command
      .add("SIZE", flags->size,
           "torus and mesh: radices such as 6x5x4 (a suffix t or m loops or opens one dimension); hypercube: "
           "dimensions; hyperx: widths such as 8x8x4; clos: LEAVESxSPINES; ftree: ports of a switch; rail: "
           "UNITSxRAILSxSPINES; dragonfly: GROUPSxROUTERSxGLOBAL links of a router; dragonfly+: "
           "GROUPSxLEAVESxSPINESxGLOBAL links of a spine; slimfly: a power q of a prime; random: "
           "SWITCHESxDEGREE")
      .required();
  command.add("--hosts", flags->options.hosts,
              "Hosts on each (leaf) switch, of a rail tree in each unit (default 1)");
  command.add("--links", flags->options.parallel, "Parallel cables between neighbours (default 1)");
  command.add("--seed", flags->faults.seed, "For everything random (default 1)");
  command
      .add("--shuffle", flags->options.shuffle,
           "Exchange GUIDs and switch ports at random, as in a real fabric, by this seed")
      .type("SEED");
  command
      .add("--equip", flags->equipment,
           "What real fabrics have besides: all, or some of enhanced-port0, missing-hosts (about a quarter "
           "of the "
           "hosts is missing), spine-hosts (on a quarter of the switches without any), two-port-hosts (half "
           "of "
           "the hosts), aggregation-nodes (a CA on every switch) and spare-ports (1 to 4 on every switch), "
           "with "
           "commas between them; drawn by --seed")
      .type("LIST");
  command.add("--switch-guid", flags->switch_guid, "GUID of the first switch").type("GUID");
  command.add("--host-guid", flags->host_guid, "Node GUID of the first host").type("GUID");
  command.add("--prefix", flags->options.name_prefix, "Put before every node description");
  command
      .add("--remove-link", flags->faults.links,
           "Pull the cables between two nodes, A:B, or the one at a port, A[3] (may be repeated)")
      .type("A:B");
  command.add("--remove-switch", flags->faults.switches, "Remove a switch and its hosts (may be repeated)")
      .type("NAME");
  command.add("--fail-links", flags->faults.random_links, "Pull that many random cables");
  command.add("--fail-switches", flags->faults.random_switches, "Remove that many random switches");
  command.add("--torus-conf", flags->torus_conf, "Write the matching torus-2QoS.conf here").type("FILE");
  command.add("--torus-seeds", flags->options.torus_seeds, "Seeds in it (default 1)");
  add_writing(command, flags->to, flags->file);
  command.does([flags] { return finish(generate(*flags)); });
}

}  // namespace rch::cli
