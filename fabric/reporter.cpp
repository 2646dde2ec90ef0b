#include "fabric/reporter.h"

#include <algorithm>

#include "fabric/rules.h"

namespace rch::fabric {

Diagnostic& Reporter::add(const Rule& rule, Span span, std::string message) {
  failed_ = failed_ || rule.severity == Severity::error;
  auto count = std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.rule == &rule; });
  if (count == counts_.end()) count = counts_.insert(count, Count{&rule});
  if (++count->seen <= kPerRule) return out_.add(rule, span, std::move(message));
  return held_back_ = Diagnostic{};
}

void Reporter::finish() {
  for (const Count& count : counts_)
    if (count.seen > kPerRule)
      out_.add(kMoreFindings, {},
               fmt::format("{} more findings of `{}`", count.seen - kPerRule, count.rule->name));
}

}  // namespace rch::fabric
