#include "fabric/ibnetdiscover_attributes.h"

#include "base/text.h"
#include "fabric/rules.h"

namespace rch::fabric {

std::optional<Guid> guid_of_id(std::string_view id) {
  if (id.size() < 3 || id.size() > 18 || id[1] != '-') return std::nullopt;
  if (std::string_view("SHR").find(id[0]) == std::string_view::npos) return std::nullopt;
  const auto number = parse_hex(id.substr(2));
  if (!number || *number == 0) return std::nullopt;
  return Guid(*number);
}

// ibsim takes any word that begins with these; `caguids` and the like are the old spelling.
const std::array<NodeAttributes::Attribute, 15> NodeAttributes::kAttributes{{
    {"vendid", &NodeAttributes::vendor},
    {"devid", &NodeAttributes::device},
    {"sysimgguid", &NodeAttributes::system},
    {"switchguids", &NodeAttributes::switch_guid},
    {"switchguid", &NodeAttributes::switch_guid},
    {"caguids", &NodeAttributes::ca_guid},
    {"caguid", &NodeAttributes::ca_guid},
    {"hcaguids", &NodeAttributes::ca_guid},
    {"rtguids", &NodeAttributes::router_guid},
    {"rtguid", &NodeAttributes::router_guid},
    {"width", &NodeAttributes::width},
    {"speed", &NodeAttributes::speed},
    {"extspeed", &NodeAttributes::extended},
    {"module", &NodeAttributes::module_prefix},
    {"pdebug", &NodeAttributes::nothing},
}};

NodeAttributes::NodeAttributes(Reporter& report) : report_(report) {
  counter(NodeType::ca).absolute = counter(NodeType::ca).next = 0x100000;
  counter(NodeType::sw).absolute = counter(NodeType::sw).next = 0x200000;
}

std::string_view NodeAttributes::guid_word(NodeType type) {
  if (type == NodeType::sw) return "switchguid";
  return type == NodeType::ca ? "caguid" : "rtguid";
}

bool NodeAttributes::read_line(LineCursor& at) {
  const std::size_t start = at.pos();
  for (const Attribute& attribute : kAttributes) {
    at.seek(start);
    if (!at.accept(attribute.name)) continue;
    at.skip_blanks();
    if (at.peek() != '=' && at.peek() != '+') continue;
    (this->*attribute.read)(at);
    return true;
  }
  at.seek(start);
  return false;
}

/// The number behind the `=` or `+` where the cursor stands.
std::optional<std::uint64_t> NodeAttributes::value(LineCursor& at, std::uint64_t max) {
  at.seek(at.pos() + 1);
  at.skip_blanks();
  const Span span = at.span_here();
  const bool hex = at.accept("0x") || at.accept("0X");
  const auto number = at.number(hex ? 16 : 10);
  const bool ended =
      at.at_end() || at.peek() == ' ' || at.peek() == '\t' || at.peek() == '(' || at.peek() == '#';
  if (number && ended && *number <= max) return number;
  report_.add(kBadNumber, span, fmt::format("a number up to {:#x} is expected", max));
  return std::nullopt;
}

void NodeAttributes::vendor(LineCursor& at) {
  if (!pending_) pending_ = at.span_line();
  vendor_ = static_cast<std::uint32_t>(value(at, 0xFFFFFF).value_or(0));
}

void NodeAttributes::device(LineCursor& at) {
  device_ = static_cast<std::uint32_t>(value(at, 0xFFFFFFFF).value_or(0));
}

void NodeAttributes::system(LineCursor& at) {
  if (!pending_) pending_ = at.span_line();
  if (const auto guid = value(at, ~std::uint64_t{0})) system_guid_ = Guid(*guid);
}

void NodeAttributes::read_guid(LineCursor& at, NodeType type) {
  if (!pending_) pending_ = at.span_line();
  const bool relative = at.peek() == '+';
  const auto number = value(at, ~std::uint64_t{0});
  if (!number) return;
  Counter& guids = counter(type);
  if (!relative) guids.absolute = *number;
  guids.next = relative ? guids.absolute + *number : *number;
  guids.stated = true;
  guids.span = at.span_line();
  guids.port_guid = {};
  const std::size_t start = at.pos();
  if (!at.accept('(')) return;
  const auto port = at.number(16);
  if (port && at.accept(')')) {
    guids.port_guid = Guid(*port);
    if (*port == 0)
      report_.add(kZeroPortGuid, at.span_from(start), "the port GUID of this node is 0").hint =
          "write the GUID of port 0 of the switch";
  } else {
    report_.add(kBadNumber, at.span_from(start), "the port GUID in parentheses cannot be read");
  }
}

void NodeAttributes::read_default(LineCursor& at, std::uint8_t EnabledRates::*mask, std::uint64_t max) {
  if (!defaults_) defaults_.emplace();
  if (const auto number = value(at, max)) (*defaults_).*mask = static_cast<std::uint8_t>(*number);
}

/// `module="name"` puts `name#` before all ids that follow.
void NodeAttributes::module_prefix(LineCursor& at) {
  const std::size_t start = at.pos();
  if (at.find('"') && at.accept('"'))
    if (const auto prefix = at.until('"')) {
      module_ = *prefix;
      return;
    }
  report_.add(kBadNode, at.span(start, at.line().size()), "the module's name in quotes is missing");
}

void NodeAttributes::apply(NodeSpec& spec, std::string_view id) {
  Counter& guids = counter(spec.type);
  const auto own = guid_of_id(id);
  spec.guid = own && !guids.stated ? *own : Guid(guids.next);
  // As ibsim counts: one GUID for a switch, one more than its ports for any other node.
  if (spec.guid.value == guids.next) guids.next += spec.type == NodeType::sw ? 1 : spec.ports.size();
  if (guids.port_guid.value != 0)
    for (PortSpec& port : spec.ports) port.guid = guids.port_guid;
  guid_span_ = guids.stated ? std::optional(guids.span) : std::nullopt;
  guids.stated = false;
  guids.port_guid = {};

  spec.system_guid = system_guid_.value_or(spec.guid);
  spec.vendor_id = vendor_;
  spec.device_id = device_;
  use_up();
}

Guid NodeAttributes::forget_node() {
  Guid guid{};
  for (Counter& guids : counters_) {
    if (guids.stated) guid = Guid(guids.next);
    guids.stated = false;
    guids.port_guid = {};
  }
  use_up();
  return guid;
}

/// What is said for one node only; the device stays.
void NodeAttributes::use_up() {
  system_guid_.reset();
  vendor_ = 0;
  pending_.reset();
}

}  // namespace rch::fabric
