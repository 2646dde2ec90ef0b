#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/diagnostic.h"

namespace rch {

/// Any bytes may be given to a parser: it ends, and every diagnostic points into the text.
template <class Parse>
int try_parser(const std::uint8_t* data, std::size_t size, Parse parse) {
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add("input", std::string(reinterpret_cast<const char*>(data), size));
  parse(sources, source, diagnostics);
  for (const Diagnostic& d : diagnostics.all())
    if (d.span.begin > d.span.end || d.span.end > size || render(d, sources).empty()) std::abort();
  return 0;
}

}  // namespace rch
