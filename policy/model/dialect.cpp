#include "policy/model/dialect.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <utility>

#include "base/text.h"
#include "fabric/formats.h"
#include "parsers/common/block_words.h"
#include "parsers/port_groups/port_groups.h"
#include "parsers/qos_policy/qos_policy.h"
#include "parsers/routing_chains/routing_chains.h"
#include "parsers/topologies/topologies.h"
#include "parsers/torus_conf/torus_conf.h"
#include "policy/model/option_table.h"

namespace rch::policy {
namespace {

constexpr DialectInfo kDialects[] = {
    {Dialect::options, "opensm-conf", "options", "opensm"},
    {Dialect::port_groups, "port-groups", "port groups", "port-group groups pgrp pgrp-policy"},
    {Dialect::topologies, "topologies", "topologies", "topology topo-policy"},
    {Dialect::chain, "routing-chain", "unicast steps", "routing-chains chain chains rch-policy"},
    {Dialect::torus, "torus-conf", "the shape and seeds of a torus", "torus-2qos"},
    {Dialect::partitions, "partitions", "partitions", "partition"},
    {Dialect::qos_policy, "qos-policy", "QoS levels and rules"},
    {Dialect::enhanced_qos, "enhanced-qos", "rate limits", "enhanced-qos-policy"},
    {Dialect::roots, "root-guids", "roots", "roots root-guid root-guid-file"},
    {Dialect::guid_list, "guids", "GUIDs", "cn-guid cn-guids io-guid io-guids"},
    {Dialect::guid_ids, "ids", "ids of GUIDs"},
    {Dialect::hop_weights, "hop-weights", "weights of ports"},
    {Dialect::port_search, "port-search-order", "orders of ports", "port-search-ordering port-order"},
    {Dialect::ignored_ports, "ignored-ports", "ports"},
    {Dialect::prefix_routes, "prefix-routes", "routers of prefixes"},
    {Dialect::node_names, "node-names", "names of nodes", "node-name-map ib-node-name-map"},
    {Dialect::module_logging, "module-logging", "log flags of source files", "per-module-logging"},
    {Dialect::topo_config, "topo-config", "cables that may be used", "topoconfig topo-conf"},
    {Dialect::ibnl, "ibnl", "system types", ".ibnl"},
    {Dialect::topo, "topo", "systems and cables", ".topo"},
    {Dialect::fabric, "fabric", "nodes and links", ".net .lst"},
};
static_assert(std::size(kDialects) == static_cast<std::size_t>(Dialect::fabric) + 1);

/// What a first word says of the dialect. Words of one dialect only outvote those that several share.
struct Sign {
  Dialect dialect;
  std::size_t weight = 1;
};
using Signs = std::map<std::string, Sign, std::less<>>;
constexpr std::size_t kDecisive = 1000;
constexpr std::pair<std::string_view, Dialect> kHeadings[] = {
    {"bw_names", Dialect::enhanced_qos},
    {"bw_rules", Dialect::enhanced_qos},
    {"vport_bw_rules", Dialect::enhanced_qos},
    {"system", Dialect::ibnl},
    {"topsystem", Dialect::ibnl},
    {"subsystem", Dialect::ibnl},
    {"node", Dialect::ibnl},
};

void add_bounds(const parsers::BlockDialect& table, Sign sign, Signs& signs) {
  for (const parsers::BlockSpec& block : table.blocks) {
    signs.emplace(block.begin, sign);
    signs.emplace(parsers::end_of(block.begin), sign);
  }
}

/// An optional plain word such as `config` says too little: an rch.yaml has it too.
bool is_telling(const parsers::Keyword& keyword) {
  return keyword.occurs == parsers::Occurs::required || keyword.word.find('-') != std::string_view::npos;
}

/// From the tables of the parsers: begins and ends of blocks, and the keywords that no other file of NVIDIA
/// SM has.
Signs make_signs() {
  const std::pair<const parsers::BlockDialect*, Dialect> files[] = {
      {&parsers::port_groups::dialect(), Dialect::port_groups},
      {&parsers::topologies::dialect(), Dialect::topologies},
      {&parsers::routing_chains::dialect(), Dialect::chain},
  };
  Signs signs;
  for (const auto& [table, dialect] : files) add_bounds(*table, {dialect}, signs);
  std::map<std::string_view, std::size_t> files_with;
  for (const auto& [table, dialect] : files)
    for (const parsers::Keyword& keyword : table->blocks.front().keywords) ++files_with[keyword.word];
  for (const auto& [table, dialect] : files)
    for (const parsers::Keyword& keyword : table->blocks.front().keywords)
      if (files_with[keyword.word] == 1 && is_telling(keyword)) signs.emplace(keyword.word, Sign{dialect});
  add_bounds(parsers::qos_policy::dialect(), {Dialect::qos_policy, kDecisive}, signs);
  for (const auto& keyword : parsers::torus_conf::keywords())
    signs.emplace(keyword.word, Sign{Dialect::torus});
  for (const auto& [word, dialect] : kHeadings) signs.emplace(word, Sign{dialect, kDecisive});
  return signs;
}

/// The head of a file is enough: partition files are long.
constexpr std::size_t kLinesTried = 20'000;

constexpr std::string_view kMemberships[] = {"full", "limi", "both"};

bool contains(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

/// Counts what the lines look like.
class Election {
 public:
  void line(std::string_view line) {
    const std::string word = to_lower(line.substr(0, line.find_first_of(" \t:=,;")));
    if (fabric_line(word, line)) return vote(Dialect::fabric);
    if (sign(word, line)) return;
    if (find_option(word) != nullptr && !line.substr(word.size()).starts_with(':'))
      return vote(Dialect::options);
    if (cable(line)) return vote(Dialect::topo_config);
    if (partition(line)) return vote(Dialect::partitions);
    if (contains(line, "->")) return vote(Dialect::topo);
    if (guid(word)) return side_file(line);
    if (word.ends_with(".c")) return vote(Dialect::module_logging);
    ++others_;
  }

  bool undecided() const { return ambiguous_ == 0 && *std::max_element(votes_.begin(), votes_.end()) == 0; }

  /// One word of other texts may be an option by chance.
  Content result() const {
    const auto most = std::max_element(votes_.begin(), votes_.end());
    if (ambiguous_ > *most) return {.ambiguous = true};
    const auto dialect = static_cast<Dialect>(most - votes_.begin());
    if (*most == 0 || (dialect == Dialect::options && others_ > *most)) return {};
    return {.dialect = dialect};
  }

 private:
  void vote(Dialect dialect, std::size_t weight = 1) { votes_[static_cast<std::size_t>(dialect)] += weight; }

  /// Lines of ibnetdiscover, so that a line of another program above them decides nothing.
  static bool fabric_line(std::string_view word, std::string_view line) {
    constexpr std::string_view kAttributes[] = {"vendid",     "devid",  "sysimgguid",
                                                "switchguid", "caguid", "rtguid"};
    if (line.front() == '[') return contains(line, "\"") && contains(line, "]");
    return line.substr(word.size()).starts_with('=') &&
           std::ranges::find(kAttributes, word) != std::end(kAttributes);
  }

  /// `topology` with a value is a line of a chain.
  bool sign(std::string_view word, std::string_view line) {
    static const Signs signs = make_signs();
    const auto found = signs.find(word);
    if (found == signs.end()) return false;
    const bool has_value = word == "topology" && trim(line.substr(word.size())).starts_with(':');
    vote(has_value ? Dialect::chain : found->second.dialect, found->second.weight);
    return true;
  }

  /// Also without `0x`, which is then an error.
  static bool guid(std::string_view word) {
    constexpr std::size_t kLikely = 12;
    return word.starts_with("0x") || (word.size() >= kLikely && parse_hex(word));
  }

  /// `GUID,PORT,GUID,PORT,TYPE,STATE`
  static bool cable(std::string_view line) {
    constexpr std::ptrdiff_t kCommas = 5;
    return std::ranges::count(line, ',') == kCommas &&
           guid(to_lower(line.substr(0, line.find_first_of(" \t,")))) && !contains(line, "=") &&
           !line.ends_with(',') && !line.ends_with(';');
  }

  static bool partition(std::string_view line) {
    const std::string_view head = line.substr(0, line.find(':'));
    return line.ends_with(';') || line.ends_with(',') || (contains(line, ":") && contains(head, "=0x")) ||
           has_membership(line);
  }

  static bool has_membership(std::string_view line) {
    for (std::size_t at = line.find('='); at != std::string_view::npos; at = line.find('=', at + 1)) {
      const std::string_view value = trim(line.substr(at + 1));
      if (std::any_of(std::begin(kMemberships), std::end(kMemberships),
                      [&](std::string_view m) { return value.starts_with(m); }))
        return true;
    }
    return false;
  }

  void side_file(std::string_view line) {
    const std::string_view rest = trim(line.substr(std::min(line.find_first_of(" \t"), line.size())));
    if (rest.empty() || rest.front() == '#') return vote(Dialect::guid_list);
    if (rest.front() == '"' || std::isalpha(static_cast<unsigned char>(rest.front())) != 0)
      return vote(Dialect::node_names);
    ++ambiguous_;
  }

  std::array<std::size_t, std::size(kDialects)> votes_{};
  std::size_t ambiguous_ = 0;
  std::size_t others_ = 0;  ///< lines that speak no dialect
};

}  // namespace

std::span<const DialectInfo> dialects() { return kDialects; }

const DialectInfo& info(Dialect dialect) { return kDialects[static_cast<std::size_t>(dialect)]; }

std::optional<Dialect> dialect_named(std::string_view name) {
  for (const DialectInfo& d : kDialects)
    if (d.name == name) return d.dialect;
  return std::nullopt;
}

Content recognise(std::string_view text) {
  Election election;
  std::string_view rest = text;
  for (std::size_t lines = 0; !rest.empty() && lines < kLinesTried; ++lines) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trim(rest.substr(0, end));
    if (!line.empty() && line.front() != '#') election.line(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  constexpr fabric::Format kTables[] = {fabric::Format::db_csv, fabric::Format::smdb,
                                        fabric::Format::net_dump};  // their rows look like other dialects
  const fabric::Format format = fabric::recognise(text);
  if (std::ranges::find(kTables, format) != std::end(kTables) ||
      (election.undecided() && format != fabric::Format::unknown))
    return {.dialect = Dialect::fabric};
  return election.result();
}

std::optional<Dialect> recognise_name(std::string_view file_name) {
  std::string name = to_lower(file_name.substr(file_name.find_last_of('/') + 1));
  std::replace(name.begin(), name.end(), '_', '-');
  const std::string_view stem = std::string_view(name).substr(0, name.find('.'));
  for (const DialectInfo& known : kDialects) {
    bool fits = stem == known.name;
    for_each_word(known.files, [&](std::string_view usual) {
      fits = fits || usual == stem || (usual.front() == '.' && name.ends_with(usual));
    });
    if (fits) return known.dialect;
  }
  return std::nullopt;
}

}  // namespace rch::policy
