#pragma once

#include "base/diagnostic.h"

namespace rch::policy {

// Bind: the policy on a fabric (docs/keywords.md and torus-2QoS.conf(5)).
inline constexpr Rule kGuidNotInFabric{
    .name = "guid-not-in-fabric",
    .severity = Severity::warning,
    .summary = "a GUID that the fabric does not have",
    .opensm = "says nothing, or logs it at debug level",
    .nvidia = "says nothing",
    .repair = "correct the GUID, or drop it",
};
inline constexpr Rule kMultiPortGuid{
    .name = "multi-port-guid",
    .severity = Severity::note,
    .summary = "a node GUID that stands for several ports",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "name the GUID of the port that is meant",
};
inline constexpr Rule kNoSuchPort{
    .name = "no-such-port",
    .severity = Severity::warning,
    .summary = "a port number that the node does not have",
    .opensm = "ignores the line silently",
    .nvidia = "ignores the port silently",
    .repair = "correct the port number",
};
inline constexpr Rule kHostNotInFabric{
    .name = "host-not-in-fabric",
    .severity = Severity::warning,
    .summary = "a host that the fabric does not have",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "correct the name; node descriptions read `HOST HCA-N`",
};
inline constexpr Rule kRegexpMatchesNothing{
    .name = "regexp-matches-nothing",
    .severity = Severity::warning,
    .summary = "an expression that matches no node",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "compare with `rch fabric info`: expressions match node descriptions",
};
inline constexpr Rule kRegexpMatchesAll{
    .name = "regexp-matches-all",
    .severity = Severity::warning,
    .summary = "an expression that matches every node",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "anchor the expression, or name the predefined group `ALL`",
};
inline constexpr Rule kRegexpMatches{
    .name = "regexp-match-count",
    .severity = Severity::note,
    .summary = "how many nodes an expression that reads like a file pattern matches",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "compare the number with the nodes you mean",
};
inline constexpr Rule kEmptyGroup{
    .name = "empty-port-group",
    .severity = Severity::warning,
    .summary = "a port group without a port",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "correct the rules of the group, or drop it",
};
inline constexpr Rule kEmptySwitchGroup{
    .name = "empty-switch-group",
    .severity = Severity::error,
    .summary = "a topology without a switch",
    .opensm = "does not read this kind of file",
    .nvidia = "leaves the step nothing to route",
    .repair = "put the switches of the topology into its `sw-grp`",
};
inline constexpr Rule kIgnoredMembers{
    .name = "ignored-members",
    .severity = Severity::warning,
    .summary = "members that a topology cannot use",
    .opensm = "does not read this kind of file",
    .nvidia = "ignores them silently",
    .repair = "put switch ports into `sw-grp` and host ports into `hca-grp`",
};
inline constexpr Rule kTooManyTopologies{
    .name = "too-many-topologies",
    .severity = Severity::error,
    .summary = "a switch in more topologies than allowed",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the policy",
    .repair = "take the switch out of a topology, or raise `max_topologies_per_sw`",
};
inline constexpr Rule kHostCutOff{
    .name = "host-cut-off",
    .severity = Severity::warning,
    .summary = "a host whose switch is outside the topology",
    .reason = "the step does not route to it, and its earlier routes stay",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "add the port of its switch to `sw-grp`",
};
inline constexpr Rule kHostInNoTopology{
    .name = "host-in-no-topology",
    .severity = Severity::note,
    .summary = "a host in no topology on a switch that is in one",
    .reason = "no step on a topology routes to it: it keeps the routes of the first step",
    .opensm = "does not read this kind of file",
    .nvidia = "lets it join the topology of its switch if `auto_join_hca_wo_topo` is TRUE",
    .repair = "add the host to `hca-grp`, if the step is to route to it",
};
inline constexpr Rule kDisconnectedTopology{
    .name = "disconnected-topology",
    .severity = Severity::warning,
    .summary = "a topology in several parts",
    .reason = "a step cannot route between the parts",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "add the switches or ports that join the parts, or make a topology of each",
};
inline constexpr Rule kHalfLink{
    .name = "half-listed-link",
    .severity = Severity::warning,
    .summary = "a cable inside a topology of which it has one end only",
    .reason = "the step on the topology does not use the cable",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "list the ports at both ends in `sw-grp`, or at neither",
};
inline constexpr Rule kLinkBetween{
    .name = "link-between-topologies",
    .severity = Severity::note,
    .summary = "cables between two topologies that are in neither of them",
    .reason = "no step on a topology routes over them: what crosses keeps the routes of the first step",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "define a topology that has both ends, and a step on it, if they are to be routed apart",
};
inline constexpr Rule kRootNoSpine{
    .name = "root-no-spine",
    .severity = Severity::warning,
    .summary = "a root that is a leaf, or not at the top",
    .reason = "routes go up towards the roots and down from them: others cross the fabric for nothing",
    .opensm = "takes the switch as a root and says nothing",
    .nvidia = "takes the switch as a root and says nothing",
    .repair = "name the switches that are furthest from the hosts",
};
inline constexpr Rule kLidSpace{
    .name = "lid-space",
    .severity = Severity::warning,
    .summary = "more LIDs than the fabric can have",
    .opensm = "leaves ports without a LID when none are left",
    .nvidia = "leaves ports without a LID when none are left",
    .repair = "lower `lmc`, or split the subnet",
};
inline constexpr Rule kSeedNotASwitch{
    .name = "seed-not-a-switch",
    .severity = Severity::error,
    .summary = "a seed GUID that names no switch",
    .opensm = "takes the seed for absent",
    .nvidia = "takes the seed for absent",
    .repair = "name switches by their node GUIDs",
};
inline constexpr Rule kSeedNotInFabric{
    .name = "seed-not-in-fabric",
    .severity = Severity::warning,
    .summary = "a seed GUID that the fabric does not have",
    .reason =
        "the seed cannot be used; without another one torus-2QoS refuses the fabric, and the step fails",
    .opensm = "takes the next seed; when there is none, logs 4E30 and goes on to the next engine",
    .nvidia = "takes the next seed, or fails to route when there is none",
    .repair = "correct the GUID, or add a seed with `next_seed`",
};
inline constexpr Rule kSeedOutsideTopology{
    .name = "seed-outside-topology",
    .severity = Severity::error,
    .summary = "a seed switch outside the step's topology",
    .opensm = "has no topologies",
    .nvidia = "takes the seed for absent",
    .repair = "add the switch to `sw-grp`, or name a seed inside",
};
inline constexpr Rule kSeedNotNeighbours{
    .name = "seed-not-neighbours",
    .severity = Severity::warning,
    .summary = "a seed link between switches that are not linked",
    .reason = "a cable is gone, or the seed names the wrong switch; then torus-2QoS finds no torus",
    .opensm = "takes the two switches for neighbours",
    .nvidia = "is not known to check it",
    .repair = "name two switches that a cable joins, or repair the cable",
};
inline constexpr Rule kPortOrderBeyondPorts{
    .name = "port-order-beyond-ports",
    .severity = Severity::warning,
    .summary = "a port in `port_order` that no switch has",
    .opensm = "refuses to route when it looks at that place of the order",
    .nvidia = "refuses to route when it looks at that place of the order",
    .repair = "name ports that the switches have",
};
inline constexpr Rule kTorusDoesNotFit{
    .name = "torus-does-not-fit",
    .severity = Severity::warning,
    .summary = "radices that are not those of the fabric",
    .reason = "torus-2QoS refuses the fabric, and the step fails",
    .opensm = "leaves out switches that it cannot place, or fails to route",
    .nvidia = "leaves out switches that it cannot place, or fails to route",
    .repair = "write the radices of the fabric, or repair the cables",
};
inline constexpr Rule kSeedFrames{
    .name = "seeds-in-different-frames",
    .severity = Severity::warning,
    .summary = "seeds that give the switches different coordinates",
    .reason = "service levels of all paths would change when the SM falls back to the other seed",
    .opensm = "says nothing and changes the service levels with the seed",
    .nvidia = "says nothing and changes the service levels with the seed",
    .repair = "give the later seed the datelines of the first one's frame",
};

inline constexpr const Rule* kBindRules[] = {
    &kGuidNotInFabric,   &kMultiPortGuid,        &kNoSuchPort,
    &kHostNotInFabric,   &kRegexpMatchesNothing, &kRegexpMatchesAll,
    &kRegexpMatches,     &kEmptyGroup,           &kEmptySwitchGroup,
    &kIgnoredMembers,    &kTooManyTopologies,    &kHostCutOff,
    &kHostInNoTopology,  &kDisconnectedTopology, &kHalfLink,
    &kLinkBetween,       &kRootNoSpine,          &kLidSpace,
    &kSeedNotASwitch,    &kSeedNotInFabric,      &kSeedOutsideTopology,
    &kSeedNotNeighbours, &kPortOrderBeyondPorts, &kTorusDoesNotFit,
    &kSeedFrames,
};

}  // namespace rch::policy
