#pragma once

// The walk over the fabric (IBA 14.4), and what it knows: nodes in the order they first answered, ports by
// number.

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fabric/cable_policy.h"
#include "fabric/fabric_builder.h"
#include "hw/attributes.h"
#include "hw/machine.h"

namespace rch::hw {

/// Index into Sweep::nodes().
using SweepNodeId = Id<struct SweepNodeTag, std::uint32_t>;

struct SweepPort {
  bool seen = false;      ///< PortInfo was asked for
  bool explored = false;  ///< NodeInfo was asked for behind it
  Guid guid;
  Route route;  ///< how it was first reached
  PortInfo info{};
  std::optional<std::pair<SweepNodeId, PortNum>> peer;
};

struct SweepNode {
  Route route;
  NodeInfo info{};
  SwitchInfo switch_info{};
  std::string description;
  std::vector<SweepPort> ports;  ///< num_ports + 1
  bool looked_at = false;        ///< since forget_looks()
  unsigned managers = 0;         ///< ports that show a subnet manager

  bool is_switch() const { return info.type == fabric::NodeType::sw; }
};

/// Something that keeps the view from being whole, at a port.
struct SweepProblem {
  enum class Scope : std::uint8_t {
    cable,  ///< what is behind the port is not known
    node,   ///< the node of the port answers partly
    view,   ///< what is behind the port contradicts what was seen before
    reach,  ///< directed routes end at the port
  };
  /// What the agent did.
  enum class Symptom : std::uint8_t {
    silence,   ///< did not answer
    refusal,   ///< answered with an error status
    nonsense,  ///< answered with what cannot be
    barred,    ///< the operator does not let the cable take part; always of a cable, and yields
    other,
  };

  SweepNodeId node;
  PortNum port;
  Scope scope;
  Symptom symptom;
  std::string before;  ///< text before and after the name of the port
  std::string after;
  bool yields = false;  ///< LateFault::yields
};

/// What is known of a part before a walk, which leaves it out: what it did not do after an earlier walk, or
/// that it is unhealthy.
struct LateFault {
  Guid node;
  PortNum port;
  SweepProblem::Scope scope;  ///< cable or node
  std::string what;           ///< text after the name of the port
  SweepProblem::Symptom symptom = SweepProblem::Symptom::other;
  bool yields = false;   ///< it stays in if something that answers were cut off without it
  bool is_asked = true;  ///< false: nothing behind the port is asked
};

/// States:
///   own node   NodeInfo of our own node is asked for. Its answer starts the walk.
///   walking    each answer may bring more questions. Ends when none is open.
///   once more  what was not answered is asked again: meanwhile the walk has shown how much is lost.
///   waiting    for what was silent in the walk before, and no longer than kPatience: a dead host must not
///              delay each look at its switch.
///   finished   nothing is left to ask. look_again() leads back to `walking`.
/// A problem at one port does not end the walk.
class Sweep : public Machine {
 public:
  /// Cables, by the node and port that lead there.
  using Cables = std::set<std::pair<Guid, PortNum>>;
  static constexpr Milliseconds kPatience{20};

  /// `doubted`: switches of these GUIDs may be two. What they say of their cables counts; what others say of
  /// them does not. `late`: faults that were noted after an earlier walk.
  /// `before`: of two adapters with one GUID the one that hangs where it hung there counts; null: the first.
  /// `silent`: silent_cables() of the walk before.
  explicit Sweep(std::set<Guid> doubted = {}, std::vector<LateFault> late = {},
                 std::shared_ptr<const fabric::Fabric> before = nullptr, Cables silent = {})
      : doubted_(std::move(doubted)),
        late_faults_(std::move(late)),
        before_(std::move(before)),
        silent_before_(std::move(silent)) {
    for (const LateFault& fault : late_faults_)
      if (!fault.is_asked) unasked_.emplace(fault.node, fault.port);
    ask(kOwnNode, PortNum(0), Attribute::node_info);
  }

  /// Before the walk: cables that it does not let take part are left out; null: there is none. Behind such a
  /// cable NodeInfo is asked for at most. Our own cable is a problem, and leads on anyway.
  void admit(std::shared_ptr<const fabric::CablePolicy> cables) { cables_ = std::move(cables); }
  const fabric::CablePolicy* cable_policy() const { return cables_.get(); }
  /// Nodes that answered behind cables that it does not let take part.
  const std::set<Guid>& passed_over() const { return passed_over_; }

  /// From then on nothing is asked once more.
  void ask_once_more_until(TimePoint time) { once_more_until_ = time; }

  std::optional<SmpRequest> next_request(TimePoint now) override;
  void on_answer(RequestTag tag, const SmpAnswer& answer) override;
  TimePoint deadline() const override { return is_waiting() ? patient_until_ : TimePoint::max(); }
  bool finished() const override { return questions_.empty() && unanswered_ == 0 && silent_.empty(); }

  /// Asks again for switches, for what is behind their cables, and for all that is found there and is new. To
  /// be called when finished.
  void look_again(std::span<const SweepNodeId> switches);
  /// No node counts as looked at.
  void forget_looks();
  /// Nodes are asked over these routes from now on, by node. A route that is empty stays as it was.
  void set_routes(std::span<const Route> routes);
  /// Drops the nodes that no cable leads to any more. Ids of the others may change. False: one of them does
  /// not answer as it must, so its cables are not known; nothing is dropped.
  bool drop_unreachable();
  /// A node has shown this in its answer to a Get or Set of PortInfo or SwitchInfo.
  void learn(Guid node, PortNum port, Attribute attribute, const SmpData& data);
  /// From now on it is a problem of the walk, and of those that get the list.
  void note(LateFault fault);
  const std::vector<LateFault>& late_faults() const { return late_faults_; }

  const std::vector<SweepNode>& nodes() const { return nodes_; }
  std::optional<SweepNodeId> find(Guid node) const;
  /// Two answers contradict each other: a cable moved meanwhile, or two nodes have one GUID.
  bool contradicts_itself() const;
  /// GUIDs of nodes that may be two nodes.
  std::set<Guid> found_twice() const;
  /// Why the walk did not start; empty if it did.
  const std::string& own_fault() const { return own_fault_; }
  /// In the order of node GUID and port.
  std::vector<SweepProblem> problems() const;
  /// Behind which nothing answered.
  Cables silent_cables() const;
  /// Those of the walks alone, without late faults.
  std::span<const SweepProblem> found_problems() const { return problems_; }
  /// "`switch 1` port 1 (0x…, route 0,1)"
  std::string name(SweepNodeId id, PortNum number) const;
  /// Messages have these names from now on, and so has the fabric that is made of the walk. Null: none.
  void name_nodes(std::shared_ptr<const fabric::NodeNames> names) { names_ = std::move(names); }
  /// Empty: the operator gave it no name.
  std::string given_name(SweepNodeId id) const;
  std::string shown_name(SweepNodeId id) const;
  PortNum local_port() const { return nodes_[0].info.local_port; }

 private:
  static constexpr SweepNodeId kOwnNode = SweepNodeId::none();

  /// Get(attribute) of a port. NodeInfo is that of the node behind the port, or of kOwnNode.
  struct Question {
    SweepNodeId node;
    PortNum port;
    Attribute attribute;
    bool once_more = false;
  };

  static RequestTag tag_of(const Question& question);
  static Question question_of(RequestTag tag);

  SweepNode& node(SweepNodeId id) { return nodes_[id.index()]; }
  const SweepNode& node(SweepNodeId id) const { return nodes_[id.index()]; }
  SweepPort& port(SweepNodeId id, PortNum number) { return node(id).ports[number.index()]; }

  void ask(SweepNodeId id, PortNum number, Attribute attribute) {
    questions_.push_back({id, number, attribute});
  }
  Route route_behind(SweepNodeId id, PortNum number) const;
  void on_own_node(const SmpAnswer& answer);
  void on_attribute(const Question& question, const SmpAnswer& answer);
  void show(SweepNodeId id, PortNum number, const PortInfo& info);
  void on_port_info(SweepNodeId id, PortNum number);
  void on_neighbor(SweepNodeId from, PortNum from_port, const SmpAnswer& answer);
  std::optional<SweepNodeId> meet(const NodeInfo& info, const Route& route);
  bool has_port_guid_of_another(const NodeInfo& info) const;
  void explore(SweepNodeId id, PortNum number);
  void twin(SweepNodeId from, PortNum from_port, SweepNodeId to, PortNum to_port);
  bool is_doubted(SweepNodeId id) const {
    return node(id).is_switch() && doubted_.contains(node(id).info.node_guid);
  }
  void look_at_port(SweepNodeId id, PortNum number, const Route& route);
  void ask_about_switch(SweepNodeId id);
  void detach(SweepNodeId id, PortNum number);
  void forget_problems(SweepNodeId id);
  std::vector<bool> reachable() const;
  void link(SweepNodeId a, PortNum a_port, SweepNodeId b, PortNum b_port);
  void problem(SweepNodeId id, PortNum number, SweepProblem::Scope scope, SweepProblem::Symptom symptom,
               std::string before, std::string after);
  void give_up_silent();
  void give_up_known_silent();
  bool is_known_silent(const Question& question) const;
  /// All that is open is behind cables that were silent before.
  bool is_waiting() const {
    return questions_.empty() && silent_.empty() && !known_silent_.empty() &&
           unanswered_ == known_silent_.size();
  }
  fabric::CablePort end_of(SweepNodeId id, PortNum number) const;
  bool is_own_port(Guid node, PortNum number) const;
  void note_own_cable(SweepNodeId from, PortNum from_port, const NodeInfo& info);
  bool bar(SweepNodeId id, PortNum number, std::string why);
  bool is_barred(SweepNodeId from, PortNum from_port, const NodeInfo& info);
  bool is_second_twin(SweepNodeId from, PortNum from_port, SweepNodeId met, PortNum met_port) const;
  void replace_twin(SweepNodeId from, PortNum from_port, SweepNodeId met, const NodeInfo& info);

  std::deque<Question> questions_;  ///< to be asked
  std::deque<Question> silent_;     ///< to be asked once more
  std::size_t unanswered_ = 0;
  /// The unanswered ones behind cables that were silent before.
  std::vector<std::pair<SweepNodeId, PortNum>> known_silent_;
  TimePoint patient_until_;  ///< for these
  std::vector<SweepNode> nodes_;
  std::set<Guid> doubted_, found_twice_;
  std::unordered_map<Guid, SweepNodeId> by_guid_;
  std::unordered_map<Guid, std::pair<SweepNodeId, PortNum>> by_port_guid_;
  std::vector<SweepProblem> problems_;
  std::vector<LateFault> late_faults_;
  std::shared_ptr<const fabric::Fabric> before_;
  Cables silent_before_;
  std::set<std::pair<Guid, PortNum>> unasked_;  ///< ports behind which nothing is asked
  TimePoint once_more_until_ = TimePoint::max();
  std::string own_fault_;
  std::shared_ptr<const fabric::NodeNames> names_;
  std::shared_ptr<const fabric::CablePolicy> cables_;
  std::set<std::pair<SweepNodeId, PortNum>> barred_;  ///< ports of problems of that kind
  std::set<Guid> passed_over_;
  fabric::CablePort own_cable_{};  ///< the other end of our own cable
};

}  // namespace rch::hw
