#include "parsers/common/bounded.h"

#include <algorithm>

#include <fmt/format.h>

#include "parsers/rules.h"

namespace rch::parsers {

Diagnostics& Bounded::next() {
  pass_on();
  return pending_;
}

void Bounded::finish(SourceId source) {
  pass_on();
  for (const Count& c : counts_)
    if (c.seen > kPerRule)
      out_.add(kMoreFindings, {source, 0, 0},
               fmt::format("{} more findings of `{}`", c.seen - kPerRule, c.rule->name));
}

void Bounded::pass_on() {
  if (pending_.all().empty()) return;
  for (const Diagnostic& d : pending_.all())
    if (++count(d.rule).seen <= kPerRule) out_.add(*d.rule, d.span, {}) = d;
  pending_ = {};
}

Bounded::Count& Bounded::count(const Rule* rule) {
  const auto known =
      std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.rule == rule; });
  return known != counts_.end() ? *known : counts_.emplace_back(Count{rule});
}

}  // namespace rch::parsers
