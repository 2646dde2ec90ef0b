#pragma once

#include <span>
#include <vector>

#include "base/diagnostic.h"

namespace rch::policy {

/// Every rule this folder and the parsers can report.
std::span<const Rule* const> rules();
/// Those and the rules of fabric files.
std::vector<const Rule*> all_rules();

// Files.
inline constexpr Rule kUnreadableFile{
    .name = "unreadable-file",
    .severity = Severity::error,
    .summary = "a file named by the configuration cannot be read",
    .opensm = "goes on without the file, or fails, depending on the option",
    .nvidia = "goes on without the file, or fails, depending on the option",
    .repair = "correct the path, or the permissions",
};
inline constexpr Rule kUnresolvedNames{
    .name = "unresolved-names",
    .severity = Severity::note,
    .summary = "names are not checked: the file that defines them was not given",
    .opensm = "reads all files that its options name",
    .nvidia = "reads all files that its options name",
    .repair = "name all files of the policy together, or the main file with `-F`",
};

inline constexpr Rule kAmbiguousFile{
    .name = "ambiguous-file",
    .severity = Severity::error,
    .summary = "a file whose content does not tell what it is for",
    .reason = "a GUID and a number mean something else in each side file",
    .opensm = "reads the file as the option that names it",
    .nvidia = "reads the file as the option that names it",
    .repair = "name the kind of file: `rch lint --as hop-weights FILE`",
};

// Options (config-files 1, 8).
inline constexpr Rule kUnknownOption{
    .name = "unknown-option",
    .severity = Severity::warning,
    .summary = "an option that neither OpenSM nor NVIDIA SM knows",
    .opensm = "prints `Unrecognized token` and goes on",
    .nvidia = "logs the unknown key and goes on",
    .repair = "correct the spelling, or drop the line",
};
inline constexpr Rule kGluedOption{
    .name = "glued-option",
    .severity = Severity::error,
    .summary = "an option and its value without a blank between them",
    .opensm = "prints `Unrecognized token` and goes on",
    .nvidia = "logs the unknown key and goes on",
    .repair = "put a blank between the option and its value",
};
inline constexpr Rule kKernelOption{
    .name = "kernel-option",
    .severity = Severity::error,
    .summary = "a kernel module parameter in the options file",
    .opensm = "prints `Unrecognized token` and goes on",
    .nvidia = "logs the unknown key and goes on",
    .repair = "write it to a file under /etc/modprobe.d",
};
inline constexpr Rule kDeprecatedOption{
    .name = "deprecated-option",
    .severity = Severity::warning,
    .summary = "an old name of an option",
    .opensm = "takes it for the option of the new name",
    .nvidia = "takes it for the option of the new name",
    .repair = "write the new name",
};
inline constexpr Rule kRepeatedOption{
    .name = "repeated-option",
    .severity = Severity::warning,
    .summary = "an option that is set twice; the last one wins",
    .opensm = "takes the last one silently",
    .nvidia = "takes the last one silently",
    .repair = "keep one of the lines",
};
inline constexpr Rule kMissingValue{
    .name = "missing-value",
    .severity = Severity::error,
    .summary = "an option without a value",
    .opensm = "prints a parsing error and keeps the value it has",
    .nvidia = "prints a parsing error and keeps the value it has",
    .repair = "write a value, or drop the line",
};
inline constexpr Rule kEmptyOption{
    .name = "empty-option",
    .severity = Severity::warning,
    .summary = "a text option without a value is read as unset",
    .opensm = "takes the empty text and fails when it opens the file",
    .nvidia = "takes the empty text and fails when it opens the file",
    .repair = "write `(null)`, or drop the line",
};
inline constexpr Rule kNullPath{
    .name = "null-path",
    .severity = Severity::note,
    .summary = "`null` is read as unset",
    .opensm = "looks for a file named `null`",
    .nvidia = "takes it as unset where its manual says so",
    .repair = "write `(null)`, or drop the line",
};
inline constexpr Rule kBooleanSpelling{
    .name = "boolean-spelling",
    .severity = Severity::warning,
    .summary = "a boolean other than `TRUE` or `FALSE`",
    .opensm = "reads all but `TRUE` as FALSE silently",
    .nvidia = "reads all but `TRUE` as FALSE silently",
    .repair = "write `TRUE` or `FALSE`",
};
inline constexpr Rule kBadBoolean{
    .name = "bad-boolean",
    .severity = Severity::error,
    .summary = "a value that is no boolean",
    .opensm = "reads it as FALSE silently",
    .nvidia = "reads it as FALSE silently",
    .repair = "write `TRUE` or `FALSE`",
};
inline constexpr Rule kBadOptionValue{
    .name = "bad-option-value",
    .severity = Severity::error,
    .summary = "a value that does not have the form of its option",
    .opensm = "warns and uses what it can make of it",
    .nvidia = "warns and uses what it can make of it",
    .repair = "write the form that the message names",
};
inline constexpr Rule kOptionOutOfRange{
    .name = "option-out-of-range",
    .severity = Severity::error,
    .summary = "a value outside the option's range",
    .opensm =
        "replaces the value by a default where it checks the range, and uses it as it is where it does not",
    .nvidia =
        "replaces the value by a default where it checks the range, and uses it as it is where it does not",
    .repair = "write a value of the range",
};
inline constexpr Rule kForcedOption{
    .name = "forced-option",
    .severity = Severity::warning,
    .summary = "an option whose value another option overrules",
    .opensm = "says so in its log and takes the other value",
    .nvidia = "says so in its log and takes the other value",
    .repair = "write the value that is used, or change the option that forces it",
};
inline constexpr Rule kUnlimitedHighPriority{
    .name = "unlimited-high-priority",
    .severity = Severity::warning,
    .summary = "a high limit of 255 lets the low-priority table starve",
    .opensm = "programs the limit into every port",
    .nvidia = "programs the limit into every port",
    .repair = "write a limit below 255",
};
inline constexpr Rule kNoEffectYet{
    .name = "no-effect-yet",
    .severity = Severity::note,
    .summary = "options that are accepted and have no effect yet",
    .opensm = "acts on its own ones and prints `Unrecognized token` for those of NVIDIA SM",
    .nvidia = "acts on them",
    .repair = "nothing; `rch show options` lists what is in force",
};
inline constexpr Rule kMainOnlyOption{
    .name = "main-only-option",
    .severity = Severity::warning,
    .summary = "an option of the main file in the file of a routing-chain step",
    .opensm = "has no options of a step",
    .nvidia = "takes it from the main file",
    .repair = "set it in the main options file",
};
inline constexpr Rule kNeedsQos{
    .name = "needs-qos",
    .severity = Severity::warning,
    .summary = "a setting that needs `qos TRUE`",
    .opensm = "ignores the setting silently",
    .nvidia = "ignores the setting",
    .repair = "set `qos TRUE`, or drop the setting",
};
inline constexpr Rule kSl2VlIgnored{
    .name = "sl2vl-ignored",
    .severity = Severity::warning,
    .summary = "torus-2QoS computes SL2VL itself",
    .opensm = "overwrites it with the map of torus-2QoS",
    .nvidia = "overwrites it with the map of torus-2QoS",
    .repair = "drop the line",
};
inline constexpr Rule kPrerequisiteOff{
    .name = "prerequisite-off",
    .severity = Severity::note,
    .summary = "an option that does nothing because another one is not set",
    .opensm = "takes the option and does nothing with it",
    .nvidia = "takes the option and does nothing with it",
    .repair = "set the other option too, or drop the line",
};
inline constexpr Rule kSharedPath{
    .name = "shared-path",
    .severity = Severity::warning,
    .summary = "one path that two options name",
    .opensm = "reads or writes the file for both",
    .nvidia = "reads or writes the file for both",
    .repair = "give each option a file of its own",
};
inline constexpr Rule kOptionOfOtherEngine{
    .name = "option-of-other-engine",
    .severity = Severity::note,
    .summary = "a step's options name a file that its engine does not read",
    .opensm = "ignores the option silently",
    .nvidia = "ignores the option silently",
    .repair = "drop the line, or name an engine that reads it",
};

// Engines and the chain (config-files 1.2, 4).
inline constexpr Rule kUnknownEngine{
    .name = "unknown-engine",
    .severity = Severity::error,
    .summary = "a routing engine that nobody knows",
    .opensm = "skips the name with a line in its log",
    .nvidia = "skips the name, or refuses the policy",
    .repair = "write the engine that the message names",
};
inline constexpr Rule kEngineNotImplemented{
    .name = "engine-not-implemented",
    .severity = Severity::error,
    .summary = "a routing engine that rch does not have yet",
    .reason = "rch fails static: it does not route with another engine than the one that is named",
    .opensm = "routes with it",
    .nvidia = "routes with it, where it has it",
    .repair = "name an engine of `rch show engines`",
};
inline constexpr Rule kUndocumentedEngine{
    .name = "undocumented-engine",
    .severity = Severity::warning,
    .summary = "an engine that NVIDIA SM does not document for routing chains",
    .opensm = "does not read this kind of file",
    .nvidia = "is not documented to run it in a chain",
    .repair = "name another engine if NVIDIA SM is to read the file too",
};
inline constexpr Rule kNotAnEngine{
    .name = "not-an-engine",
    .severity = Severity::error,
    .summary = "a word of `routing_engine` that a step cannot run",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "name one engine; a fallback is a step of its own with `fallback-to`",
};
inline constexpr Rule kRepeatedEngine{
    .name = "repeated-engine",
    .severity = Severity::warning,
    .summary = "an engine that is named twice",
    .opensm = "tries it again after it has failed",
    .nvidia = "tries it again after it has failed",
    .repair = "name it once",
};
inline constexpr Rule kChainWithoutFile{
    .name = "chain-without-file",
    .severity = Severity::error,
    .summary = "`routing_engine chain` without `rch_policy_file`",
    .opensm = "does not know `chain` and skips the name",
    .nvidia = "falls back to another engine",
    .repair = "set `rch_policy_file`, or name another engine",
};
inline constexpr Rule kChainNotAlone{
    .name = "chain-not-alone",
    .severity = Severity::warning,
    .summary = "`chain` beside other engines",
    .opensm = "does not know `chain` and skips the name",
    .nvidia = "takes the others as fallbacks",
    .repair = "name `chain` alone and declare fallbacks as steps",
};
inline constexpr Rule kChainNotActive{
    .name = "chain-not-active",
    .severity = Severity::warning,
    .summary = "`rch_policy_file` without `routing_engine chain`",
    .reason = "early manuals of NVIDIA SM do not mention the name `chain`",
    .opensm = "does not know `rch_policy_file`",
    .nvidia = "does not run the chain",
    .repair = "add `routing_engine chain`, or drop `rch_policy_file`",
};
inline constexpr Rule kDuplicateId{
    .name = "duplicate-id",
    .severity = Severity::error,
    .summary = "an id that is given twice",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "give each its own id",
};
inline constexpr Rule kUnsortedSteps{
    .name = "unsorted-steps",
    .severity = Severity::note,
    .summary = "steps that do not stand in the order they run",
    .reason = "steps run by ascending id, whatever their order in the file",
    .opensm = "does not read this kind of file",
    .nvidia = "runs them by id and says nothing",
    .repair = "write the steps in the order in which they run",
};
inline constexpr Rule kBeyondNvidiaLimit{
    .name = "beyond-nvidia-limit",
    .severity = Severity::warning,
    .summary = "more than NVIDIA SM takes",
    .opensm = "does not read this kind of file",
    .nvidia = "takes 50 topologies, and 50 steps with ids up to 100",
    .repair = "use fewer, and smaller ids, if NVIDIA SM is to read the file too",
};
inline constexpr Rule kFirstStepTopology{
    .name = "first-step-topology",
    .severity = Severity::error,
    .summary = "the first step does not cover the whole fabric",
    .reason = "the first step lays the routes that later steps change in part",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "leave `topology` out of the step with the lowest id",
};
inline constexpr Rule kFirstStepFallback{
    .name = "first-step-fallback",
    .severity = Severity::error,
    .summary = "the first step is a fallback",
    .reason = "a fallback runs when another step has failed, and none comes before the first",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "drop `fallback-to`, or put a step with a lower id before it",
};
inline constexpr Rule kFirstStepPathBit{
    .name = "first-step-path-bit",
    .severity = Severity::error,
    .summary = "the path bit of the first step is fixed at 0",
    .reason = "the first step routes every LID",
    .opensm = "does not read this kind of file",
    .nvidia = "fixes it at 0",
    .repair = "drop `path-bit`",
};
inline constexpr Rule kPathBitBeyondLmc{
    .name = "path-bit-beyond-lmc",
    .severity = Severity::error,
    .summary = "a path bit that the LMC does not have",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the policy, or leaves the step without LIDs to route",
    .repair = "raise `lmc`, or write a path bit below 2^lmc",
};
inline constexpr Rule kPathBitImplied{
    .name = "path-bit-implied",
    .severity = Severity::warning,
    .summary = "a later step without path bit rewrites base LIDs only",
    .reason = "with LMC, hosts have further LIDs, which keep the routes of earlier steps",
    .opensm = "does not read this kind of file",
    .nvidia = "rewrites base LIDs only, by its manuals",
    .repair = "write `path-bit: 0`, and a step for each further path bit",
};
inline constexpr Rule kPathBitRange{
    .name = "path-bit-range",
    .severity = Severity::warning,
    .summary = "a range of path bits",
    .reason = "later steps touch one path bit each",
    .opensm = "does not read this kind of file",
    .nvidia = "does not document ranges",
    .repair = "write a step for each path bit",
};
inline constexpr Rule kFallbackCycle{
    .name = "fallback-cycle",
    .severity = Severity::error,
    .summary = "steps that fall back to each other",
    .opensm = "does not read this kind of file",
    .nvidia = "ignores the steps silently",
    .repair = "let each fallback name a step that is none itself",
};
inline constexpr Rule kFallbackToNothing{
    .name = "fallback-to-nothing",
    .severity = Severity::warning,
    .summary = "a fallback for a step that does not exist",
    .opensm = "does not read this kind of file",
    .nvidia = "ignores the step silently",
    .repair = "name an existing step, or drop `fallback-to`",
};
inline constexpr Rule kFallbackToFallback{
    .name = "fallback-to-fallback",
    .severity = Severity::warning,
    .summary = "a fallback for a fallback",
    .opensm = "does not read this kind of file",
    .nvidia = "ignores the step silently",
    .repair = "name the step that is no fallback: several fallbacks are tried by ascending id",
};
inline constexpr Rule kFallbackTopology{
    .name = "fallback-topology",
    .severity = Severity::warning,
    .summary = "a fallback on another topology than its step",
    .reason = "it would route another part of the fabric than the step that failed",
    .opensm = "does not read this kind of file",
    .nvidia = "runs it on the topology that it names",
    .repair = "give both the same topology",
};
inline constexpr Rule kFallbackOrder{
    .name = "fallback-order",
    .severity = Severity::note,
    .summary = "the order in which fallbacks run",
    .opensm = "does not read this kind of file",
    .nvidia = "runs it in its place and says nothing",
    .repair = "number fallbacks behind their step, in the order of trial",
};
inline constexpr Rule kUndefinedTopology{
    .name = "undefined-topology",
    .severity = Severity::error,
    .summary = "a topology that is not defined",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "define the topology, or name one that is",
};
inline constexpr Rule kTopologyWithoutFile{
    .name = "topology-without-file",
    .severity = Severity::error,
    .summary = "a step on a topology without the files that define it",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "set `pgrp_policy_file` and `topo_policy_file`",
};
inline constexpr Rule kEqualSteps{
    .name = "equal-steps",
    .severity = Severity::warning,
    .summary = "two steps that do the same",
    .opensm = "does not read this kind of file",
    .nvidia = "runs both and says nothing",
    .repair = "drop one of them",
};
inline constexpr Rule kOverwrittenStep{
    .name = "overwritten-step",
    .severity = Severity::note,
    .summary = "a step whose entries a later step replaces",
    .reason = "what it computes is never used unless the later step fails",
    .opensm = "does not read this kind of file",
    .nvidia = "runs both and says nothing",
    .repair = "drop the step, or make it a fallback of the later one",
};
inline constexpr Rule kTorusConfigUnset{
    .name = "torus-config-unset",
    .severity = Severity::warning,
    .summary = "a torus-2QoS step without `torus_config`",
    .opensm = "reads `torus-2QoS.conf` of its configuration folder",
    .nvidia = "reads `torus-2QoS.conf` of its configuration folder",
    .repair = "set `torus_config`",
};
inline constexpr Rule kPqftStructureUnset{
    .name = "pqft-structure-unset",
    .severity = Severity::warning,
    .summary = "the options file of a pqft step without `pqft_structure`",
    .reason = "rch routes every tree by it; with a structure it refuses fabrics cabled otherwise",
    .opensm = "has no engine pqft",
    .nvidia = "is not documented to route without it",
    .repair = "set `pqft_structure`",
};
inline constexpr Rule kTooFewVls{
    .name = "too-few-vls",
    .severity = Severity::warning,
    .summary = "fewer virtual lanes than torus-2QoS wants",
    .opensm = "routes with fewer guarantees and says so in its log, or fails to route",
    .nvidia = "routes with fewer guarantees and says so in its log, or fails to route",
    .repair = "raise `max_op_vls`: 3 is four data VLs, 4 is eight",
};

// Port groups (config-files 2).
inline constexpr Rule kDuplicateGroup{
    .name = "duplicate-port-group",
    .severity = Severity::error,
    .summary = "a port group that is defined twice",
    .opensm = "does not read this kind of file",
    .nvidia = "does not document which one it takes",
    .repair = "give the second one a name of its own",
};
inline constexpr Rule kReservedGroup{
    .name = "reserved-port-group",
    .severity = Severity::error,
    .summary = "a predefined port group name",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "give the group another name",
};
inline constexpr Rule kUnsupportedGroup{
    .name = "unsupported-port-group",
    .severity = Severity::error,
    .summary = "a predefined port group that rch cannot compute",
    .opensm = "does not read this kind of file",
    .nvidia = "computes it in newer versions",
    .repair = "define a group with the ports that are meant",
};
inline constexpr Rule kUndefinedGroup{
    .name = "undefined-port-group",
    .severity = Severity::error,
    .summary = "a port group that is not defined",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "define the group, or name one that is",
};
inline constexpr Rule kGroupCycle{
    .name = "port-group-cycle",
    .severity = Severity::error,
    .summary = "port groups that are made of each other",
    .opensm = "does not read this kind of file",
    .nvidia = "does not document what it does",
    .repair = "take one of the groups out of the circle",
};
inline constexpr Rule kGroupCase{
    .name = "port-group-case",
    .severity = Severity::warning,
    .summary = "two group names that differ only in case",
    .opensm = "does not read this kind of file",
    .nvidia = "takes them as two groups and says nothing",
    .repair = "give one of them another name",
};
inline constexpr Rule kGroupNameBlank{
    .name = "port-group-name-blank",
    .severity = Severity::warning,
    .summary = "a blank inside a group name",
    .opensm = "does not read this kind of file",
    .nvidia = "is not documented to take it",
    .repair = "write `-` or `_` in place of the blank",
};
inline constexpr Rule kNoRule{
    .name = "no-rule",
    .severity = Severity::error,
    .summary = "a port group without a rule",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the whole policy",
    .repair = "add a rule, such as `port-guid: …`",
};
inline constexpr Rule kUnusedGroup{
    .name = "unused-port-group",
    .severity = Severity::note,
    .summary = "a port group that nothing uses",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "drop the group, or use it",
};
inline constexpr Rule kRepeatedGuid{
    .name = "repeated-guid",
    .severity = Severity::note,
    .summary = "a GUID that stands twice in one rule or file",
    .opensm = "takes it once and says nothing",
    .nvidia = "takes it once and says nothing",
    .repair = "keep one of them",
};
inline constexpr Rule kBadRegexp{
    .name = "bad-regexp",
    .severity = Severity::error,
    .summary = "a regular expression that does not compile",
    .opensm = "does not read this kind of file",
    .nvidia = "refuses the policy, or matches nothing",
    .repair = "write a POSIX extended expression",
};
inline constexpr Rule kRegexpLikeGlob{
    .name = "regexp-like-glob",
    .severity = Severity::warning,
    .summary = "an expression that reads like a file pattern",
    .reason =
        "the manual explains `SW*` as `begins with SW`; as an expression it matches every description with "
        "an `S`",
    .opensm = "does not read this kind of file",
    .nvidia = "takes it as an expression",
    .repair = "write `^SW` for descriptions that begin with SW",
};

// Topologies (config-files 3).
inline constexpr Rule kUnusedTopology{
    .name = "unused-topology",
    .severity = Severity::note,
    .summary = "a topology that no step uses",
    .opensm = "does not read this kind of file",
    .nvidia = "says nothing",
    .repair = "drop the topology, or a step may use it",
};

// torus-2QoS.conf (config-files 5, torus-2qos 1.4).
inline constexpr Rule kMissingSize{
    .name = "missing-torus-size",
    .severity = Severity::error,
    .summary = "no `torus` or `mesh` line",
    .opensm = "refuses to route",
    .nvidia = "refuses to route",
    .repair = "start with `torus X Y Z`, the radices",
};
inline constexpr Rule kSizeNotFirst{
    .name = "torus-size-not-first",
    .severity = Severity::error,
    .summary = "a keyword before `torus` or `mesh`",
    .opensm = "takes links that stand before it, and refuses a dateline with a misleading message",
    .nvidia = "takes links that stand before it, and refuses a dateline with a misleading message",
    .repair = "move the `torus` or `mesh` line to the top",
};
inline constexpr Rule kRepeatedSize{
    .name = "repeated-torus-size",
    .severity = Severity::error,
    .summary = "a second `torus` or `mesh` line",
    .opensm = "takes the second one, and a second `mesh` turns meshes into tori",
    .nvidia = "takes the second one, and a second `mesh` turns meshes into tori",
    .repair = "keep one of the lines",
};
inline constexpr Rule kSingleSwitch{
    .name = "single-switch-torus",
    .severity = Severity::warning,
    .summary = "a torus of one switch",
    .opensm = "says nothing",
    .nvidia = "says nothing",
    .repair = "write the radices of the fabric",
};
inline constexpr Rule kRepeatedSeedKeyword{
    .name = "repeated-seed-keyword",
    .severity = Severity::error,
    .summary = "a link or dateline that stands twice in one seed",
    .opensm = "takes the last one silently",
    .nvidia = "takes the last one silently",
    .repair = "keep one of them, or put `next_seed` between two seeds",
};
inline constexpr Rule kRepeatedSetting{
    .name = "repeated-setting",
    .severity = Severity::warning,
    .summary = "a setting that stands twice; the last one wins",
    .opensm = "takes the last one silently",
    .nvidia = "takes the last one silently",
    .repair = "keep one of the lines",
};
inline constexpr Rule kRepeatedPort{
    .name = "repeated-port",
    .severity = Severity::warning,
    .summary = "a port that stands twice in `port_order`",
    .opensm = "says nothing",
    .nvidia = "says nothing",
    .repair = "name the port once",
};
inline constexpr Rule kDatelineOutOfRange{
    .name = "dateline-out-of-range",
    .severity = Severity::error,
    .summary = "a dateline outside its dimension",
    .opensm = "refuses the file",
    .nvidia = "refuses the file",
    .repair = "write a number between 1 - radix and radix - 1",
};
inline constexpr Rule kDatelineInMesh{
    .name = "dateline-in-mesh",
    .severity = Severity::note,
    .summary = "a dateline in a dimension that does not wrap",
    .reason = "a seed away from the low corner of a mesh needs one to say where it stands",
    .opensm = "moves the seed and says nothing",
    .nvidia = "moves the seed and says nothing",
    .repair = "nothing, if the seed stands there; else drop the line",
};
inline constexpr Rule kLeadingNextSeed{
    .name = "leading-next-seed",
    .severity = Severity::note,
    .summary = "`next_seed` before the first seed",
    .opensm = "says nothing",
    .nvidia = "says nothing",
    .repair = "drop the line",
};
inline constexpr Rule kEmptySeed{
    .name = "empty-seed",
    .severity = Severity::error,
    .summary = "a seed without links",
    .opensm = "refuses to route",
    .nvidia = "refuses to route",
    .repair = "drop the `next_seed` behind the last seed, or add the links",
};
inline constexpr Rule kMissingSeedLink{
    .name = "missing-seed-link",
    .severity = Severity::error,
    .summary = "a dimension without a seed link",
    .opensm = "refuses to route",
    .nvidia = "refuses to route",
    .repair = "name the link of the seed's switch in that dimension",
};
inline constexpr Rule kRadix4Seed{
    .name = "radix-4-needs-both-links",
    .severity = Severity::error,
    .summary = "a looped dimension of radix 4 with one seed direction only",
    .reason = "the ring itself is a loop of four and cannot be told from a square",
    .opensm = "refuses to route",
    .nvidia = "refuses to route",
    .repair = "add the link in the other direction",
};
inline constexpr Rule kLinkInAbsentDimension{
    .name = "link-in-absent-dimension",
    .severity = Severity::error,
    .summary = "a seed link in a dimension of radix 1",
    .opensm = "ignores the link silently",
    .nvidia = "ignores the link silently",
    .repair = "drop the link, or correct the radix",
};
inline constexpr Rule kSeedLinkToItself{
    .name = "seed-link-to-itself",
    .severity = Severity::error,
    .summary = "a seed link whose ends are one switch",
    .opensm = "does not check it and finds no torus",
    .nvidia = "does not check it and finds no torus",
    .repair = "name the neighbour's node GUID",
};
inline constexpr Rule kSeedSameTarget{
    .name = "seed-links-to-same-switch",
    .severity = Severity::error,
    .summary = "two seed links to the same switch",
    .opensm = "does not check it and finds no torus",
    .nvidia = "does not check it and finds no torus",
    .repair = "name the neighbour in each direction",
};
inline constexpr Rule kSeedOrigins{
    .name = "seed-origins-differ",
    .severity = Severity::error,
    .summary = "links of one seed that start at different switches",
    .opensm = "refuses to route, but does not compare y with z links",
    .nvidia = "refuses to route, but does not compare y with z links",
    .repair = "let all links of a seed start at one switch",
};
inline constexpr Rule kSharedOrigin{
    .name = "seeds-share-origin",
    .severity = Severity::warning,
    .summary = "two seeds that depend on one switch",
    .reason = "seeds are alternatives for a switch that is down",
    .opensm = "says nothing",
    .nvidia = "says nothing",
    .repair = "start the further seed at another switch",
};
inline constexpr Rule kSeedBeyondBorder{
    .name = "seed-beyond-border",
    .severity = Severity::error,
    .summary = "a seed link that leads out of an open dimension",
    .opensm = "does not check it and fails later, or routes what it takes for the torus",
    .nvidia = "does not check it and fails later, or routes what it takes for the torus",
    .repair = "say where the seed stands with a dateline, or turn the link round",
};
inline constexpr Rule kSeedPairDiffers{
    .name = "seed-pair-differs",
    .severity = Severity::error,
    .summary = "two neighbours in a dimension that has room for one",
    .opensm = "does not check it and fails later, or routes what it takes for the torus",
    .nvidia = "does not check it and fails later, or routes what it takes for the torus",
    .repair = "drop one of the links, or correct the radix",
};
inline constexpr Rule kTorusTooLarge{
    .name = "torus-too-large",
    .severity = Severity::error,
    .summary = "a torus of more switches than a subnet has LIDs",
    .opensm = "fails to route, or runs out of memory",
    .nvidia = "fails to route, or runs out of memory",
    .repair = "write the radices of the fabric",
};

// Bind: the policy on a fabric (config-files 2, 3, 5).
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
inline constexpr Rule kPortTwice{
    .name = "port-added-twice",
    .severity = Severity::note,
    .summary = "two rules of a group that add the same port",
    .opensm = "does not read this kind of file",
    .nvidia = "takes the port once and says nothing",
    .repair = "drop one of the rules, or its ports",
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
    .severity = Severity::error,
    .summary = "a seed GUID that the fabric does not have",
    .opensm = "takes the next seed, or fails to route when there is none",
    .nvidia = "takes the next seed, or fails to route when there is none",
    .repair = "correct the GUID",
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
    .severity = Severity::error,
    .summary = "a seed link between switches that are not linked",
    .opensm = "does not check it and finds no torus",
    .nvidia = "does not check it and finds no torus",
    .repair = "name two switches that a cable joins, or mend the cable",
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
    .repair = "write the radices of the fabric, or mend the cables",
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

inline constexpr const Rule* kRules[] = {
    &kUnreadableFile,
    &kUnresolvedNames,
    &kAmbiguousFile,
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
    &kForcedOption,
    &kUnlimitedHighPriority,
    &kNoEffectYet,
    &kMainOnlyOption,
    &kNeedsQos,
    &kSl2VlIgnored,
    &kPrerequisiteOff,
    &kSharedPath,
    &kOptionOfOtherEngine,
    &kUnknownEngine,
    &kEngineNotImplemented,
    &kUndocumentedEngine,
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
    &kPqftStructureUnset,
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
    &kSeedBeyondBorder,
    &kSeedPairDiffers,
    &kTorusTooLarge,
    &kGuidNotInFabric,
    &kMultiPortGuid,
    &kNoSuchPort,
    &kHostNotInFabric,
    &kRegexpMatchesNothing,
    &kRegexpMatchesAll,
    &kRegexpMatches,
    &kPortTwice,
    &kEmptyGroup,
    &kEmptySwitchGroup,
    &kIgnoredMembers,
    &kTooManyTopologies,
    &kHostCutOff,
    &kHostInNoTopology,
    &kDisconnectedTopology,
    &kHalfLink,
    &kLinkBetween,
    &kRootNoSpine,
    &kLidSpace,
    &kSeedNotASwitch,
    &kSeedNotInFabric,
    &kSeedOutsideTopology,
    &kSeedNotNeighbours,
    &kPortOrderBeyondPorts,
    &kTorusDoesNotFit,
    &kSeedFrames,
};

}  // namespace rch::policy
