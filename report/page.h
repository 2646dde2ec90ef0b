#pragma once

#include <string>
#include <string_view>

#include "report/arrays.h"

namespace rch::report {

/// What a page is made of.
struct PageParts {
  std::string title;  ///< any bytes
  std::string data;   ///< JSON, an object
  Arrays drawing;     ///< needed to draw the fabric
  Arrays tables;      ///< needed when a path is asked for
};

/// A page of HTML that needs no other file and makes no request: its policy (Content-Security-Policy) forbids
/// the browser to. Nothing in `title` and `data` is taken for markup.
std::string page(const PageParts& parts);

}  // namespace rch::report
