// Writer of ibnetdiscover text (ibnetdiscover(8)) in the dialect that ibsim loads without a warning
// (ibsim's umad2sim.c).
//
// The origin's node comes first, because ibsim attaches clients there. ibsim takes any `=` in a port line,
// also one in a quoted description, as a setting (ibsim's sim_net.c); the peer's description is only a
// comment there, so it is cleaned, while node lines carry the true one.

#include <array>
#include <ostream>

#include "fabric/formats.h"
#include "fabric/link_rate.h"

namespace rch::fabric {
namespace {

/// NodeDescription has 64 bytes; more would also cut ibsim's lines of 254 in two.
constexpr std::size_t kDescriptionBytes = 64;

struct TypeWords {
  char id;
  std::string_view header;
  std::string_view guid;
};
// By NodeType.
constexpr std::array<TypeWords, 4> kTypeWords{
    {{'?', "", ""}, {'H', "Ca", "caguid"}, {'S', "Switch", "switchguid"}, {'R', "Rt", "rtguid"}}};

const TypeWords& words(const Node& node) { return kTypeWords[static_cast<std::size_t>(node.type)]; }

/// As ibnetdiscover prints it: every byte that is not printable becomes a blank.
std::string printable(std::string_view description) {
  std::string text(description.substr(0, kDescriptionBytes));
  for (char& c : text)
    if (c < ' ' || c > '~') c = ' ';
  return text;
}

std::string as_comment(std::string_view description) {
  std::string text = printable(description);
  for (char& c : text)
    if (c == '=' || c == '"') c = '-';
  return text;
}

class Writer {
 public:
  explicit Writer(const Fabric& fabric) : fabric_(fabric) {}

  std::string write() {
    const auto origin = fabric_.origin();
    if (origin) {
      const Port& port = fabric_.port(*origin);
      line("# Initiated from node {:016x} port {:016x}\n\n", fabric_.node(port.node).guid.value,
           port.guid.value);
      write_node(fabric_.node(port.node));
    }
    for (const Node& node : fabric_.nodes())
      if (!origin || &fabric_.node(fabric_.port(*origin).node) != &node) write_node(node);
    return std::move(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void write_node(const Node& node) {
    const Port& port0 = fabric_.port(node.first_port);
    line("vendid={:#x}\ndevid={:#x}\nsysimgguid={:#x}\n", node.vendor_id, node.device_id,
         node.system_guid.value);
    line("{}={:#x}", words(node).guid, node.guid.value);
    if (node.type == NodeType::sw) line("({:x})", port0.guid.value);
    line("\n{}\t{} \"{}-{:016x}\"\t\t# \"{}\"", words(node).header, node.num_ports, words(node).id,
         node.guid.value, printable(node.description));
    if (node.type == NodeType::sw)
      line(" {} port 0 lid {} lmc {}", node.enhanced_port0 ? "enhanced" : "base", port0.lid.value, port0.lmc);
    line("\n");
    for (std::uint32_t p = 1; p <= node.num_ports; ++p)
      write_port(node, fabric_.port(PortId(node.first_port.value + p)));
    line("\n");
  }

  void write_port(const Node& node, const Port& port) {
    if (port.peer.is_none()) return;
    const Port& peer = fabric_.port(port.peer);
    const Node& peer_node = fabric_.node(peer.node);
    const bool to_switch = peer_node.type == NodeType::sw;
    line("[{}]", port.number.value);
    if (node.type != NodeType::sw) line("({:x}) ", port.guid.value);
    line("\t\"{}-{:016x}\"[{}]", words(peer_node).id, peer_node.guid.value, peer.number.value);
    if (!to_switch) line("({:x}) ", peer.guid.value);
    line("\t\t# ");
    if (node.type != NodeType::sw) line("lid {} lmc {} ", port.lid.value, port.lmc);
    const Port& peer_end = to_switch ? fabric_.port(peer_node.first_port) : peer;
    line("\"{}\" lid {} {}{}\n", as_comment(peer_node.description), peer_end.lid.value, to_string(port.width),
         to_string(port.speed));
  }

  const Fabric& fabric_;
  std::string out_;
};

}  // namespace

void write_ibnetdiscover(const Fabric& fabric, std::ostream& out) { out << Writer(fabric).write(); }

}  // namespace rch::fabric
