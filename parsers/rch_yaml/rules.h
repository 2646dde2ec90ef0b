#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::rch_yaml {

inline constexpr std::string_view kNotRead = "does not read this kind of file";

inline constexpr Rule kBadYaml{
    .name = "bad-yaml",
    .severity = Severity::error,
    .summary = "a text that is no YAML",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "quote text that holds `: `, `#` or starts with a special character",
};
inline constexpr Rule kUnknownKey{
    .name = "unknown-key",
    .severity = Severity::error,
    .summary = "a key that rch.yaml does not know",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair =
        "use `config`, `options`, `routing` (`mode`), `security` (`profile`), `lint` (`compat`, `strict`, "
        "`rules`), `verify` (`accept`) or `quarantine` (`trap_hold_down`, `timeout_limit`, "
        "`error_threshold`, `bounces`, `period`)",
};
inline constexpr Rule kRepeatedKey{
    .name = "repeated-key",
    .severity = Severity::error,
    .summary = "a key that stands twice in one map",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "keep one of them",
};
inline constexpr Rule kWrongShape{
    .name = "wrong-shape",
    .severity = Severity::error,
    .summary = "a map, list or word where rch.yaml wants another of them",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write a map as `key: value` lines below the key, a list as `[a, b]`",
};

inline constexpr const Rule* kRules[] = {&kBadYaml, &kUnknownKey, &kRepeatedKey, &kWrongShape};

}  // namespace rch::parsers::rch_yaml
