#pragma once

// The structs inside a plan, each described once: `fields(io, value)` calls io(name, member) for every member
// that a plan keeps, and serves writing (const value) and reading alike.

#include <concepts>
#include <type_traits>

#include "chains/plan.h"

namespace rch::chains {

template <class S, class T>
concept Is = std::same_as<std::remove_const_t<S>, T>;

template <class Io>
void fields(Io io, Is<engines::EngineFailure> auto& f) {
  io("rule", f.rule);
  io("message", f.message);
  io("guids", f.guids);
}
template <class Io>
void fields(Io io, Is<StepReport> auto& r) {
  io("id", r.id);
  io("engine", r.engine);
  io("topology", r.topology);
  io("status", r.status);
  io("fallback_to", r.fallback_to);
  io("failure", r.failure);
  io("remarks", r.remarks);
  io("entries", r.entries);
  io("dangling", r.dangling);
  io("found_roots", r.found_roots);
}
template <class Io>
void fields(Io io, Is<fabric::SlRule::Dimension> auto& d) {
  io("bit", d.bit);
  io("radix", d.radix);
  io("coordinate", d.coordinate);
  io("crosses", d.crosses);
}
template <class Io>
void fields(Io io, Is<fabric::SlRule> auto& r) {
  io("base", r.base);
  io("border", r.border);
  io("dimensions", r.dimensions);
}
template <class Io>
void fields(Io io, Is<fabric::RoutedStep> auto& s) {
  io("id", s.id);
  io("engine", s.engine);
  io("switches", s.switches);
  io("lids", s.lids);
  io("holes", s.holes);
  io("sl", s.sl);
}
template <class Io>
void fields(Io io, Is<fabric::MulticastGroup> auto& g) {
  io("mlid", g.mlid);
  io("sl", g.sl);
  io("members", g.members);
  io("ports", g.ports);
  io("senders", g.senders);
}
template <class Io>
void fields(Io io, Is<fabric::VlWeight> auto& w) {
  io("vl", w.vl);
  io("weight", w.weight);
}
template <class Io>
void fields(Io io, Is<fabric::Arbitration> auto& a) {
  io("high_limit", a.high_limit);
  io("high", a.high);
  io("low", a.low);
}
template <class Io>
void fields(Io io, Is<fabric::PKeyTables> auto& t) {
  io("ports", t.ports);
  io("begin", t.begin);
  io("keys", t.keys);
  io("enforcement", t.enforcement);
  io("keep_indexes", t.keep_indexes);
}
template <class Io>
void fields(Io io, Is<verify::Hop> auto& h) {
  io("sw", h.sw);
  io("in", h.in);
  io("out", h.out);
  io("vl", h.vl);
  io("source", h.source);
  io("destination", h.destination);
  io("sl", h.sl);
}
template <class Io>
void fields(Io io, Is<verify::Finding> auto& f) {
  io("kind", f.kind);
  io("message", f.message);
  io("count", f.count);
  io("witness", f.witness);
  io("accepted", f.accepted);
}
template <class Io>
void fields(Io io, Is<verify::Verdict> auto& v) {
  io("findings", v.findings);
  io("pairs", v.pairs);
  io("channels", v.channels);
  io("dependencies", v.dependencies);
  io("groups", v.groups);
}
template <class Io>
void fields(Io io, Is<Plan::Digest> auto& d) {
  io("file", d.file);
  io("hash", d.hash);
}
}  // namespace rch::chains
