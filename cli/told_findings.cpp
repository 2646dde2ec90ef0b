#include "cli/told_findings.h"

#include <fmt/format.h>

namespace rch::cli {

void print_findings(Output& output, const Json& answer) {
  for (const Json& finding : answer.list("findings")) {
    std::string text = finding.text("text");
    if (text.empty()) text = fmt::format("{}: {}", finding.text("severity"), finding.text("message"));
    while (text.ends_with('\n')) text.pop_back();
    output.line(text);
  }
}

}  // namespace rch::cli
