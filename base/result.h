#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace rch {

/// What kind of thing went wrong; the command turns it into its exit code.
enum class ErrorKind {
  usage,       ///< the request makes no sense, or a file cannot be read (exit 2)
  invalid,     ///< the input was read and is wrong (exit 1)
  unroutable,  ///< no engine of the chain could route (exit 3)
  forbidden,   ///< the verdict forbids the commit (exit 4)
  fabric,      ///< the fabric refused or lost a request (exit 5)
};

/// A failure of the world around us. `message` says what was seen, lower case, no full stop.
struct Error {
  ErrorKind kind = ErrorKind::usage;
  std::string message;
  std::string_view cause = {};  ///< name of the cause (`hw/causes.h`); static text, empty where there is none
};

/// A value or the reason why there is none. Mistakes in a user's file are Diagnostics instead.
template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}

}  // namespace rch
