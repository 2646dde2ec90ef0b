#pragma once

#include <string_view>

namespace rch::report {

/// A file of report/page, as it was when rch was built. Empty: there is none of that name.
std::string_view page_text(std::string_view name);

}  // namespace rch::report
