#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "policy/build/options/option_values.h"

namespace rch::policy {

/// What is wrong with a value of compound form, and where in it.
struct ListProblem {
  std::size_t at = 0;
  std::size_t length = 0;
  std::string message;
  std::string hint;
};

/// Reads values of the types vl_weights, sl2vl, mask256, delay, delays, per_sl, subjects, guids and fat_tree
/// (docs/options.md and opensm(8), QOS CONFIGURATION). Those that rch has no use for are given back as text.
tl::expected<OptionValue, ListProblem> read_list(const OptionKey& key, std::string_view text);

/// True for values of those types that configure nothing: a zero mask, `0:0`, zero for SL 0.
bool says_nothing(OptionType type, std::string_view text);

}  // namespace rch::policy
