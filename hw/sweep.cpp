#include "hw/sweep.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace rch::hw {
namespace {

using Scope = SweepProblem::Scope;
using Symptom = SweepProblem::Symptom;

/// Why an answer cannot be believed (IBA 14.4); empty if it can.
std::string fault_in(const NodeInfo& info) {
  const auto type = static_cast<unsigned>(info.type);
  if (type < 1 || type > 3) return fmt::format("node type {}", type);
  if (info.num_ports < 1 || info.num_ports > 254) return fmt::format("{} ports", info.num_ports);
  if (info.local_port.value > info.num_ports)
    return fmt::format("local port {} of {}", info.local_port, info.num_ports);
  if (info.node_guid.value == 0) return "a node GUID of 0";
  if (info.port_guid.value == 0) return "a port GUID of 0";
  return {};
}

/// The same of a node that a cable leads to: no cable ends at port 0 of a switch.
std::string fault_behind_cable(const NodeInfo& info) {
  std::string fault = fault_in(info);
  return fault.empty() && info.local_port == PortNum(0) ? "local port 0" : fault;
}

std::string fault_in(const PortInfo& info, bool port0) {
  if (info.state > PortState::active) return fmt::format("port state {}", static_cast<unsigned>(info.state));
  if (!port0 && info.state <= PortState::down) return {};  // nothing else counts (IBA 14.2.5.6)
  for (auto [code, what] : {std::pair{info.mtu_cap, "MTU"}, std::pair{info.vl_cap, "VL"}})
    if (code < 1 || code > 5) return fmt::format("{} capability code {}", what, code);
  return {};
}

std::string_view attribute_name(Attribute attribute) {
  switch (attribute) {
    case Attribute::node_description:
      return "NodeDescription";
    case Attribute::switch_info:
      return "SwitchInfo";
    default:
      return "PortInfo";
  }
}

/// Trailing padding off, unprintable bytes to blanks, as ibnetdiscover shows it.
std::string description_from(const SmpData& data) {
  std::string text(data.begin(), std::find(data.begin(), data.end(), 0));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E) c = ' ';
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

RequestTag Sweep::tag_of(const Question& question) {
  return {.item = std::uint64_t{question.node.value} << 32U | std::uint64_t{question.once_more} << 24U |
                  std::uint64_t{question.port.value} << 16U | static_cast<std::uint16_t>(question.attribute)};
}

Sweep::Question Sweep::question_of(RequestTag tag) {
  return {SweepNodeId(static_cast<std::uint32_t>(tag.item >> 32U)),
          PortNum(static_cast<std::uint8_t>(tag.item >> 16U)),
          static_cast<Attribute>(static_cast<std::uint16_t>(tag.item)), (tag.item >> 24U & 1U) != 0};
}

std::optional<SmpRequest> Sweep::next_request(TimePoint now) {
  const bool rests = questions_.empty() && unanswered_ == known_silent_.size();
  if (rests && now >= once_more_until_) give_up_silent();
  if (rests) questions_.swap(silent_);
  if (is_waiting() && now >= patient_until_) give_up_known_silent();
  if (questions_.empty()) return std::nullopt;
  const Question question = questions_.front();
  questions_.pop_front();
  ++unanswered_;
  SmpRequest request{.attribute = question.attribute,
                     .tag = tag_of(question),
                     .patience = question.once_more ? Patience::again : Patience::loss};
  if (question.node == kOwnNode) return request;
  if (question.attribute == Attribute::node_info) {
    request.to = route_behind(question.node, question.port);
    if (!is_known_silent(question)) return request;
    known_silent_.emplace_back(question.node, question.port);
    patient_until_ = now + kPatience;
    request.patience = Patience::brief;
    return request;
  }
  request.node = NodeKey(question.node.value);
  const bool of_port = question.attribute == Attribute::port_info;
  request.to = of_port ? port(question.node, question.port).route : node(question.node).route;
  if (of_port) request.modifier = question.port.value | kExtendedSpeeds;
  return request;
}

void Sweep::on_answer(RequestTag tag, const SmpAnswer& answer) {
  --unanswered_;
  Question question = question_of(tag);
  if (is_known_silent(question)) {
    std::erase(known_silent_, std::pair{question.node, question.port});
    question.once_more = true;
  }
  if (!answer.answered && !question.once_more) {
    question.once_more = true;
    silent_.push_back(question);
  } else if (question.node == kOwnNode) {
    on_own_node(answer);
  } else if (question.attribute == Attribute::node_info) {
    on_neighbor(question.node, question.port, answer);
  } else {
    on_attribute(question, answer);
  }
}

/// What did not answer so far is not waited for any more.
void Sweep::give_up_silent() {
  for (Question& question : std::exchange(silent_, {})) {
    question.once_more = true;
    ++unanswered_;
    on_answer(tag_of(question), {});
  }
}

bool Sweep::is_known_silent(const Question& question) const {
  if (question.attribute != Attribute::node_info || question.node == kOwnNode) return false;
  return silent_before_.contains({node(question.node).info.node_guid, question.port});
}

void Sweep::give_up_known_silent() {
  unanswered_ -= known_silent_.size();
  for (const auto& [id, number] : std::exchange(known_silent_, {})) on_neighbor(id, number, {});
}

void Sweep::on_own_node(const SmpAnswer& answer) {
  if (!answer.good()) {
    own_fault_ = "our own port does not answer Get(NodeInfo)";
    return;
  }
  const auto info = decode<NodeInfo>(answer.data);
  if (const std::string fault = fault_in(info); fault.empty())
    meet(info, {});
  else
    own_fault_ = "our own port answered Get(NodeInfo) with " + fault;
}

void Sweep::on_attribute(const Question& question, const SmpAnswer& answer) {
  const auto& [id, number, attribute, once_more] = question;
  if (!answer.good()) {
    const std::string how = answer.answered ? fmt::format("answers with status 0x{:02x}", answer.status)
                                            : std::string("does not answer");
    return problem(id, number, Scope::node, answer.answered ? Symptom::refusal : Symptom::silence, "",
                   fmt::format(" {} Get({})", how, attribute_name(attribute)));
  }
  if (attribute == Attribute::node_description) {
    node(id).description = description_from(answer.data);
  } else if (attribute == Attribute::switch_info) {
    node(id).switch_info = decode<SwitchInfo>(answer.data);
    if (node(id).switch_info.linear_cap == 0)
      problem(id, PortNum(0), Scope::node, Symptom::nonsense, "", " has no linear forwarding table");
  } else {
    show(id, number, decode<PortInfo>(answer.data));
    // The M_Key of a switch is that of port 0; its other ports have none.
    if (answer.foreign_key && (!node(id).is_switch() || number == PortNum(0)))
      problem(id, number, Scope::node, Symptom::other, "",
              " has an M_Key that is none of the known ones: it takes no Set");
    on_port_info(id, number);
  }
}

void Sweep::show(SweepNodeId id, PortNum number, const PortInfo& info) {
  PortInfo& known = port(id, number).info;
  node(id).managers += info.is_sm ? 1U : 0U;
  node(id).managers -= known.is_sm ? 1U : 0U;
  known = info;
}

void Sweep::on_port_info(SweepNodeId id, PortNum number) {
  const PortInfo& info = port(id, number).info;
  const bool port0 = number == PortNum(0);
  if (const std::string fault = fault_in(info, node(id).is_switch() && port0); !fault.empty())
    return problem(id, number, Scope::node, Symptom::nonsense, "", " answers Get(PortInfo) with " + fault);
  // A CA port that is not ours was reached over its cable, so what is behind it is known.
  const bool leads_on = node(id).is_switch() || id == SweepNodeId(0);
  if (!port0 && info.state > PortState::down && leads_on) explore(id, number);
}

Route Sweep::route_behind(SweepNodeId id, PortNum number) const {
  const SweepNode& from = node(id);
  return (from.is_switch() ? from.route : from.ports[number.index()].route).through(number);
}

void Sweep::explore(SweepNodeId id, PortNum number) {
  SweepPort& exit = port(id, number);
  if (exit.explored || (exit.peer && !is_doubted(id))) return;
  if (unasked_.contains({node(id).info.node_guid, number})) return;
  exit.explored = true;
  const Guid guid = node(id).info.node_guid;
  const bool is_ours = is_own_port(guid, number) || (own_cable_.node == guid && own_cable_.port == number);
  if (cables_ && !is_ours && bar(id, number, cables_->bar(end_of(id, number)))) return;
  const Route& route = node(id).is_switch() ? node(id).route : exit.route;
  if (route.full())
    return problem(id, number, Scope::reach, Symptom::other, "",
                   " is 63 hops away: directed routes end there");
  ask(id, number, Attribute::node_info);
}

fabric::CablePort Sweep::end_of(SweepNodeId id, PortNum number) const {
  const SweepNode& of = node(id);
  return {of.info.node_guid, number, of.is_switch() ? Guid{} : of.ports[number.index()].guid};
}

/// Port 0 of a switch has no cable.
bool Sweep::is_own_port(Guid guid, PortNum number) const {
  return !nodes_[0].is_switch() && nodes_[0].info.node_guid == guid && local_port() == number;
}

/// Notes a cable with our own port at one end.
void Sweep::note_own_cable(SweepNodeId from, PortNum from_port, const NodeInfo& info) {
  if (is_own_port(node(from).info.node_guid, from_port))
    own_cable_ = {info.node_guid, info.local_port};
  else
    own_cable_ = {node(from).info.node_guid, from_port};
}

/// True if there is a reason; it is a problem from then on.
bool Sweep::bar(SweepNodeId id, PortNum number, std::string why) {
  if (why.empty()) return false;
  if (barred_.emplace(id, number).second)
    problems_.push_back({id, number, Scope::cable, Symptom::barred, "", std::move(why), true});
  return true;
}

/// The cable must not be walked over. It is one problem, whichever end shows it first.
bool Sweep::is_barred(SweepNodeId from, PortNum from_port, const NodeInfo& info) {
  if (!cables_) return false;
  const bool at_own = is_own_port(node(from).info.node_guid, from_port);
  const bool is_ours = at_own || is_own_port(info.node_guid, info.local_port);
  if (is_ours) note_own_cable(from, from_port, info);
  const Guid spared = nodes_[0].is_switch() ? nodes_[0].info.node_guid : own_cable_.node;
  const fabric::CablePort near = end_of(from, from_port);
  const fabric::CablePort far{info.node_guid, info.local_port,
                              info.type == fabric::NodeType::sw ? Guid{} : info.port_guid};
  if (is_ours) {
    bar(SweepNodeId(0), local_port(), cables_->objection(at_own ? near : far, at_own ? far : near));
    return false;
  }
  std::string why = cables_->objection(near, far, spared);
  if (why.empty()) return false;
  passed_over_.insert(info.node_guid);
  const auto met = find(info.node_guid);
  if (!met || !barred_.contains({*met, info.local_port})) bar(from, from_port, std::move(why));
  // Both ends are pulled when both are known.
  if (met && !is_doubted(*met) && info.local_port.index() < node(*met).ports.size() &&
      !port(*met, info.local_port).peer)
    link(from, from_port, *met, info.local_port);
  return true;
}

void Sweep::on_neighbor(SweepNodeId from, PortNum from_port, const SmpAnswer& answer) {
  const bool tells =
      answer.answered && answer.status == 0 && fault_behind_cable(decode<NodeInfo>(answer.data)).empty();
  if (cables_ && !tells && bar(from, from_port, cables_->objection_to_unknown(end_of(from, from_port))))
    return;
  if (!answer.answered)
    return problem(from, from_port, Scope::cable, Symptom::silence, "nothing answers behind ",
                   ", which is up");
  const auto info = decode<NodeInfo>(answer.data);
  const std::string fault =
      answer.status != 0 ? fmt::format("status 0x{:02x}", answer.status) : fault_behind_cable(info);
  if (!fault.empty())
    return problem(from, from_port, Scope::cable, answer.status != 0 ? Symptom::refusal : Symptom::nonsense,
                   "what is behind ", " answers Get(NodeInfo) with " + fault);
  if (is_barred(from, from_port, info)) return;
  if (const auto met = meet(info, route_behind(from, from_port)))
    return is_second_twin(from, from_port, *met, info.local_port)
               ? replace_twin(from, from_port, *met, info)
               : link(from, from_port, *met, info.local_port);
  const bool twin = by_guid_.contains(info.node_guid) && !has_port_guid_of_another(info);
  problem(from, from_port, Scope::view, Symptom::other, "what is behind ",
          twin ? fmt::format(" has GUID {} and other ports than the node of that GUID seen before",
                             info.node_guid)
               : fmt::format(" has port GUID {}, which another port has", info.port_guid));
}

bool Sweep::has_port_guid_of_another(const NodeInfo& info) const {
  const auto found = by_port_guid_.find(info.port_guid);
  if (found == by_port_guid_.end()) return false;
  const auto& [id, number] = found->second;
  const SweepNode& other = node(id);
  return other.info.node_guid != info.node_guid || (!other.is_switch() && number != info.local_port);
}

/// The node that gave this answer, new or known; nothing if it contradicts what is known.
std::optional<SweepNodeId> Sweep::meet(const NodeInfo& info, const Route& route) {
  if (has_port_guid_of_another(info)) return std::nullopt;
  const std::size_t slots = info.num_ports + std::size_t{1};
  const SweepNodeId next(static_cast<std::uint32_t>(nodes_.size()));
  const auto [found, fresh] = by_guid_.emplace(info.node_guid, next);
  const SweepNodeId id = found->second;
  if (fresh) nodes_.push_back({route, info, {}, {}, std::vector<SweepPort>(slots)});
  SweepNode& known = node(id);
  if (known.info.type != info.type || known.ports.size() != slots) return std::nullopt;
  by_port_guid_.try_emplace(info.port_guid, id, info.local_port);
  if (known.is_switch()) {
    if (fresh) ask_about_switch(id);
    return id;
  }
  if (!std::exchange(known.looked_at, true)) {
    known.route = route;
    known.info = info;
    ask(id, info.local_port, Attribute::node_description);
  }
  if (!port(id, info.local_port).seen) port(id, info.local_port).guid = info.port_guid;
  look_at_port(id, info.local_port, route);
  return id;
}

void Sweep::ask_about_switch(SweepNodeId id) {
  SweepNode& known = node(id);
  known.looked_at = true;
  if (id == SweepNodeId(0) && cables_ && cables_->held_back().contains(known.info.node_guid))
    bar(id, local_port(), fmt::format(" {}", fabric::kIsHeldBack));
  ask(id, known.info.local_port, Attribute::node_description);
  ask(id, PortNum(0), Attribute::switch_info);
  for (std::size_t p = 0; p < known.ports.size(); ++p) {
    known.ports[p].guid = known.info.port_guid;
    look_at_port(id, PortNum(static_cast<std::uint8_t>(p)), known.route);
  }
}

void Sweep::look_at_port(SweepNodeId id, PortNum number, const Route& route) {
  SweepPort& seen = port(id, number);
  if (seen.seen) return;
  seen.seen = true;
  seen.route = route;
  ask(id, number, Attribute::port_info);
}

void Sweep::link(SweepNodeId a, PortNum a_port, SweepNodeId b, PortNum b_port) {
  if (a == b && a_port == b_port) return;  // a loop-back plug is no link (IBA 14.4)
  SweepPort& near = port(a, a_port);
  SweepPort& far = port(b, b_port);
  const std::pair to_far{b, b_port};
  const std::pair to_near{a, a_port};
  if (near.peer && near.peer != to_far) {
    // Another port claimed to lead here. What answers behind this port counts.
    const auto claimed = *near.peer;
    near.peer.reset();
    port(claimed.first, claimed.second).peer.reset();
    twin(claimed.first, claimed.second, a, a_port);
  }
  const bool to_be_confirmed = is_doubted(b) && far.peer != to_near && !is_doubted(a);
  if ((!far.peer || far.peer == to_near) && !to_be_confirmed) {
    near.peer = to_far;
    far.peer = to_near;
    std::erase_if(problems_, [&](const SweepProblem& p) {
      const std::pair at{p.node, p.port};
      return p.scope == Scope::view && (at == to_near || at == to_far);
    });
    return;
  }
  twin(a, a_port, b, b_port);
}

/// Another adapter with this GUID was met first, and this one hangs where it hung before.
bool Sweep::is_second_twin(SweepNodeId from, PortNum from_port, SweepNodeId met, PortNum met_port) const {
  const auto& claimed = node(met).ports[met_port.index()].peer;
  if (!before_ || node(met).is_switch() || !claimed || *claimed == std::pair{from, from_port}) return false;
  const auto then = before_->find_node(node(met).info.node_guid);
  if (!then || met_port.value > before_->node(*then).num_ports) return false;
  const PortId peer = before_->port(before_->port_id(*then, met_port)).peer;
  return !peer.is_none() && before_->port(peer).number == from_port &&
         before_->node(before_->port(peer).node).guid == node(from).info.node_guid;
}

/// So the other one is left out. What was asked of it is asked again here.
void Sweep::replace_twin(SweepNodeId from, PortNum from_port, SweepNodeId met, const NodeInfo& info) {
  SweepPort& far = port(met, info.local_port);
  const auto claimed = *std::exchange(far.peer, std::pair{from, from_port});
  port(from, from_port).peer = std::pair{met, info.local_port};
  port(claimed.first, claimed.second).peer.reset();
  twin(claimed.first, claimed.second, met, info.local_port);
  forget_problems(met);
  node(met).route = route_behind(from, from_port);
  node(met).info = info;
  ask(met, info.local_port, Attribute::node_description);
  far.guid = info.port_guid;
  far.seen = false;
  look_at_port(met, info.local_port, node(met).route);
}

/// This port leads to a port that does not lead back.
void Sweep::twin(SweepNodeId from, PortNum from_port, SweepNodeId to, PortNum to_port) {
  found_twice_.insert(node(to).info.node_guid);
  problem(
      from, from_port, Scope::view, Symptom::other, "",
      fmt::format(
          " leads to port {} of {}, which leads elsewhere (two nodes with one GUID, or a cable that moved)",
          to_port, node(to).info.node_guid));
}

// Looking again

void Sweep::look_again(std::span<const SweepNodeId> switches) {
  silent_before_ = silent_cables();
  for (const SweepNodeId id : switches) {
    forget_problems(id);
    for (std::size_t p = 1; p < node(id).ports.size(); ++p) detach(id, PortNum(static_cast<std::uint8_t>(p)));
    for (SweepPort& known : node(id).ports) known.seen = false;
  }
  for (const SweepNodeId id : switches) ask_about_switch(id);
}

/// Takes the cable off a port. An adapter at its other end is new when it is found again.
void Sweep::detach(SweepNodeId id, PortNum number) {
  SweepPort& near = port(id, number);
  near.explored = false;
  const auto peer = std::exchange(near.peer, std::nullopt);
  if (!peer) return;
  SweepPort& far = port(peer->first, peer->second);
  far.peer.reset();
  far.explored = false;
  if (node(peer->first).is_switch()) return;
  far.seen = false;
  forget_problems(peer->first);
}

void Sweep::forget_problems(SweepNodeId id) {
  std::erase_if(problems_, [id](const SweepProblem& problem) { return problem.node == id; });
  std::erase_if(barred_, [id](const auto& at) { return at.first == id; });
}

void Sweep::forget_looks() {
  for (SweepNode& known : nodes_) known.looked_at = false;
}

void Sweep::set_routes(std::span<const Route> routes) {
  for (std::size_t n = 1; n < nodes_.size(); ++n) {
    if (!nodes_[n].is_switch() || routes[n].hops == 0 || nodes_[n].route == routes[n]) continue;
    nodes_[n].route = routes[n];
    for (SweepPort& known : nodes_[n].ports) known.route = routes[n];
  }
}

/// By node: cables lead there from our own node.
std::vector<bool> Sweep::reachable() const {
  std::vector<bool> reached(nodes_.size());
  reached[0] = true;
  for (std::deque<SweepNodeId> open{SweepNodeId(0)}; !open.empty(); open.pop_front())
    for (const SweepPort& known : node(open.front()).ports)
      if (known.peer && !reached[known.peer->first.index()]) {
        reached[known.peer->first.index()] = true;
        open.push_back(known.peer->first);
      }
  return reached;
}

bool Sweep::drop_unreachable() {
  const std::vector<bool> reached = reachable();
  if (std::ranges::find(reached, false) == reached.end()) return true;
  const auto is_dropped = [&](const SweepProblem& problem) { return !reached[problem.node.index()]; };
  if (std::ranges::any_of(problems_, is_dropped)) return false;
  std::vector<SweepNodeId> now(nodes_.size(), SweepNodeId::none());
  std::uint32_t kept = 0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!reached[n]) continue;
    now[n] = SweepNodeId(kept);
    if (kept != n) nodes_[kept] = std::move(nodes_[n]);
    ++kept;
  }
  nodes_.resize(kept);
  by_guid_.clear();
  std::erase_if(by_port_guid_, [&](const auto& entry) { return !reached[entry.second.first.index()]; });
  for (auto& [guid, at] : by_port_guid_) at.first = now[at.first.index()];
  for (std::uint32_t n = 0; n < kept; ++n) {
    by_guid_.emplace(nodes_[n].info.node_guid, SweepNodeId(n));
    for (SweepPort& known : nodes_[n].ports)
      if (known.peer) known.peer->first = now[known.peer->first.index()];
  }
  for (SweepProblem& problem : problems_) problem.node = now[problem.node.index()];
  std::set<std::pair<SweepNodeId, PortNum>> barred;
  for (const auto& [id, number] : barred_)
    if (reached[id.index()]) barred.emplace(now[id.index()], number);
  barred_ = std::move(barred);
  return true;
}

bool Sweep::contradicts_itself() const {
  return std::ranges::find(problems_, Scope::view, &SweepProblem::scope) != problems_.end();
}

/// A cable is up at one end and down at the other: it was plugged in meanwhile, or leads to another node.
std::set<Guid> Sweep::found_twice() const {
  std::set<Guid> guids = found_twice_;
  for (const SweepNode& seen : nodes_)
    for (std::size_t p = 1; seen.is_switch() && p < seen.ports.size(); ++p)
      if (seen.ports[p].peer && seen.ports[p].info.state == PortState::down)
        guids.insert(seen.info.node_guid);
  return guids;
}

std::optional<SweepNodeId> Sweep::find(Guid node) const {
  const auto found = by_guid_.find(node);
  return found == by_guid_.end() ? std::nullopt : std::optional(found->second);
}

void Sweep::learn(Guid guid, PortNum number, Attribute attribute, const SmpData& data) {
  const auto id = find(guid);
  if (!id) return;
  if (attribute == Attribute::port_info)
    show(*id, number, decode<PortInfo>(data));
  else
    node(*id).switch_info = decode<SwitchInfo>(data);
}

void Sweep::problem(SweepNodeId id, PortNum number, SweepProblem::Scope scope, SweepProblem::Symptom symptom,
                    std::string before, std::string after) {
  problems_.push_back({id, number, scope, symptom, std::move(before), std::move(after)});
}

std::string Sweep::name(SweepNodeId id, PortNum number) const {
  const SweepNode& seen = node(id);
  return fmt::format("`{}` port {} ({}, route {})", shown_name(id), number, seen.info.node_guid,
                     to_string(seen.route));
}

std::string Sweep::given_name(SweepNodeId id) const {
  if (names_ == nullptr) return {};
  const auto given = names_->find(node(id).info.node_guid);
  return given == names_->end() ? std::string() : given->second;
}

std::string Sweep::shown_name(SweepNodeId id) const {
  std::string given = given_name(id);
  return given.empty() ? node(id).description : given;
}

void Sweep::note(LateFault fault) {
  const auto is_noted = [&](const LateFault& known) {
    return !known.yields && known.node == fault.node &&
           (known.scope == Scope::node || known.port == fault.port);
  };
  if (std::ranges::none_of(late_faults_, is_noted)) late_faults_.push_back(std::move(fault));
}

/// Those of switches: a second port of our own host is looked at with the whole fabric only.
Sweep::Cables Sweep::silent_cables() const {
  Cables cables;
  for (const SweepProblem& problem : problems_)
    if (problem.scope == Scope::cable && problem.symptom == Symptom::silence &&
        node(problem.node).is_switch())
      cables.emplace(node(problem.node).info.node_guid, problem.port);
  return cables;
}

std::vector<SweepProblem> Sweep::problems() const {
  std::vector<SweepProblem> sorted = problems_;
  for (const LateFault& fault : late_faults_)
    if (const auto id = find(fault.node); id && fault.port.index() < node(*id).ports.size())
      sorted.push_back({*id, fault.port, fault.scope, fault.symptom, "", fault.what, fault.yields});
  std::ranges::sort(sorted, {}, [this](const SweepProblem& p) {
    return std::tuple(node(p.node).info.node_guid, p.port, std::string_view(p.before),
                      std::string_view(p.after));
  });
  return sorted;
}

}  // namespace rch::hw
