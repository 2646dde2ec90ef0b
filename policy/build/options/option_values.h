#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "parsers/common/token.h"
#include "policy/model/option_table.h"

namespace rch::policy {

/// A value as its option reads it; monostate: unset. Lists without a typed form are strings.
using OptionValue = std::variant<std::monostate, bool, std::uint64_t, std::string, std::vector<std::string>,
                                 std::vector<Guid>, VlWeights, SlToVl, fabric::FatTreeShape>;

/// Reads the value of `key`. Nothing, and one error, when it cannot be used; warnings come with the value
/// taken.
std::optional<OptionValue> read_option_value(const OptionKey& key, const parsers::Token& value,
                                             Diagnostics& diagnostics);

/// True if the text says the same as the key's default.
bool is_default(const OptionKey& key, const OptionValue& value);
/// The same of NVIDIA SM's default, where it differs.
bool is_nvidia_default(const OptionKey& key, const OptionValue& value);

/// Whether the value is a word with which OpenSM's log goes to a stream, and not to a file.
bool names_stream(const OptionKey& key, std::string_view text);

/// The words of a list (`routing_engine`) with their places.
std::vector<parsers::Token> split_words(const parsers::Token& list);

}  // namespace rch::policy
