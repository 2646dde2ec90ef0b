#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::assertions {

inline constexpr Rule kNoYaml{
    .name = "test-no-yaml",
    .severity = Severity::error,
    .summary = "a file of assertions that is no YAML",
    .repair = "quote text that holds `: `, `#` or starts with a special character",
};
inline constexpr Rule kUnknownKey{
    .name = "test-unknown-key",
    .severity = Severity::error,
    .summary = "a key that a file of assertions does not know",
    .reason = "an assertion that is not judged would count as one that holds",
    .repair = "docs/assertions.md lists them",
};
inline constexpr Rule kRepeatedKey{
    .name = "test-repeated-key",
    .severity = Severity::error,
    .summary = "a key that stands twice in one map of a file of assertions",
    .repair = "keep one of them; a test has one assertion",
};
inline constexpr Rule kWrongShape{
    .name = "test-wrong-shape",
    .severity = Severity::error,
    .summary = "a map, list or word where a file of assertions wants another of them",
    .repair = "write a map as `key: value` lines below the key, a list as `[a, b]`",
};
inline constexpr Rule kBadValue{
    .name = "test-bad-value",
    .severity = Severity::error,
    .summary = "a value of an assertion that is none of those it may have",
};
inline constexpr Rule kIncomplete{
    .name = "test-incomplete",
    .severity = Severity::error,
    .summary = "a test without an assertion, or an assertion without what it is about",
    .reason = "it would hold whatever the tables are",
};
inline constexpr Rule kBadPoint{
    .name = "test-bad-point",
    .severity = Severity::error,
    .summary = "a point that names no port, or is not of a known form",
    .repair =
        "write `node:NAME`, `pattern:GLOB`, `lid:NUMBER`, `guid:0x…`, `port:NAME/NUMBER`, `group:NAME` or "
        "`all`",
};

inline constexpr const Rule* kRules[] = {&kNoYaml,   &kUnknownKey, &kRepeatedKey, &kWrongShape,
                                         &kBadValue, &kIncomplete, &kBadPoint};

}  // namespace rch::parsers::assertions
