#pragma once

#include "base/diagnostic.h"

namespace rch::policy {

// Engines and the chain (docs/options.md and docs/keywords.md).
inline constexpr Rule kUnknownEngine{
    .name = "unknown-engine",
    .severity = Severity::error,
    .summary = "a routing engine that nobody knows",
    .opensm = "skips the name with a line in its log (seen on ibsim)",
    .nvidia = "skips the name, or refuses the policy",
    .repair = "write the engine that the message names",
};
inline constexpr Rule kEngineNotImplemented{
    .name = "engine-not-implemented",
    .severity = Severity::warning,
    .summary = "a routing engine that rch does not have yet",
    .reason = "its step fails; rch fails static: no other engine routes than those that are declared",
    .opensm = "routes with it, where it has it",
    .nvidia = "routes with it, where it has it",
    .repair = "name an engine of `rch show engines`, or declare one as fallback",
};
inline constexpr Rule kEntriesAlone{
    .name = "adaptive-entries-alone",
    .severity = Severity::warning,
    .summary = "an engine for adaptive routing, of which switches get the entries alone",
    .reason =
        "rch plans groups of ports and proves them, and writes none to switches: packets take the one port "
        "of their entry (docs/adaptive-routing.md)",
    .opensm = "does not have the engine, and skips it with a line in its log",
    .nvidia = "writes the groups, too",
    .repair =
        "let NVIDIA SM install the fabric where it has to route adaptively, or name the engine without `ar_`",
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
    .opensm = "does not know `chain` and skips the name (seen on ibsim)",
    .nvidia = "falls back to another engine",
    .repair = "set `rch_policy_file`, or name another engine",
};
inline constexpr Rule kChainNotAlone{
    .name = "chain-not-alone",
    .severity = Severity::warning,
    .summary = "`chain` beside other engines",
    .opensm = "does not know `chain` and skips the name (seen on ibsim)",
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
inline constexpr Rule kTableFilesUnset{
    .name = "table-files-unset",
    .severity = Severity::error,
    .summary = "engine `file` without a file of tables or hop counts",
    .reason = "there is nothing to load, and no other engine was declared",
    .opensm = "routes by minhop silently (seen on ibsim)",
    .nvidia = "routes by minhop, as far as is known",
    .repair = "set `lfts_file` or `lid_matrix_dump_file`, or name the engine that is meant",
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

inline constexpr const Rule* kChainRules[] = {
    &kUnknownEngine,       &kEngineNotImplemented, &kEntriesAlone,     &kUndocumentedEngine,
    &kNotAnEngine,         &kRepeatedEngine,       &kChainWithoutFile, &kChainNotAlone,
    &kChainNotActive,      &kDuplicateId,          &kUnsortedSteps,    &kBeyondNvidiaLimit,
    &kFirstStepTopology,   &kFirstStepFallback,    &kFirstStepPathBit, &kPathBitBeyondLmc,
    &kPathBitImplied,      &kPathBitRange,         &kFallbackCycle,    &kFallbackToNothing,
    &kFallbackToFallback,  &kFallbackTopology,     &kFallbackOrder,    &kUndefinedTopology,
    &kTopologyWithoutFile, &kEqualSteps,           &kOverwrittenStep,  &kTorusConfigUnset,
    &kPqftStructureUnset,  &kTableFilesUnset,      &kTooFewVls,
};

}  // namespace rch::policy
