#include "policy/model/symbols.h"

#include <algorithm>
#include <utility>

namespace rch::policy {

std::string_view to_string(SymbolKind kind) {
  constexpr std::string_view kNames[] = {"port group", "topology",  "step",     "partition",
                                         "QoS group",  "QoS level", "bandwidth"};
  return kNames[static_cast<std::size_t>(kind)];
}

void Symbols::define(SymbolKind kind, std::string name, Span span) {
  all_.push_back({kind, true, std::move(name), span});
}

void Symbols::refer(SymbolKind kind, std::string name, Span span) {
  all_.push_back({kind, false, std::move(name), span});
}

const Occurrence* Symbols::at(SourceId source, std::uint32_t offset) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Occurrence& o) {
    return o.span.source == source && o.span.begin <= offset && offset < o.span.end;
  });
  return found == all_.end() ? nullptr : &*found;
}

std::vector<const Occurrence*> Symbols::of(SymbolKind kind, std::string_view name) const {
  std::vector<const Occurrence*> found;
  for (const Occurrence& o : all_)
    if (o.kind == kind && o.name == name) found.push_back(&o);
  return found;
}

}  // namespace rch::policy
