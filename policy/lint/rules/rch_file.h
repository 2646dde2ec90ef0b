#pragma once

#include "base/diagnostic.h"

namespace rch::policy::rch_file {

inline constexpr std::string_view kNotRead = "does not read this kind of file";

inline constexpr Rule kUnknownRule{
    .name = "unknown-rule",
    .severity = Severity::error,
    .summary = "the name of no diagnostic",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "take a name from `rch show diagnostics`",
};
inline constexpr Rule kUnknownGrade{
    .name = "unknown-grade",
    .severity = Severity::error,
    .summary = "a word that is no grade, mode, profile, peer, truth value or finding",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "grades are `off`, `note`, `warning` and `error`; the message lists what else may stand there",
};
inline constexpr Rule kLoweredError{
    .name = "lowered-error",
    .severity = Severity::error,
    .summary = "an error that is to count for less",
    .reason = "what is an error cannot be read with certainty, and what cannot be read cannot be proven",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "repair what is found; only warnings and notes can be switched off",
};
inline constexpr Rule kNoConfiguration{
    .name = "no-configuration",
    .severity = Severity::error,
    .summary = "an rch.yaml without `config` and without `options`",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "name the options file: `config: opensm.conf`",
};

inline constexpr const Rule* kRules[] = {&kUnknownRule, &kUnknownGrade, &kLoweredError, &kNoConfiguration};

}  // namespace rch::policy::rch_file
