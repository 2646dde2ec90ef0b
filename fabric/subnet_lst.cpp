// Reader of opensm-subnet.lst (OpenSM's osm_dump.c): one line for each port that has a peer,
//
//   { CA-SM Ports:01 SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:.. DevID:.. Rev:.. {desc} LID:0001 PN:01 } {
//   SW ... } PHY=4x LOG=ACT SPD=10
//
// with a blank between the parts. All numbers are hexadecimal. OpenSM names each link from both ends, writes
// the first end's VenID with six digits, and shifts the second end's DevID left by 16 bits. ibdiagnet writes
// its ibdiagnet.lst in the same form, names each link once, writes each VenID with eight digits and shifts
// nothing.

#include <array>
#include <optional>

#include "base/text.h"
#include "fabric/draft.h"
#include "fabric/formats.h"
#include "fabric/line_cursor.h"
#include "fabric/rules.h"

namespace rch::fabric {
namespace {

/// One `{ ... }` of a line.
struct End {
  NodeType type = NodeType::ca;
  bool is_sm = false;
  std::uint64_t ports = 0, system_guid = 0, node_guid = 0, port_guid = 0, vendor = 0, device = 0,
                revision = 0;
  std::uint64_t lid = 0, port = 0;
  std::string_view description;
  Span span;
  Span port_span;
};

struct Field {
  std::string_view name;
  std::uint64_t End::*value;
  std::uint64_t max;
};
constexpr std::uint64_t kAny = ~std::uint64_t{0};
constexpr std::array<Field, 7> kBeforeName{{{"Ports:", &End::ports, 254},
                                            {"SystemGUID:", &End::system_guid, kAny},
                                            {"NodeGUID:", &End::node_guid, kAny},
                                            {"PortGUID:", &End::port_guid, kAny},
                                            {"VenID:", &End::vendor, 0xFFFFFF},
                                            {"DevID:", &End::device, 0xFFFFFFFF},
                                            {"Rev:", &End::revision, 0xFFFFFFFF}}};
constexpr std::array<Field, 2> kAfterName{{{"LID:", &End::lid, 0xBFFF}, {"PN:", &End::port, 254}}};

struct TypeWord {
  std::string_view word;
  NodeType type;
};
constexpr std::array<TypeWord, 4> kTypes{{{"CA", NodeType::ca},
                                          {"SW", NodeType::sw},
                                          {"Rt", NodeType::router},
                                          {"RTR", NodeType::router}}};  // the last one of ibdiagnet 2

class SubnetLstReader {
 public:
  SubnetLstReader(const SourceSet& sources, SourceId source, Diagnostics& diagnostics)
      : text_(sources.at(source).text()),
        source_(source),
        report_(diagnostics),
        draft_(report_, {source, 0, 0}) {}

  std::optional<Fabric> read() {
    if (!check_bytes(text_, source_, report_)) return std::nullopt;
    for_each_line(text_, [&](std::string_view line, std::uint32_t begin) {
      LineCursor at(line, source_, begin);
      at.skip_blanks();
      if (at.at_end() || at.peek() == '#') return;
      by_ibdiagnet_ = by_ibdiagnet_.value_or(true) && is_ibdiagnet_line(line);
      read_line(at);
    });
    check_last_line(text_, source_, report_);
    auto fabric = draft_.finish(by_ibdiagnet_.value_or(false) ? Draft::LinksNamed::once
                                                              : Draft::LinksNamed::once_or_twice);
    report_.finish();
    return fabric;
  }

 private:
  void read_line(LineCursor& at) {
    if (at.peek() != '{') {
      report_.add(kUnknownLine, at.span_line(), "this line does not describe a link");
      return;
    }
    End a, b;
    if (!read_end(at, a) || !read_end(at, b)) return;
    if (b.device > 0xFFFF) b.device >>= 16;  // as written for the second end
    LinkRate rate;
    bool up = true;
    if (!read_rate(at, rate, up)) return;
    const auto from = merge(a);
    const auto to = merge(b);
    if (!from || !to || !up) return;
    draft_.add_claim({*from, *to, PortNum(static_cast<std::uint8_t>(a.port)),
                      PortNum(static_cast<std::uint8_t>(b.port)), at.span_line(), rate, std::nullopt});
  }

  bool bad(LineCursor& at, std::string_view expected) {
    report_.add(kBadLink, at.span_here(), fmt::format("`{}` is expected here", expected)).hint =
        "OpenSM writes each field in a fixed order, with one blank between";
    return false;
  }

  bool read_end(LineCursor& at, End& end) {
    at.skip_blanks();
    const std::size_t start = at.pos();
    if (!at.accept('{')) return bad(at, "{");
    at.skip_blanks();
    if (!read_type(at, end)) return false;
    for (const Field& field : kBeforeName)
      if (!read_field(at, field, end)) return false;
    if (!read_name(at, end)) return false;
    for (const Field& field : kAfterName)
      if (!read_field(at, field, end)) return false;
    at.skip_blanks();
    if (!at.accept('}')) return bad(at, "}");
    end.span = at.span_from(start);
    end.port_span = end.span;
    return true;
  }

  bool read_type(LineCursor& at, End& end) {
    for (const TypeWord& type : kTypes)
      if (at.rest().starts_with(type.word)) {
        end.type = type.type;
        end.is_sm = at.word().ends_with("-SM");
        return true;
      }
    return bad(at, "CA, SW or Rt");
  }

  bool read_field(LineCursor& at, const Field& field, End& end) {
    at.skip_blanks();
    if (!at.accept(field.name)) return bad(at, field.name);
    const Span span = at.span_here();
    auto value = at.number(16);
    if (field.value == &End::lid && value == 0xFFFF) value = kUnassignedLid.value;  // no LID
    if (!value || *value > field.max || (!at.at_end() && at.peek() != ' ' && at.peek() != '\t')) {
      report_.add(kBadNumber, span,
                  fmt::format("`{}` must be a hexadecimal number up to {:X}", field.name, field.max));
      return false;
    }
    end.*field.value = *value;
    return true;
  }

  /// `{DESC}`; nothing is escaped, so the name ends where the LID follows.
  bool read_name(LineCursor& at, End& end) {
    at.skip_blanks();
    if (!at.accept('{')) return bad(at, "{name}");
    const std::size_t stop = at.line().find("} LID:", at.pos());
    if (stop == std::string_view::npos) return bad(at, "name} LID:");
    end.description = at.line().substr(at.pos(), stop - at.pos());
    at.seek(stop + 1);
    return true;
  }

  bool read_rate(LineCursor& at, LinkRate& rate, bool& up) {
    at.skip_blanks();
    if (!at.accept("PHY=")) return bad(at, "PHY=");
    rate.width = known(width_from(at.rest().substr(0, at.rest().find(' '))), at);
    at.skip_blanks();
    if (!at.accept("LOG=")) return bad(at, "LOG=");
    const std::string_view state = at.word();
    up = state == "ACT" || state == "ARM" || state == "INI";
    at.skip_blanks();
    rate.speed = LinkSpeed::sdr;  // of a list without speeds
    if (at.accept("SPD=")) rate.speed = known(speed_from_subnet_lst(trim(at.rest())), at);
    return true;
  }

  /// Steps over the word at hand and reports it unless it was understood.
  template <class T>
  T known(std::optional<T> value, LineCursor& at) {
    const Span span = at.span_here();
    const std::string_view word = at.word();
    if (!value) report_.add(kUnknownRate, span, fmt::format("`{}` is no known width or speed", word));
    return value.value_or(T{});
  }

  /// The node of one end, added or compared with what earlier lines said.
  std::optional<std::uint32_t> merge(const End& end) {
    auto node = draft_.find(Guid(end.node_guid));
    if (!node) node = add(end);
    if (!matches(*node, end) || !draft_.check_port(*node, end.port, end.port_span)) return std::nullopt;
    PortSpec& port = draft_.node(*node).spec.ports[end.type == NodeType::sw ? 0 : end.port];
    const Guid guid(end.port_guid);
    const Lid lid(static_cast<std::uint16_t>(end.lid));
    if (port.guid.value != 0 && (port.guid != guid || port.lid != lid)) {
      differs(*node, end, fmt::format("port GUID {} and LID {}", port.guid, port.lid));
      return std::nullopt;
    }
    port.guid = guid;
    port.lid = lid;
    if (end.is_sm)
      draft_.set_origin(*node, PortNum(static_cast<std::uint8_t>(end.type == NodeType::sw ? 0 : end.port)));
    return node;
  }

  std::uint32_t add(const End& end) {
    NodeSpec spec;
    spec.guid = Guid(end.node_guid);
    spec.system_guid = Guid(end.system_guid);
    spec.type = end.type;
    spec.vendor_id = static_cast<std::uint32_t>(end.vendor);
    spec.device_id = static_cast<std::uint32_t>(end.device);
    spec.revision = static_cast<std::uint32_t>(end.revision);
    spec.description = end.description;
    spec.ports.resize(end.ports + 1);
    if (end.type == NodeType::sw) {
      spec.ports[0].state = PortState::active;
      for (PortSpec& port : spec.ports) port.guid = Guid(end.port_guid);
      spec.ports[0].lid = Lid(static_cast<std::uint16_t>(end.lid));
    }
    return draft_.add_node(std::move(spec), end.span);
  }

  bool matches(std::uint32_t node, const End& end) {
    const NodeSpec& spec = draft_.node(node).spec;
    if (spec.type == end.type && spec.ports.size() == end.ports + 1 && spec.description == end.description &&
        spec.system_guid.value == end.system_guid)
      return true;
    differs(node, end, fmt::format("{} ports, name `{}`", spec.ports.size() - 1, spec.description));
    return false;
  }

  void differs(std::uint32_t node, const End& end, std::string_view before) {
    Diagnostic& d = report_.add(kNodeDiffers, end.span,
                                fmt::format("node {} is described differently here", Guid(end.node_guid)));
    d.labels.push_back({draft_.node(node).span, fmt::format("described before: {}", before)});
  }

  std::string_view text_;
  SourceId source_;
  Reporter report_;
  Draft draft_;
  std::optional<bool> by_ibdiagnet_;  ///< what the lines so far have in common
};

}  // namespace

std::optional<Fabric> read_subnet_lst(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  return SubnetLstReader(sources, source, diagnostics).read();
}

}  // namespace rch::fabric
