#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/ibnl/ibnl.h"

namespace rch::parsers::ibdm {

/// A SYSTEM or TOPSYSTEM with its parts found by name.
class Board {
 public:
  /// Which line wires a front panel port: connection of an instance.
  struct Wiring {
    std::uint32_t instance = 0;
    std::uint32_t connection = 0;
  };

  /// Reports names used twice.
  Board(const ibnl::System& system, Diagnostics& diagnostics);

  const ibnl::System& system() const { return *system_; }
  const ibnl::Instance& instance(std::uint32_t index) const { return system_->instances[index]; }
  const ibnl::Connection& line(const Wiring& wiring) const {
    return instance(wiring.instance).connections[wiring.connection];
  }
  /// Null if no part has that name.
  const ibnl::Instance* find(std::string_view instance_name) const;
  /// Index of an instance that find() gave.
  std::uint32_t index(const ibnl::Instance& instance) const {
    return static_cast<std::uint32_t>(&instance - system_->instances.data());
  }
  /// Null if the board has no such front panel port.
  const Wiring* front_port(std::string_view name) const;
  const std::vector<std::pair<std::string_view, Wiring>>& front_ports() const { return front_; }

 private:
  void add_front_port(const Wiring& wiring, Diagnostics& diagnostics);

  const ibnl::System* system_;
  std::unordered_map<std::string_view, std::uint32_t> instances_;
  std::vector<std::pair<std::string_view, Wiring>> front_;  ///< in file order
  std::unordered_map<std::string_view, std::uint32_t> front_by_name_;
};

/// One IBNL file: the boards it defines and the system it is about (docs/ibdm.md).
class SystemFile {
 public:
  /// How deep boards may contain boards.
  static constexpr std::size_t kDeepest = 32;

  /// Reads and checks the text; every finding is kept.
  SystemFile(const SourceSet& sources, SourceId source);
  SystemFile(const SystemFile&) = delete;
  SystemFile& operator=(const SystemFile&) = delete;

  const ibnl::Syntax& syntax() const { return syntax_; }
  const Diagnostics& findings() const { return findings_; }
  /// Some finding is an error: the file must not be used.
  bool broken() const { return findings_.has_errors(); }

  const std::vector<Board>& boards() const { return boards_; }
  /// Null if the file is broken in that way.
  const Board* top() const { return top_; }
  /// The SYSTEM of exactly that name, `LEAF` or `LEAF:12x`; null if there is none.
  const Board* board(std::string_view name) const;
  /// All that a SUBSYSTEM of that type may be: TYPE itself and TYPE:anything.
  const std::vector<const Board*>& variants(std::string_view type) const;

 private:
  void add_names(const Board& board);
  void check_top_names();

  Diagnostics findings_;  // before what is made with it
  ibnl::Syntax syntax_;
  std::vector<Board> boards_;  ///< as in syntax().systems
  const Board* top_ = nullptr;
  std::unordered_map<std::string_view, const Board*> by_name_;
  std::unordered_map<std::string_view, std::vector<const Board*>> variants_;
};

}  // namespace rch::parsers::ibdm
