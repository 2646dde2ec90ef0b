#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace rch::policy {

/// What a configuration gives names to.
enum class SymbolKind : std::uint8_t {
  port_group,
  topology,
  step,
  partition,
  qos_group,
  qos_level,
  bandwidth
};

std::string_view to_string(SymbolKind kind);

/// One place where a name is defined or used. Ids of topologies and steps, and P_Keys, are names too, in the
/// form that messages use (`2`, `0x8001`).
struct Occurrence {
  SymbolKind kind;
  bool definition;
  std::string name;
  Span span;
};

/// Definitions and references of every name of a configuration, for editors and for `rch show`.
class Symbols {
 public:
  void define(SymbolKind kind, std::string name, Span span);
  void refer(SymbolKind kind, std::string name, Span span);

  /// In the order they were reported.
  std::span<const Occurrence> all() const { return all_; }
  /// The occurrence whose span holds the byte; null if none does.
  const Occurrence* at(SourceId source, std::uint32_t offset) const;
  /// Every occurrence of one name.
  std::vector<const Occurrence*> of(SymbolKind kind, std::string_view name) const;

 private:
  std::vector<Occurrence> all_;
};

}  // namespace rch::policy
