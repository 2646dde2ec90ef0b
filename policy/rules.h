#pragma once

#include "base/diagnostic.h"

namespace rch::policy {

// Files.
inline constexpr Rule kUnreadableFile{"unreadable-file", Severity::error,
                                      "a file named by the configuration cannot be read"};
inline constexpr Rule kUnresolvedNames{"unresolved-names", Severity::note,
                                       "names are not checked: the file that defines them was not given"};

// Options (config-files 1, 8).
inline constexpr Rule kUnknownOption{"unknown-option", Severity::warning,
                                     "an option that neither OpenSM nor NVIDIA SM knows",
                                     "OpenSM prints `Unrecognized token` and goes on"};
inline constexpr Rule kGluedOption{"glued-option", Severity::error,
                                   "an option and its value without a blank between them"};
inline constexpr Rule kKernelOption{"kernel-option", Severity::error,
                                    "a kernel module parameter in the options file"};
inline constexpr Rule kDeprecatedOption{"deprecated-option", Severity::warning, "an old name of an option"};
inline constexpr Rule kRepeatedOption{"repeated-option", Severity::warning,
                                      "an option that is set twice; the last one wins",
                                      "OpenSM says nothing"};
inline constexpr Rule kMissingValue{"missing-value", Severity::error, "an option without a value"};
inline constexpr Rule kEmptyOption{"empty-option", Severity::warning,
                                   "a text option without a value is read as unset"};
inline constexpr Rule kNullPath{"null-path", Severity::note, "`null` is read as unset"};
inline constexpr Rule kBooleanSpelling{"boolean-spelling", Severity::warning,
                                       "a boolean other than `TRUE` or `FALSE`",
                                       "OpenSM reads all but `TRUE` as FALSE"};
inline constexpr Rule kBadBoolean{"bad-boolean", Severity::error, "a value that is no boolean"};
inline constexpr Rule kBadOptionValue{"bad-option-value", Severity::error,
                                      "a value that does not have the form of its option"};
inline constexpr Rule kOptionOutOfRange{"option-out-of-range", Severity::error,
                                        "a value outside the option's range"};
inline constexpr Rule kUnlimitedHighPriority{"unlimited-high-priority", Severity::warning,
                                             "a high limit of 255 lets the low-priority table starve"};
inline constexpr Rule kNoEffectYet{"no-effect-yet", Severity::note,
                                   "options that are accepted and have no effect yet"};
inline constexpr Rule kMainOnlyOption{"main-only-option", Severity::warning,
                                      "an option of the main file in the file of a routing-chain step"};
inline constexpr Rule kNeedsQos{"needs-qos", Severity::warning, "a setting that needs `qos TRUE`"};
inline constexpr Rule kSl2VlIgnored{"sl2vl-ignored", Severity::warning, "torus-2QoS computes SL2VL itself"};
inline constexpr Rule kNoGuid{"no-guid", Severity::error, "a GUID file without a GUID"};
inline constexpr Rule kOptionOfOtherEngine{"option-of-other-engine", Severity::note,
                                           "a step's options name a file that its engine does not read"};

// Engines and the chain (config-files 1.2, 4).
inline constexpr Rule kUnknownEngine{"unknown-engine", Severity::error, "a routing engine that nobody knows"};
inline constexpr Rule kEngineNotImplemented{"engine-not-implemented", Severity::error,
                                            "a routing engine that rch does not have yet"};
inline constexpr Rule kNotAnEngine{"not-an-engine", Severity::error,
                                   "a word of `routing_engine` that a step cannot run"};
inline constexpr Rule kRepeatedEngine{"repeated-engine", Severity::warning, "an engine that is named twice"};
inline constexpr Rule kChainWithoutFile{"chain-without-file", Severity::error,
                                        "`routing_engine chain` without `rch_policy_file`"};
inline constexpr Rule kChainNotAlone{"chain-not-alone", Severity::warning, "`chain` beside other engines"};
inline constexpr Rule kChainNotActive{"chain-not-active", Severity::warning,
                                      "`rch_policy_file` without `routing_engine chain`"};
inline constexpr Rule kDuplicateId{"duplicate-id", Severity::error, "an id that is given twice"};
inline constexpr Rule kUnsortedSteps{"unsorted-steps", Severity::note,
                                     "steps that do not stand in the order they run"};
inline constexpr Rule kBeyondNvidiaLimit{"beyond-nvidia-limit", Severity::warning,
                                         "more than NVIDIA SM takes"};
inline constexpr Rule kFirstStepTopology{"first-step-topology", Severity::error,
                                         "the first step does not cover the whole fabric"};
inline constexpr Rule kFirstStepFallback{"first-step-fallback", Severity::error,
                                         "the first step is a fallback"};
inline constexpr Rule kFirstStepPathBit{"first-step-path-bit", Severity::error,
                                        "the path bit of the first step is fixed at 0"};
inline constexpr Rule kPathBitBeyondLmc{"path-bit-beyond-lmc", Severity::error,
                                        "a path bit that the LMC does not have"};
inline constexpr Rule kPathBitImplied{"path-bit-implied", Severity::warning,
                                      "a later step without path bit rewrites base LIDs only"};
inline constexpr Rule kPathBitRange{"path-bit-range", Severity::warning, "a range of path bits"};
inline constexpr Rule kFallbackCycle{"fallback-cycle", Severity::error, "steps that fall back to each other"};
inline constexpr Rule kFallbackToNothing{"fallback-to-nothing", Severity::warning,
                                         "a fallback for a step that does not exist",
                                         "NVIDIA SM ignores the step silently"};
inline constexpr Rule kFallbackToFallback{"fallback-to-fallback", Severity::warning,
                                          "a fallback for a fallback", "NVIDIA SM ignores the step silently"};
inline constexpr Rule kFallbackTopology{"fallback-topology", Severity::warning,
                                        "a fallback on another topology than its step"};
inline constexpr Rule kFallbackOrder{"fallback-order", Severity::note, "the order in which fallbacks run"};
inline constexpr Rule kUndefinedTopology{"undefined-topology", Severity::error,
                                         "a topology that is not defined"};
inline constexpr Rule kTopologyWithoutFile{"topology-without-file", Severity::error,
                                           "a step on a topology without the files that define it"};
inline constexpr Rule kEqualSteps{"equal-steps", Severity::warning, "two steps that do the same"};
inline constexpr Rule kOverwrittenStep{"overwritten-step", Severity::note,
                                       "a step whose entries a later step replaces"};
inline constexpr Rule kTorusConfigUnset{"torus-config-unset", Severity::warning,
                                        "a torus-2QoS step without `torus_config`"};
inline constexpr Rule kTooFewVls{"too-few-vls", Severity::warning,
                                 "fewer virtual lanes than torus-2QoS wants"};

// Port groups (config-files 2).
inline constexpr Rule kDuplicateGroup{"duplicate-port-group", Severity::error,
                                      "a port group that is defined twice"};
inline constexpr Rule kReservedGroup{"reserved-port-group", Severity::error, "a predefined port group name"};
inline constexpr Rule kUnsupportedGroup{"unsupported-port-group", Severity::error,
                                        "a predefined port group that rch cannot compute"};
inline constexpr Rule kUndefinedGroup{"undefined-port-group", Severity::error,
                                      "a port group that is not defined"};
inline constexpr Rule kGroupCycle{"port-group-cycle", Severity::error,
                                  "port groups that are made of each other"};
inline constexpr Rule kGroupCase{"port-group-case", Severity::warning,
                                 "two group names that differ only in case"};
inline constexpr Rule kGroupNameBlank{"port-group-name-blank", Severity::warning,
                                      "a blank inside a group name"};
inline constexpr Rule kNoRule{"no-rule", Severity::error, "a port group without a rule"};
inline constexpr Rule kUnusedGroup{"unused-port-group", Severity::note, "a port group that nothing uses"};
inline constexpr Rule kRepeatedGuid{"repeated-guid", Severity::note,
                                    "a GUID that stands twice in one rule or file"};
inline constexpr Rule kBadRegexp{"bad-regexp", Severity::error, "a regular expression that does not compile"};
inline constexpr Rule kRegexpLikeGlob{"regexp-like-glob", Severity::warning,
                                      "an expression that reads like a file pattern"};

// Topologies (config-files 3).
inline constexpr Rule kUnusedTopology{"unused-topology", Severity::note, "a topology that no step uses"};

// torus-2QoS.conf (config-files 5, torus-2qos 1.4).
inline constexpr Rule kMissingSize{"missing-torus-size", Severity::error, "no `torus` or `mesh` line"};
inline constexpr Rule kSizeNotFirst{"torus-size-not-first", Severity::error,
                                    "a keyword before `torus` or `mesh`"};
inline constexpr Rule kRepeatedSize{"repeated-torus-size", Severity::error,
                                    "a second `torus` or `mesh` line"};
inline constexpr Rule kSingleSwitch{"single-switch-torus", Severity::warning, "a torus of one switch"};
inline constexpr Rule kRepeatedSeedKeyword{"repeated-seed-keyword", Severity::error,
                                           "a link or dateline that stands twice in one seed",
                                           "OpenSM takes the last one silently"};
inline constexpr Rule kRepeatedSetting{"repeated-setting", Severity::warning,
                                       "a setting that stands twice; the last one wins"};
inline constexpr Rule kRepeatedPort{"repeated-port", Severity::warning,
                                    "a port that stands twice in `port_order`"};
inline constexpr Rule kDatelineOutOfRange{"dateline-out-of-range", Severity::error,
                                          "a dateline outside its dimension"};
inline constexpr Rule kDatelineInMesh{
    "dateline-in-mesh", Severity::note, "a dateline in a dimension that does not wrap",
    "a seed away from the low corner of a mesh needs one to say where it stands"};
inline constexpr Rule kLeadingNextSeed{"leading-next-seed", Severity::note,
                                       "`next_seed` before the first seed"};
inline constexpr Rule kEmptySeed{"empty-seed", Severity::error, "a seed without links"};
inline constexpr Rule kMissingSeedLink{"missing-seed-link", Severity::error,
                                       "a dimension without a seed link"};
inline constexpr Rule kRadix4Seed{"radix-4-needs-both-links", Severity::error,
                                  "a looped dimension of radix 4 with one seed direction only",
                                  "the ring itself is a loop of four and cannot be told from a square"};
inline constexpr Rule kLinkInAbsentDimension{"link-in-absent-dimension", Severity::error,
                                             "a seed link in a dimension of radix 1"};
inline constexpr Rule kSeedLinkToItself{"seed-link-to-itself", Severity::error,
                                        "a seed link whose ends are one switch"};
inline constexpr Rule kSeedSameTarget{"seed-links-to-same-switch", Severity::error,
                                      "two seed links to the same switch"};
inline constexpr Rule kSeedOrigins{"seed-origins-differ", Severity::error,
                                   "links of one seed that start at different switches"};
inline constexpr Rule kSharedOrigin{"seeds-share-origin", Severity::warning,
                                    "two seeds that depend on one switch"};

// Bind: the policy on a fabric (config-files 2, 3, 5).
inline constexpr Rule kGuidNotInFabric{"guid-not-in-fabric", Severity::warning,
                                       "a GUID that the fabric does not have"};
inline constexpr Rule kMultiPortGuid{"multi-port-guid", Severity::note,
                                     "a node GUID that stands for several ports"};
inline constexpr Rule kNoSuchPort{"no-such-port", Severity::warning,
                                  "a port number that the node does not have"};
inline constexpr Rule kHostNotInFabric{"host-not-in-fabric", Severity::warning,
                                       "a host that the fabric does not have"};
inline constexpr Rule kRegexpMatchesNothing{"regexp-matches-nothing", Severity::warning,
                                            "an expression that matches no node"};
inline constexpr Rule kRegexpMatchesAll{"regexp-matches-all", Severity::warning,
                                        "an expression that matches every node"};
inline constexpr Rule kEmptyGroup{"empty-port-group", Severity::warning, "a port group without a port"};
inline constexpr Rule kEmptySwitchGroup{"empty-switch-group", Severity::error, "a topology without a switch"};
inline constexpr Rule kIgnoredMembers{"ignored-members", Severity::warning,
                                      "members that a topology cannot use"};
inline constexpr Rule kTooManyTopologies{"too-many-topologies", Severity::error,
                                         "a switch in more topologies than allowed"};
inline constexpr Rule kHostCutOff{"host-cut-off", Severity::warning,
                                  "a host whose switch is outside the topology"};
inline constexpr Rule kDisconnectedTopology{"disconnected-topology", Severity::warning,
                                            "a topology in several parts"};
inline constexpr Rule kLidSpace{"lid-space", Severity::warning, "more LIDs than the fabric can have"};
inline constexpr Rule kSeedNotASwitch{"seed-not-a-switch", Severity::error,
                                      "a seed GUID that names no switch"};
inline constexpr Rule kSeedNotInFabric{"seed-not-in-fabric", Severity::error,
                                       "a seed GUID that the fabric does not have"};
inline constexpr Rule kSeedOutsideTopology{"seed-outside-topology", Severity::error,
                                           "a seed switch outside the step's topology"};
inline constexpr Rule kSeedNotNeighbours{"seed-not-neighbours", Severity::error,
                                         "a seed link between switches that are not linked"};
inline constexpr Rule kPortOrderBeyondPorts{"port-order-beyond-ports", Severity::warning,
                                            "a port in `port_order` that no switch has"};

inline constexpr const Rule* kRules[] = {
    &kUnreadableFile,
    &kUnresolvedNames,
    &kUnknownOption,
    &kGluedOption,
    &kKernelOption,
    &kDeprecatedOption,
    &kRepeatedOption,
    &kMissingValue,
    &kEmptyOption,
    &kNullPath,
    &kBooleanSpelling,
    &kBadBoolean,
    &kBadOptionValue,
    &kOptionOutOfRange,
    &kUnlimitedHighPriority,
    &kNoEffectYet,
    &kMainOnlyOption,
    &kNeedsQos,
    &kSl2VlIgnored,
    &kNoGuid,
    &kOptionOfOtherEngine,
    &kUnknownEngine,
    &kEngineNotImplemented,
    &kNotAnEngine,
    &kRepeatedEngine,
    &kChainWithoutFile,
    &kChainNotAlone,
    &kChainNotActive,
    &kDuplicateId,
    &kUnsortedSteps,
    &kBeyondNvidiaLimit,
    &kFirstStepTopology,
    &kFirstStepFallback,
    &kFirstStepPathBit,
    &kPathBitBeyondLmc,
    &kPathBitImplied,
    &kPathBitRange,
    &kFallbackCycle,
    &kFallbackToNothing,
    &kFallbackToFallback,
    &kFallbackTopology,
    &kFallbackOrder,
    &kUndefinedTopology,
    &kTopologyWithoutFile,
    &kEqualSteps,
    &kOverwrittenStep,
    &kTorusConfigUnset,
    &kTooFewVls,
    &kDuplicateGroup,
    &kReservedGroup,
    &kUnsupportedGroup,
    &kUndefinedGroup,
    &kGroupCycle,
    &kGroupCase,
    &kGroupNameBlank,
    &kNoRule,
    &kUnusedGroup,
    &kRepeatedGuid,
    &kBadRegexp,
    &kRegexpLikeGlob,
    &kUnusedTopology,
    &kMissingSize,
    &kSizeNotFirst,
    &kRepeatedSize,
    &kSingleSwitch,
    &kRepeatedSeedKeyword,
    &kRepeatedSetting,
    &kRepeatedPort,
    &kDatelineOutOfRange,
    &kDatelineInMesh,
    &kLeadingNextSeed,
    &kEmptySeed,
    &kMissingSeedLink,
    &kRadix4Seed,
    &kLinkInAbsentDimension,
    &kSeedLinkToItself,
    &kSeedSameTarget,
    &kSeedOrigins,
    &kSharedOrigin,
    &kGuidNotInFabric,
    &kMultiPortGuid,
    &kNoSuchPort,
    &kHostNotInFabric,
    &kRegexpMatchesNothing,
    &kRegexpMatchesAll,
    &kEmptyGroup,
    &kEmptySwitchGroup,
    &kIgnoredMembers,
    &kTooManyTopologies,
    &kHostCutOff,
    &kDisconnectedTopology,
    &kLidSpace,
    &kSeedNotASwitch,
    &kSeedNotInFabric,
    &kSeedOutsideTopology,
    &kSeedNotNeighbours,
    &kPortOrderBeyondPorts,
};

}  // namespace rch::policy
