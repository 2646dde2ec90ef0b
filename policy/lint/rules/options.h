#pragma once

#include "base/diagnostic.h"

namespace rch::policy {

// Options (docs/options.md and opensm(8), QOS CONFIGURATION).
inline constexpr Rule kUnknownOption{
    .name = "unknown-option",
    .severity = Severity::warning,
    .summary = "an option that neither OpenSM nor NVIDIA SM knows",
    .opensm = "prints `Unrecognized token` and goes on (seen with `opensm -c`)",
    .nvidia = "logs the unknown key and goes on",
    .repair = "correct the spelling, or drop the line",
};
inline constexpr Rule kNoKnownOption{
    .name = "no-known-option",
    .severity = Severity::error,
    .summary = "a file without a single option, taken for an options file",
    .reason = "read as options it would say nothing, and rch would route by defaults that nobody chose",
    .opensm = "prints `Unrecognized token` for each line and takes all defaults (seen with `opensm -c`)",
    .nvidia = "logs the unknown keys and takes all defaults",
    .repair = "name the options file",
};
inline constexpr Rule kGluedOption{
    .name = "glued-option",
    .severity = Severity::error,
    .summary = "an option and its value without a blank between them",
    .opensm = "prints `Unrecognized token` and goes on (seen with `opensm -c`)",
    .nvidia = "logs the unknown key and goes on",
    .repair = "put a blank between the option and its value",
};
inline constexpr Rule kKernelOption{
    .name = "kernel-option",
    .severity = Severity::error,
    .summary = "a kernel module parameter in the options file",
    .opensm = "prints `Unrecognized token` and goes on (seen with `opensm -c`)",
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
    .opensm = "takes the last one silently (seen with `opensm -c`)",
    .nvidia = "takes the last one silently",
    .repair = "keep one of the lines",
};
inline constexpr Rule kMissingValue{
    .name = "missing-value",
    .severity = Severity::error,
    .summary = "an option without a value",
    .opensm =
        "prints a parsing error and keeps the value it has; of a text option it takes the empty text (seen "
        "with "
        "`opensm -c`)",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "write a value, or drop the line",
};
inline constexpr Rule kEmptyOption{
    .name = "empty-option",
    .severity = Severity::warning,
    .summary = "a text option with empty quotes is read as unset",
    .opensm = "takes the empty text (seen with `opensm -c`) and fails when it opens the file",
    .nvidia = "takes the empty text and fails when it opens the file",
    .repair = "write `(null)`, or drop the line",
};
inline constexpr Rule kNullPath{
    .name = "null-path",
    .severity = Severity::note,
    .summary = "`null` is read as unset",
    .opensm = "looks for a file named `null` (seen with `opensm -c`)",
    .nvidia = "takes it as unset where its manual says so",
    .repair = "write `(null)`, or drop the line",
};
inline constexpr Rule kBooleanSpelling{
    .name = "boolean-spelling",
    .severity = Severity::warning,
    .summary = "a boolean other than `TRUE` or `FALSE`",
    .opensm = "reads all but `TRUE` as FALSE silently (seen with `opensm -c`)",
    .nvidia = "reads all but `TRUE` as FALSE silently",
    .repair = "write `TRUE` or `FALSE`",
};
inline constexpr Rule kBadBoolean{
    .name = "bad-boolean",
    .severity = Severity::error,
    .summary = "a value that is no boolean",
    .opensm = "reads it as FALSE silently (seen with `opensm -c`)",
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
        "replaces the value by a default where it checks the range, and uses it as it is where it does not "
        "(both seen with `opensm -c`)",
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
inline constexpr Rule kLockDownMissing{
    .name = "lock-down-missing",
    .severity = Severity::error,
    .summary = "what the profile `lock-down` needs and cannot choose",
    .reason = "keys that are known, and subnet managers that nobody named, open the fabric to its tenants",
    .opensm = "has no profiles",
    .nvidia = "has no profiles",
    .repair = "set the option, or leave the profile out",
};
inline constexpr Rule kLockDownContradicted{
    .name = "lock-down-contradicted",
    .severity = Severity::error,
    .summary = "a line that takes back what the profile `lock-down` sets",
    .reason = "a profile that holds but for one line does not hold",
    .opensm = "has no profiles",
    .nvidia = "has no profiles",
    .repair = "leave the line out, or leave the profile out",
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
    .summary =
        "options of a value other than the default that have no effect; a warning where they would route or "
        "guard the fabric",
    .opensm = "acts on its own ones and prints `Unrecognized token` for those of NVIDIA SM",
    .nvidia = "acts on them",
    .repair = "nothing; `rch show options` lists the values that are used",
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
inline constexpr Rule kUnnamedFile{
    .name = "unnamed-file",
    .severity = Severity::note,
    .summary = "a QoS policy beside the options file that no option names",
    .opensm = "reads `/etc/opensm/qos-policy.conf` if `qos` is TRUE, wherever the options file is",
    .nvidia = "reads `/etc/opensm/qos-policy.conf` if `qos` is TRUE, wherever the options file is",
    .repair = "name it with `qos_policy_file` and set `qos TRUE`, or write `qos_policy_file (null)`",
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
inline constexpr Rule kAbsentFolder{
    .name = "absent-folder",
    .severity = Severity::warning,
    .summary = "a file that is to be written in a folder that does not exist",
    .reason =
        "`rch run` goes on without the file, and its log goes to standard output. Not reported where the "
        "options file is not on this machine, or is linted by itself",
    .opensm =
        "prints `Cannot open file` for `log_file` and ends (seen with OpenSM 3.3.23, `opensm -o -f FILE`)",
    .nvidia = "does as OpenSM, as far as is known",
    .repair = "make the folder, or name another file",
};
inline constexpr Rule kOptionOfOtherEngine{
    .name = "option-of-other-engine",
    .severity = Severity::warning,
    .summary = "an option of engines that are not used",
    .opensm = "ignores the option silently",
    .nvidia = "ignores the option silently",
    .repair = "drop the line, or name an engine that reads it",
};

inline constexpr const Rule* kOptionRules[] = {
    &kUnknownOption,       &kNoKnownOption,    &kGluedOption,
    &kKernelOption,        &kDeprecatedOption, &kRepeatedOption,
    &kMissingValue,        &kEmptyOption,      &kNullPath,
    &kBooleanSpelling,     &kBadBoolean,       &kBadOptionValue,
    &kOptionOutOfRange,    &kForcedOption,     &kUnlimitedHighPriority,
    &kNoEffectYet,         &kMainOnlyOption,   &kNeedsQos,
    &kSl2VlIgnored,        &kPrerequisiteOff,  &kSharedPath,
    &kOptionOfOtherEngine, &kLockDownMissing,  &kLockDownContradicted,
    &kUnnamedFile,         &kAbsentFolder,
};

}  // namespace rch::policy
