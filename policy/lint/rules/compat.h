#pragma once

#include "base/diagnostic.h"

namespace rch::policy {

// Findings about OpenSM alone: `rch lint --compat opensm` has them, as does an rch.yaml with `compat:
// opensm`.
inline constexpr std::string_view kNotAsked = "is not what these findings are about";

inline constexpr Rule kFallsBackToMinhop{
    .name = "falls-back-to-minhop",
    .severity = Severity::warning,
    .summary = "engines that may all fail, where OpenSM then routes by minhop",
    .reason = "rch takes only the engines that the configuration names, and keeps the installed tables",
    .opensm =
        "routes by minhop when all engines fail, with a line in its log; minhop may close credit loops (seen "
        "on ibsim)",
    .nvidia = kNotAsked,
    .repair = "add `minhop` to `routing_engine` if it may route, or `no_fallback` if it must not",
};
inline constexpr Rule kEngineWithoutLmc{
    .name = "engine-without-lmc",
    .severity = Severity::warning,
    .summary = "ftree with an `lmc` above 0",
    .reason = "rch's ftree routes every LID of a port",
    .opensm = "logs that ftree does not support it, and routes by the next engine or minhop (seen on ibsim)",
    .nvidia = kNotAsked,
    .repair = "set `lmc 0`, or name an engine that routes several LIDs for a port",
};
inline constexpr Rule kPathOfWorkingFolder{
    .name = "path-of-working-folder",
    .severity = Severity::warning,
    .summary = "a relative path in an options file",
    .reason = "rch takes it from the folder of the options file",
    .opensm = "takes it from the folder that it was started in, and goes on without the file or the engine",
    .nvidia = kNotAsked,
    .repair = "write the whole path",
};
inline constexpr Rule kOptionsOfNvidia{
    .name = "options-of-nvidia",
    .severity = Severity::warning,
    .summary = "options that NVIDIA SM alone knows",
    .opensm = "prints `Unrecognized token` for each and goes on without them",
    .nvidia = kNotAsked,
    .repair = "leave them out where OpenSM reads the file",
};
inline constexpr Rule kValueOfNvidia{
    .name = "value-of-nvidia",
    .severity = Severity::warning,
    .summary = "a value that NVIDIA SM alone knows",
    .opensm =
        "replaces it by its own default, with a line `Invalid Cached Option Value` (seen with `opensm -c`)",
    .nvidia = kNotAsked,
    .repair = "write a value that both know",
};

inline constexpr const Rule* kCompatRules[] = {
    &kFallsBackToMinhop, &kEngineWithoutLmc, &kPathOfWorkingFolder, &kOptionsOfNvidia, &kValueOfNvidia,
};

}  // namespace rch::policy
