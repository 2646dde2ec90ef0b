#pragma once

#include <regex.h>

#include <memory>
#include <string>

#include <tl/expected.hpp>

namespace rch::policy {

/// A POSIX extended expression, case-sensitive, searched unanchored (docs/keywords.md).
class Regexp {
 public:
  /// The reason when it does not compile.
  static tl::expected<Regexp, std::string> create(const std::string& pattern);

  bool matches(const std::string& text) const {
    return regexec(compiled_.get(), text.c_str(), 0, nullptr, 0) == 0;
  }

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

/// A quantifier behind a plain character, and neither anchor nor dot: `SW*` was meant as a file pattern.
bool looks_like_glob(const std::string& pattern);

}  // namespace rch::policy
