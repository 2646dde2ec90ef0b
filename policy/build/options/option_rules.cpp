#include "policy/build/options/option_rules.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "parsers/rules.h"
#include "policy/lint/rules/options.h"

namespace rch::policy {
namespace {

class Check {
 public:
  Check(OptionFile& file, SourceId text, Diagnostics& diagnostics)
      : file_(file), options_(file.options), text_(text), diagnostics_(diagnostics) {}

  void run() {
    second_window();
    partition_enforcement();
    transaction_timeouts();
    m_key_lease();
    extended_rates();
    flids("global_flid_start", "global_flid_end");
    flids("local_flid_start", "local_flid_end");
  }

 private:
  /// The first of the settings that stands in the text; null if none does, and there is nothing to report.
  const Setting* culprit(std::initializer_list<std::string_view> keys) const {
    for (std::string_view key : keys)
      if (const Setting* s = file_.find(key); s != nullptr && s->name.span.source == text_) return s;
    return nullptr;
  }

  /// Gives `key` the value that OpenSM would; reported at `because`.
  Diagnostic* force(std::string_view key, OptionValue value, const Setting* because, std::string message) {
    const OptionKey* known = find_option(key);
    file_.put(*known, value);
    file_.adjustments.push_back({known, std::move(value)});
    if (because == nullptr) return nullptr;
    Diagnostic& d = diagnostics_.add(kForcedOption, because->name.span, std::move(message));
    if (const Setting* other = file_.find(key); other != nullptr && other != because)
      d.labels.push_back({other->name.span, "set here"});
    return &d;
  }

  /// OpenSM takes the first window where the second one is too large.
  void second_window() {
    constexpr std::uint64_t kLargest = 0x7FFFFFFF;
    const Setting* setting = file_.find("max_wire_smps2");
    const auto* window = setting == nullptr ? nullptr : std::get_if<std::uint64_t>(&setting->meaning);
    if (window == nullptr || *window <= kLargest) return;
    force("max_wire_smps2", std::uint64_t{options_.transport.max_wire_smps}, culprit({"max_wire_smps2"}),
          fmt::format("`max_wire_smps2` goes up to {}; `max_wire_smps` {} is used", kLargest,
                      options_.transport.max_wire_smps));
  }

  void partition_enforcement() {
    if (!options_.partitions.no_partition_enforcement || options_.partitions.part_enforce == PartEnforce::off)
      return;
    const Setting* because = culprit({"no_partition_enforcement", "part_enforce"});
    Diagnostic* d =
        force("part_enforce", std::string("off"), because,
              "`no_partition_enforcement TRUE` is an old form of `part_enforce off`, which is used");
    if (d == nullptr) return;
    d->hint = "write `part_enforce off`";
    if (file_.find("part_enforce") != nullptr) return;
    d->fixes.push_back({{text_, because->name.span.begin, because->value.span.end}, "part_enforce off"});
  }

  void transaction_timeouts() {
    const std::uint32_t least = options_.transport.transaction_timeout;
    if (options_.transport.long_transaction_timeout >= least) return;
    force("long_transaction_timeout", std::uint64_t{least},
          culprit({"long_transaction_timeout", "transaction_timeout"}),
          fmt::format("`long_transaction_timeout` {} is less than `transaction_timeout` {}, which is used",
                      options_.transport.long_transaction_timeout, least));
  }

  /// A protected lease must not end between two sweeps.
  void m_key_lease() {
    const std::uint32_t lease = options_.manager.m_key_lease_period;
    if (lease == 0 || options_.manager.m_key_protection_level == 0) return;
    const Setting* because = culprit({"m_key_lease_period", "sweep_interval", "m_key_protection_level"});
    const std::uint32_t sweep = options_.manager.sweep_interval;
    if (sweep == 0)
      force("sweep_interval", std::uint64_t{lease - 1}, because,
            fmt::format("a protected M_Key lease of {} s needs sweeps; `sweep_interval {}` is used", lease,
                        lease - 1));
    else if (sweep >= 0xFFFF)
      diagnostics_.add(kOptionOutOfRange,
                       (because != nullptr ? because : file_.find("sweep_interval"))->name.span,
                       fmt::format("no M_Key lease outlasts a `sweep_interval` of {} s", sweep));
    else if (lease <= sweep)
      force("m_key_lease_period", std::uint64_t{sweep + 1}, because,
            fmt::format("an M_Key lease of {} s ends before the next sweep; `m_key_lease_period {}` is used",
                        lease, sweep + 1));
  }

  void extended_rates() {
    constexpr std::uint8_t kHighest = 18;
    if (!options_.ports.use_original_extended_sa_rates_only || options_.ports.max_rate_enum <= kHighest)
      return;
    Diagnostic* d = force("max_rate_enum", std::uint64_t{kHighest},
                          culprit({"use_original_extended_sa_rates_only", "max_rate_enum"}),
                          "`use_original_extended_sa_rates_only TRUE` is an old form of `max_rate_enum 18`, "
                          "which is used");
    if (d != nullptr) d->hint = "write `max_rate_enum 18`";
  }

  void flids(std::string_view low, std::string_view high) {
    const Setting* start = file_.find(low);
    const Setting* end = file_.find(high);
    if (start == nullptr || end == nullptr) return;
    const auto* first = std::get_if<std::uint64_t>(&start->meaning);
    const auto* last = std::get_if<std::uint64_t>(&end->meaning);
    if (first == nullptr || last == nullptr || *first <= *last) return;
    const Setting* because = culprit({low, high});
    if (because == nullptr) return;
    diagnostics_
        .add(parsers::kReversedRange, because->value.span,
             fmt::format("`{}` {} is above `{}` {}", low, *first, high, *last))
        .labels.push_back({(because == start ? end : start)->value.span, "the other end"});
  }

  OptionFile& file_;
  const Options& options_;
  SourceId text_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_options(OptionFile& file, SourceId text, Diagnostics& diagnostics) {
  Check(file, text, diagnostics).run();
}

}  // namespace rch::policy
