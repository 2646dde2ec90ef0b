#pragma once

#include <regex.h>

#include <memory>
#include <string>

#include <tl/expected.hpp>

namespace rch::policy {

/// A POSIX extended expression, case-sensitive, searched unanchored (config-files 2).
class Regexp {
 public:
  /// The reason when it does not compile.
  static tl::expected<Regexp, std::string> create(const std::string& pattern);

  bool matches(const std::string& text) const {
    return regexec(compiled_.get(), text.c_str(), 0, nullptr, 0) == 0;
  }

  /// Text that every match starts with, when the expression is anchored: lets a sorted list be narrowed
  /// first.
  static std::string anchored_prefix(const std::string& pattern);

 private:
  struct Free {
    void operator()(regex_t* compiled) const {
      regfree(compiled);
      delete compiled;
    }
  };
  explicit Regexp(std::unique_ptr<regex_t, Free> compiled) : compiled_(std::move(compiled)) {}

  std::unique_ptr<regex_t, Free> compiled_;
};

}  // namespace rch::policy
