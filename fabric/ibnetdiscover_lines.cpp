#include "fabric/ibnetdiscover_lines.h"

#include <algorithm>

#include "base/text.h"
#include "fabric/rules.h"

namespace rch::fabric {
namespace {

constexpr std::uint64_t kMaxPort = 254;
/// A port without a LID may show the permissive LID in PortInfo (InfiniBand specification, 4.1.3).
constexpr std::uint64_t kNoLid = 0xFFFF;

/// Text in the next pair of quotes before any comment; the cursor goes behind it.
std::optional<std::string_view> quoted(LineCursor& at) {
  const std::size_t comment = at.line().find('#', at.pos());
  const std::size_t quote = at.line().find('"', at.pos());
  if (quote == std::string_view::npos || quote > comment) return std::nullopt;
  at.seek(quote + 1);
  return at.until('"');
}

/// The number after `lid` or `lmc`.
void read_lid(LineCursor& at, std::string_view word, Lid& lid, std::uint8_t& lmc, Reporter& report) {
  at.skip_blanks();
  const Span span = at.span_here();
  const std::uint64_t max = word == "lid" ? kMaxUnicastLid.value : 7;
  auto number = at.number(10);
  if (word == "lid" && number == kNoLid) number = kUnassignedLid.value;
  if (!number || *number > max) {
    report.add(kBadNumber, span, fmt::format("the {} must be 0-{}", word, max));
    return;
  }
  if (word == "lid")
    lid = Lid(static_cast<std::uint16_t>(*number));
  else
    lmc = static_cast<std::uint8_t>(*number);
}

/// `# "DESC"` or `# DESC`, up to the words that may follow it.
std::string_view read_description(LineCursor& at) {
  if (!at.find('#')) {
    at.seek(at.line().size());
    return {};
  }
  at.accept('#');
  at.skip_blanks();
  const std::string_view rest = at.rest();
  // Descriptions are not escaped, so one with quotes in it ends at the last quote.
  if (const std::size_t last = rest.rfind('"'); rest.starts_with('"') && last > 0) {
    at.seek(at.pos() + last + 1);
    return rest.substr(1, last - 1);
  }
  std::size_t end = rest.size();
  for (std::string_view stop : {" enhanced port ", " base port ", " lid ", " lmc "})
    end = std::min(end, rest.find(stop));
  at.seek(at.pos() + end);
  return trim(rest.substr(0, end));
}

/// `[12]`, and ibnetdiscover's `[ext 5]` behind it.
std::optional<std::uint64_t> port_number(LineCursor& at, Span& span, Reporter& report) {
  const std::size_t start = at.pos();
  at.accept('[');
  at.skip_blanks();
  const auto number = at.number(10);
  at.skip_blanks();
  const bool closed = at.accept(']');
  span = at.span_from(start);
  if (!number || !closed) {
    report.add(kBadNumber, span, "a port number in brackets is expected");
    return std::nullopt;
  }
  if (*number == 0 || *number > kMaxPort) {
    report.add(kBadNumber, span, fmt::format("port numbers are 1-{}, not {}", kMaxPort, *number));
    return std::nullopt;
  }
  if (at.rest().starts_with("[ext ")) at.until(']');
  return number;
}

/// `(2c90300010001)` directly behind the own port: its GUID. False if it cannot be read.
bool read_port_guid(LineCursor& at, Guid& guid, Reporter& report) {
  const std::size_t start = at.pos();
  if (!at.accept('(')) return true;
  const auto number = at.number(16);
  if (number && at.accept(')')) {
    guid = Guid(*number);
    return true;
  }
  report.add(kBadNumber, at.span_from(start), "the port GUID in parentheses cannot be read");
  return false;
}

/// Behind the peer's `lid`: its number and the link's width and speed.
void read_rate(LineCursor& at, PortLine& line, Reporter& report) {
  at.skip_blanks();
  at.word();
  at.skip_blanks();
  if (at.at_end()) return;
  const Span span = at.span_here();
  const std::string_view word = at.word();
  line.rate = rate_from(word);
  if (line.rate) return;
  line.rate.emplace();
  report.add(kUnknownRate, span, fmt::format("`{}` is no known link width and speed", word)).hint =
      "words such as `4xQDR` are known, up to `XDR`";
}

struct Option {
  char letter;
  std::uint8_t max;
  std::uint8_t EnabledRates::*mask;  ///< null: VLCap
};
constexpr Option kOptions[] = {{'w', 31, &EnabledRates::width},
                               {'s', 7, &EnabledRates::speed},
                               {'e', 15, &EnabledRates::extended},
                               {'v', 15, nullptr}};

/// `w=`, `s=`, `e=` (what the port enables) and `v=` (its VLCap); other settings mean nothing.
void read_option(std::string_view word, Span span, PortLine& line, Reporter& report) {
  const auto option = std::find_if(std::begin(kOptions), std::end(kOptions),
                                   [&](const Option& o) { return o.letter == word[0]; });
  if (option == std::end(kOptions)) return;
  const auto value = parse_integer(word.substr(2));
  if (!value || *value > option->max) {
    report.add(kBadNumber, span, fmt::format("the value of `{}=` must be 0-{}", option->letter, option->max));
    return;
  }
  const auto mask = static_cast<std::uint8_t>(*value);
  if (option->mask == nullptr) {
    line.vl_cap = mask;
    return;
  }
  if (!line.enabled) line.enabled.emplace();
  (*line.enabled).*(option->mask) = mask;
}

/// Everything behind the peer's port, in any order.
void read_settings(LineCursor& at, NodeType type, PortLine& line, Reporter& report) {
  bool own =
      type != NodeType::sw;  // `lid` before the peer's description is the own one; switch lines have none
  while (!at.at_end()) {
    at.skip_blanks();
    if (at.accept('#')) continue;
    if (at.peek() == '"') {
      at.seek(at.line().rfind('"') + 1);
      own = false;
      continue;
    }
    const std::size_t start = at.pos();
    const std::string_view word = at.word();
    if (own && (word == "lid" || word == "lmc"))
      read_lid(at, word, line.lid, line.lmc, report);
    else if (word == "lid")
      read_rate(at, line, report);
    else if (word.size() > 1 && word[1] == '=')
      read_option(word, at.span_from(start), line, report);
  }
}

}  // namespace

std::optional<HeaderLine> read_header_line(LineCursor& at, NodeType type, Reporter& report) {
  HeaderLine line;
  at.skip_blanks();
  const Span count = at.span_here();
  const auto ports = at.number(10);
  if (ports && *ports >= 1 && *ports <= kMaxPort)
    line.ports = static_cast<std::uint8_t>(*ports);
  else
    report.add(kBadNumber, count, fmt::format("the number of ports must be 1-{}", kMaxPort));
  const auto id = quoted(at);
  if (!id || id->empty()) {
    report.add(kBadNode, at.span_line(), "the node has no id in quotes").hint =
        "write it as `Switch 36 \"name\"`";
    return std::nullopt;
  }
  line.id = *id;
  line.description = read_description(at);
  if (type != NodeType::sw) return line;
  line.enhanced_port0 = at.rest().find("enhanced port 0") != std::string_view::npos;
  while (!at.at_end()) {
    at.skip_blanks();
    const std::string_view word = at.word();
    if (word == "lid" || word == "lmc") read_lid(at, word, line.lid, line.lmc, report);
  }
  return line;
}

std::optional<PortLine> read_port_line(LineCursor& at, NodeType type,
                                       const std::optional<EnabledRates>& defaults, Reporter& report) {
  PortLine line;
  line.enabled = defaults;
  Span span;
  const auto port = port_number(at, span, report);
  const std::size_t guid = at.pos();
  if (!port || !read_port_guid(at, line.guid, report)) return std::nullopt;
  if (at.pos() != guid && line.guid.value == 0 && type != NodeType::sw) line.zero_guid = at.span_from(guid);
  line.port = *port;
  const std::size_t start = at.pos();
  const auto peer = quoted(at);
  if (!peer) {
    report.add(kBadLink, at.span(start, at.line().size()), "the peer's id in quotes is missing").hint =
        "write it as `[1] \"peer\"[2]`";
    return std::nullopt;
  }
  line.peer = *peer;
  line.peer_span = at.span(at.pos() - peer->size() - 2, at.pos());
  line.peer_port_span = line.peer_span;
  if (at.peek() == '[') {
    const auto peer_port = port_number(at, line.peer_port_span, report);
    if (!peer_port) return std::nullopt;
    line.peer_port = *peer_port;
  }
  if (!read_port_guid(at, line.peer_guid, report)) return std::nullopt;
  read_settings(at, type, line, report);
  return line;
}

}  // namespace rch::fabric
