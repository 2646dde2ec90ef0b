#include "policy/model/dialect.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "fabric/formats.h"
#include "policy/model/option_table.h"

namespace rch::policy {
namespace {

constexpr DialectInfo kDialects[] = {
    {Dialect::options, "opensm-conf", "options"},
    {Dialect::port_groups, "port-groups", "port groups"},
    {Dialect::topologies, "topologies", "topologies"},
    {Dialect::chain, "routing-chain", "unicast steps"},
    {Dialect::torus, "torus-conf", "the shape and seeds of a torus"},
    {Dialect::partitions, "partitions", "partitions"},
    {Dialect::qos_policy, "qos-policy", "QoS levels and rules"},
    {Dialect::enhanced_qos, "enhanced-qos", "rate limits"},
    {Dialect::roots, "root-guids", "roots"},
    {Dialect::guid_list, "guids", "GUIDs"},
    {Dialect::guid_ids, "ids", "ids of GUIDs"},
    {Dialect::hop_weights, "hop-weights", "weights of ports"},
    {Dialect::port_search, "port-search-order", "orders of ports"},
    {Dialect::ignored_ports, "ignored-ports", "ports"},
    {Dialect::prefix_routes, "prefix-routes", "routers of prefixes"},
    {Dialect::node_names, "node-names", "names of nodes"},
    {Dialect::module_logging, "module-logging", "log flags of source files"},
    {Dialect::ibnl, "ibnl", "system types"},
    {Dialect::topo, "topo", "systems and cables"},
    {Dialect::fabric, "fabric", "nodes and links"},
};
static_assert(std::size(kDialects) == static_cast<std::size_t>(Dialect::fabric) + 1);

/// A first word that tells a dialect. Words of one dialect only outvote those that several share.
struct Sign {
  std::string_view word;
  Dialect dialect;
  std::size_t weight = 1;
};
constexpr std::size_t kDecisive = 1000;
constexpr Sign kSigns[] = {
    {"port-group", Dialect::port_groups},
    {"end-port-group", Dialect::port_groups},
    {"port-guid", Dialect::port_groups},
    {"topology", Dialect::topologies},
    {"end-topology", Dialect::topologies},
    {"sw-grp", Dialect::topologies},
    {"hca-grp", Dialect::topologies},
    {"unicast-step", Dialect::chain},
    {"end-unicast-step", Dialect::chain},
    {"engine", Dialect::chain},
    {"fallback-to", Dialect::chain},
    {"torus", Dialect::torus},
    {"mesh", Dialect::torus},
    {"next_seed", Dialect::torus},
    {"xp_link", Dialect::torus},
    {"xm_link", Dialect::torus},
    {"yp_link", Dialect::torus},
    {"ym_link", Dialect::torus},
    {"zp_link", Dialect::torus},
    {"zm_link", Dialect::torus},
    {"port-groups", Dialect::qos_policy, kDecisive},
    {"end-port-groups", Dialect::qos_policy, kDecisive},
    {"qos-setup", Dialect::qos_policy, kDecisive},
    {"end-qos-setup", Dialect::qos_policy, kDecisive},
    {"qos-levels", Dialect::qos_policy, kDecisive},
    {"qos-level", Dialect::qos_policy, kDecisive},
    {"end-qos-levels", Dialect::qos_policy, kDecisive},
    {"qos-match-rules", Dialect::qos_policy, kDecisive},
    {"qos-match-rule", Dialect::qos_policy, kDecisive},
    {"end-qos-match-rules", Dialect::qos_policy, kDecisive},
    {"qos-ulps", Dialect::qos_policy, kDecisive},
    {"end-qos-ulps", Dialect::qos_policy, kDecisive},
    {"bw_names", Dialect::enhanced_qos, kDecisive},
    {"bw_rules", Dialect::enhanced_qos, kDecisive},
    {"vport_bw_rules", Dialect::enhanced_qos, kDecisive},
    {"system", Dialect::ibnl, kDecisive},
    {"topsystem", Dialect::ibnl, kDecisive},
    {"subsystem", Dialect::ibnl, kDecisive},
    {"node", Dialect::ibnl, kDecisive},
};

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
    if (sign(word, line)) return;
    if (find_option(word) != nullptr) return vote(Dialect::options);
    if (partition(line)) return vote(Dialect::partitions);
    if (contains(line, "->")) return vote(Dialect::topo);
    if (word.starts_with("0x")) return side_file(line);
    if (word.ends_with(".c")) return vote(Dialect::module_logging);
  }

  bool undecided() const { return ambiguous_ == 0 && *std::max_element(votes_.begin(), votes_.end()) == 0; }

  std::optional<Dialect> winner() const {
    const auto most = std::max_element(votes_.begin(), votes_.end());
    if (ambiguous_ > *most) return std::nullopt;
    return static_cast<Dialect>(most - votes_.begin());
  }

 private:
  void vote(Dialect dialect, std::size_t weight = 1) { votes_[static_cast<std::size_t>(dialect)] += weight; }

  /// `topology` with a value is a line of a chain.
  bool sign(std::string_view word, std::string_view line) {
    const auto found =
        std::find_if(std::begin(kSigns), std::end(kSigns), [&](const Sign& s) { return s.word == word; });
    if (found == std::end(kSigns)) return false;
    const bool has_value = word == "topology" && trim(line.substr(word.size())).starts_with(':');
    vote(has_value ? Dialect::chain : found->dialect, found->weight);
    return true;
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
    if (rest.front() == '"') return vote(Dialect::node_names);
    ++ambiguous_;
  }

  std::array<std::size_t, std::size(kDialects)> votes_{};
  std::size_t ambiguous_ = 0;
};

}  // namespace

std::span<const DialectInfo> dialects() { return kDialects; }

const DialectInfo& info(Dialect dialect) { return kDialects[static_cast<std::size_t>(dialect)]; }

std::optional<Dialect> dialect_named(std::string_view name) {
  for (const DialectInfo& d : kDialects)
    if (d.name == name) return d.dialect;
  return std::nullopt;
}

std::optional<Dialect> recognise(std::string_view text) {
  Election election;
  std::string_view rest = text;
  for (std::size_t lines = 0; !rest.empty() && lines < kLinesTried; ++lines) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trim(rest.substr(0, end));
    if (!line.empty() && line.front() != '#') election.line(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (election.undecided() && fabric::recognise(text) != fabric::Format::unknown) return Dialect::fabric;
  return election.winner();
}

}  // namespace rch::policy
