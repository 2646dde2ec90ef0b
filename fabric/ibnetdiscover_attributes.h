#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "fabric/fabric_builder.h"
#include "fabric/line_cursor.h"
#include "fabric/link_rate.h"
#include "fabric/reporter.h"

namespace rch::fabric {

/// GUID that an id such as `S-0002c90200400000` names; nothing if it names none.
std::optional<Guid> guid_of_id(std::string_view id);

/// The attribute lines of ibnetdiscover text (`vendid=`, `caguid=`, ...) and what they say about the next
/// node, with ibsim's rules for what is left out (ibsim's sim_net.c).
class NodeAttributes {
 public:
  explicit NodeAttributes(Reporter& report);

  /// False if the line is no attribute line (nothing is consumed then).
  bool read_line(LineCursor& at);

  /// Type, GUIDs, vendor and device of the next node, which has this id (without module); one node uses up
  /// what was said for one node. `ports` must have its final size but for a switch's port GUIDs, which are
  /// set here. A GUID of 0 remains where none is known.
  void apply(NodeSpec& spec, std::string_view id);

  /// Forgets what was said for a node that has no header. Returns its GUID; 0 if no line said it.
  Guid forget_node();

  /// Where the GUID of the last node was said; nothing if no line did.
  const std::optional<Span>& guid_span() const { return guid_span_; }
  /// The attribute that gives a node of this type its GUID.
  static std::string_view guid_word(NodeType type);

  const std::string& module() const { return module_; }
  /// Set once `width=`, `speed=` or `extspeed=` was read.
  const std::optional<EnabledRates>& default_rates() const { return defaults_; }
  /// First line that describes a node whose header has not come yet.
  const std::optional<Span>& pending() const { return pending_; }

 private:
  /// GUIDs of one node type: counted up from the last GUID line.
  struct Counter {
    std::uint64_t absolute = 0;
    std::uint64_t next = 0;
    bool stated = false;  ///< a GUID line came since the last node of this type
    Guid port_guid;       ///< `switchguid=0x..(..)`
    Span span;            ///< of that line, if `stated`
  };
  struct Attribute {
    std::string_view name;
    void (NodeAttributes::*read)(LineCursor&);
  };
  static const std::array<Attribute, 15> kAttributes;

  Counter& counter(NodeType type) { return counters_[static_cast<std::size_t>(type)]; }
  void use_up();
  std::optional<std::uint64_t> value(LineCursor& at, std::uint64_t max);
  void read_guid(LineCursor& at, NodeType type);
  void read_default(LineCursor& at, std::uint8_t EnabledRates::*mask, std::uint64_t max);

  void vendor(LineCursor& at);
  void device(LineCursor& at);
  void system(LineCursor& at);
  void ca_guid(LineCursor& at) { read_guid(at, NodeType::ca); }
  void switch_guid(LineCursor& at) { read_guid(at, NodeType::sw); }
  void router_guid(LineCursor& at) { read_guid(at, NodeType::router); }
  void width(LineCursor& at) { read_default(at, &EnabledRates::width, 31); }
  void speed(LineCursor& at) { read_default(at, &EnabledRates::speed, 7); }
  void extended(LineCursor& at) { read_default(at, &EnabledRates::extended, 15); }
  void module_prefix(LineCursor& at);
  void nothing(LineCursor&) {}

  Reporter& report_;
  std::array<Counter, 4> counters_;  ///< by NodeType
  std::uint32_t vendor_ = 0;
  std::uint32_t device_ = 0;
  std::optional<Guid> system_guid_;
  std::optional<Span> guid_span_;
  std::optional<EnabledRates> defaults_;
  std::string module_;
  std::optional<Span> pending_;
};

}  // namespace rch::fabric
