#pragma once

#include <string_view>
#include <unordered_map>

#include "base/diagnostic.h"
#include "parsers/ibnl/ibnl.h"

namespace rch::parsers::ibdm {

/// The ports that the connections of one board use. Reports ports with two connections, and connections
/// whose two ends state different rates.
class PortUses {
 public:
  explicit PortUses(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// `line` is a connection of `part`; both must outlive this.
  void add(const ibnl::Instance& part, const ibnl::Connection& line);

 private:
  /// A port of a part. Numbers have no leading zeros, so that equal ports have equal texts.
  struct End {
    std::string_view part;
    std::string_view port;
    friend bool operator==(const End&, const End&) = default;
  };
  struct EndHash {
    std::size_t operator()(const End& end) const {
      const std::hash<std::string_view> hash;
      return hash(end.part) * 31 + hash(end.port);
    }
  };
  /// How a port is used: by its own line, or as the far end of another's.
  struct Use {
    const ibnl::Connection* line = nullptr;
    End peer;
    Span span;
    bool own = false;
  };

  bool use(const End& end, const Use& use);
  void check_rate(const ibnl::Connection& line, const ibnl::Connection& before);

  Diagnostics& diagnostics_;
  std::unordered_map<End, Use, EndHash> uses_;
};

}  // namespace rch::parsers::ibdm
