#include "parsers/ibdm/port_uses.h"

#include <fmt/format.h>

#include "parsers/ibnl/rules.h"

namespace rch::parsers::ibdm {

void PortUses::add(const ibnl::Instance& part, const ibnl::Connection& line) {
  const End near{part.name.text, line.port.text};
  if (!line.peer_port) {
    use(near, {&line, {}, line.port.span, true});
    return;
  }
  const End far{line.peer.text, line.peer_port->text};
  if (near == far)
    diagnostics_.add(ibnl::kPortUsedTwice, line.port.span,
                     fmt::format("port {} of `{}` is connected to itself", near.port, near.part));
  else if (use(near, {&line, far, line.port.span, true}))
    use(far, {&line, near, line.peer_port->span, false});
}

/// False, reported, when the port is used otherwise.
bool PortUses::use(const End& end, const Use& use) {
  const auto [at, is_new] = uses_.emplace(end, use);
  if (is_new) return true;
  Use& before = at->second;
  const bool restated = use.line->peer_port && before.peer == use.peer && before.own != use.own;
  if (!restated) {
    diagnostics_
        .add(ibnl::kPortUsedTwice, use.span,
             fmt::format("port {} of `{}` has a connection already", end.port, end.part))
        .labels.push_back({before.span, "the first one"});
    return false;
  }
  if (use.own) check_rate(*use.line, *before.line);
  before.own = true;  // now both ends have said it
  return true;
}

void PortUses::check_rate(const ibnl::Connection& line, const ibnl::Connection& before) {
  const auto here = complete(line.rate), there = complete(before.rate);
  if (here.width == there.width && here.speed == there.speed) return;
  diagnostics_
      .add(ibnl::kRatesDiffer, line.rate.span,
           fmt::format("this end says {}, the other {}", to_string(here), to_string(there)))
      .labels.push_back({before.rate.span, "the other end"});
}

}  // namespace rch::parsers::ibdm
