#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace rch::cli {

/// A JSON document as indented `key: value` lines: the text form of what `rch show` prints.
std::string as_text(const nlohmann::ordered_json& document);

}  // namespace rch::cli
