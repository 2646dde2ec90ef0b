#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "policy/policy.h"

namespace rch::cli {

/// Everything a policy says, in the words of its files.
nlohmann::ordered_json policy_json(const policy::Policy& policy);

/// A JSON document as indented `key: value` lines: the text form of what `rch show` prints.
std::string as_text(const nlohmann::ordered_json& document);

}  // namespace rch::cli
