#pragma once

// Plans that `rch run` has installed, beside its other files: NUMBER.plan, which is a plan, and NUMBER.json,
// which tells when and why it was installed. A generation is there when its plan is.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace rch::cli {

/// What a plan file does not tell.
struct GenerationNote {
  std::string time;    ///< "2026-03-01T08:00:00.000Z"
  std::string reason;  ///< of the sweep that brought it
  bool is_repair = false;
  std::uint64_t writes = 0;                ///< datagrams that wrote it
  std::vector<std::string> accepted = {};  ///< findings that the operator had to accept
};

struct Generation {
  std::uint64_t number = 0;
  std::string plan;  ///< path of the plan file
  GenerationNote note;
};

/// How much is kept. The newest generation always is: it is the same file as the plan of the next start.
struct GenerationLimits {
  std::uint32_t count = 16;  ///< 0: nothing is kept, not even the newest
  std::uint64_t mib = 512;   ///< of all plans together
};

/// The folder of a manager with that guid2lid file: `rch-generations` beside it.
std::string generations_folder(const std::string& lid_file);

/// Keeps a plan file that was just written as the next generation, and removes the oldest ones beyond the
/// limits. Only the user may read the folder: a plan has the M_Key. Fails (usage) when it cannot be written;
/// what was kept before stays then.
Result<void> keep_generation(const std::string& folder, const std::string& plan_file,
                             const GenerationNote& note, const GenerationLimits& limits);

/// The newest first. Fails (usage) when the folder cannot be read.
Result<std::vector<Generation>> generations_in(const std::string& folder);

}  // namespace rch::cli
