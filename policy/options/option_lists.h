#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/options/option_table.h"

namespace rch::policy {

/// What is wrong with a value of compound form, and where in it.
struct ListProblem {
  std::size_t at = 0;
  std::size_t length = 0;
  std::string message;
  std::string hint;
};

/// Checks values of the types vl_weights, sl2vl, mask256, delay, delays, per_sl and subjects
/// (config-files 1.4, 1.7, 8). Nothing if the value is good.
std::optional<ListProblem> check_list(OptionType type, std::string_view text);

/// True for values of those types that configure nothing: a zero mask, `0:0`, zero for SL 0.
bool says_nothing(OptionType type, std::string_view text);

}  // namespace rch::policy
