#include "policy/build/qos/vl_rules.h"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "policy/build/qos/class_settings.h"
#include "policy/lint/rules/qos.h"

namespace rch::policy::qos {
namespace {

using Sls = std::vector<std::uint8_t>;

constexpr std::size_t kUsesShown = 3;
constexpr unsigned kPacketUnits = 64;  ///< weight of a packet of 4096 bytes

/// `4, 8-14`.
std::string listed(const std::vector<std::uint8_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

std::string sls_listed(const Sls& sls) {
  return fmt::format("{} {}", sls.size() == 1 ? "SL" : "SLs", listed(sls));
}

std::array<unsigned, 16> weights_of(const VlWeights& table) {
  std::array<unsigned, 16> sums{};
  for (const VlWeight& entry : table) sums[entry.vl] += entry.weight;
  return sums;
}

/// One finding about the tables of some classes.
struct Finding {
  const rch::Rule* rule;
  Severity severity;
  Span span;
  std::string message;
  Sls sls;  ///< for labels: who uses them
  const Setting* because;
  std::vector<std::string_view> ports;

  bool same(const Finding& other) const {
    return std::tie(rule, span, message) == std::tie(other.rule, other.span, other.message);
  }
};

class Checker {
 public:
  Checker(const OptionFile& main, std::span<const SlUse> uses, std::optional<Span> torus,
          Diagnostics& diagnostics)
      : main_(main), uses_(uses), torus_(torus), diagnostics_(diagnostics) {
    if (const Setting* qos = main.find("qos")) place_ = qos->name.span;
    if (torus) place_ = *torus;
    for (const SlUse& use : uses) used_[use.sl] = true;
  }

  void run() {
    for (const PortClassInfo& info : port_classes())
      if (const auto tables = class_tables(main_, info.port_class)) check(*tables);
    check_packets();
    if (torus_) check_torus_sls();
    report();
  }

 private:
  void check(const ClassTables& c) {
    ++classes_;
    if (torus_) {
      check_torus(c);
      return;
    }
    check_dropped(c);
    check_weighed(c, c.tables.high, c.high);
    check_weighed(c, c.tables.low, c.low);
    check_beyond(c);
    check_unsent(c);
  }

  Span place(const Setting* setting) const { return setting != nullptr ? setting->name.span : place_; }

  void add(const rch::Rule& rule, Severity severity, Span span, std::string message, Sls sls,
           const ClassTables& c, const Setting* because = nullptr) {
    Finding finding{&rule, severity, span, std::move(message), std::move(sls), because, {c.info->ports}};
    const auto known =
        std::find_if(findings_.begin(), findings_.end(), [&](const Finding& f) { return f.same(finding); });
    if (known != findings_.end())
      known->ports.push_back(c.info->ports);
    else
      findings_.push_back(std::move(finding));
  }

  void check_dropped(const ClassTables& c) {
    Sls in_use, idle;
    for (std::uint8_t sl = 0; sl < c.tables.sl2vl.size(); ++sl)
      if (c.tables.sl2vl[sl] == kDropVl) (used_[sl] ? in_use : idle).push_back(sl);
    if (!in_use.empty())
      add(kDroppedSl, Severity::error, place(c.sl2vl),
          fmt::format("{} in use: VL 15 drops the packets", sls_listed(in_use)), in_use, c);
    if (!idle.empty())
      add(kDroppedSl, Severity::warning, place(c.sl2vl),
          fmt::format("packets of {} are dropped", sls_listed(idle)), {}, c);
  }

  /// Only SLs in use matter in a built-in map; nobody asked for the others.
  void check_beyond(const ClassTables& c) {
    Sls sls;
    for (std::uint8_t sl = 0; sl < c.tables.sl2vl.size(); ++sl) {
      const std::uint8_t vl = c.tables.sl2vl[sl];
      if (vl != kDropVl && vl >= data_vls(c.op_vls) && (c.sl2vl != nullptr || used_[sl])) sls.push_back(sl);
    }
    if (sls.empty()) return;
    const std::uint8_t vl = c.tables.sl2vl[sls.front()];
    add(kVlBeyondOperational, Severity::warning, place(c.sl2vl),
        fmt::format("{} map{} to VLs beyond the {} that `max_op_vls {}` leaves: VL {} becomes VL {}",
                    sls_listed(sls), sls.size() == 1 ? "s" : "", data_vls(c.op_vls), c.op_vls, vl,
                    masked_vl(vl, c.op_vls)),
        sls, c, c.max_op_vls);
  }

  /// Weight that a table of the file gives to VLs that ports do not have.
  void check_weighed(const ClassTables& c, const VlWeights& table, const Setting* setting) {
    if (setting == nullptr || setting->is_default) return;
    std::vector<std::uint8_t> vls;
    for (const VlWeight& entry : table)
      if (entry.weight > 0 && entry.vl >= data_vls(c.op_vls)) vls.push_back(entry.vl);
    if (vls.empty()) return;
    std::ranges::sort(vls);
    vls.erase(std::unique(vls.begin(), vls.end()), vls.end());
    add(kVlBeyondOperational, Severity::warning, setting->value.span,
        fmt::format("weight for VL{} {}, beyond the {} that `max_op_vls {}` leaves",
                    vls.size() == 1 ? "" : "s", listed(vls), data_vls(c.op_vls), c.op_vls),
        {}, c, c.max_op_vls);
  }

  /// Weights as ports have them: beyond their VLs entries alias too.
  void check_unsent(const ClassTables& c) {
    const auto weights = sent(c);
    Sls sls;
    for (std::uint8_t sl = 0; sl < c.tables.sl2vl.size(); ++sl) {
      const std::uint8_t vl = masked_vl(c.tables.sl2vl[sl], c.op_vls);
      if (vl != kDropVl && weights[vl] == 0) sls.push_back(sl);
    }
    if (sls.empty()) return;
    add(kNeverSent, Severity::warning, table_place(c),
        fmt::format("{} {} never sent: the VL has weight 0 in both tables", sls_listed(sls),
                    sls.size() == 1 ? "is" : "are"),
        sls, c, c.sl2vl);
  }

  static std::array<unsigned, 16> sent(const ClassTables& c) {
    std::array<unsigned, 16> sums{};
    for (const VlWeights* table : {&c.tables.high, &c.tables.low})
      for (const VlWeight& entry : *table) sums[masked_vl(entry.vl, c.op_vls)] += entry.weight;
    return sums;
  }

  /// Where the weights of a class are best told: the table that the file has.
  Span table_place(const ClassTables& c) const {
    return place(c.low != nullptr ? c.low : c.high != nullptr ? c.high : c.sl2vl);
  }

  void check_packets() {
    for (const Setting& setting : main_.settings) {
      const auto* weights = std::get_if<VlWeights>(&setting.meaning);
      if (weights == nullptr) continue;
      std::vector<std::uint8_t> vls;
      for (const VlWeight& w : *weights)
        if (w.weight % kPacketUnits != 0) vls.push_back(w.vl);
      std::sort(vls.begin(), vls.end());
      vls.erase(std::unique(vls.begin(), vls.end()), vls.end());
      if (!vls.empty())
        diagnostics_
            .add(kWeightNotPacket, setting.value.span,
                 vls.size() == 1 ? fmt::format("the weight of VL {} is no multiple of 64", vls[0])
                                 : fmt::format("the weights of VLs {} are no multiples of 64", listed(vls)))
            .hint = "a packet of 4096 bytes takes 64 units";
    }
  }

  // torus-2QoS.

  void check_torus(const ClassTables& c) {
    const bool between =
        c.info->port_class == PortClass::switch_external || c.info->port_class == PortClass::switch_to_switch;
    if (between) {
      check_fair(c, c.tables.high, c.high, "high");
      check_fair(c, c.tables.low, c.low, "low");
    } else {
      check_end_port(c, c.tables.high, c.high, "high");
      check_end_port(c, c.tables.low, c.low, "low");
    }
    check_torus_vls(c, between);
    check_max_vls(c, between ? 8 : 2);
  }

  /// ``the built-in `qos_swe_vlarb_high` `` or ``this``.
  static std::string table_name(const ClassTables& c, const Setting* setting, std::string_view which) {
    return setting != nullptr ? std::string("this table")
                              : fmt::format("the built-in table behind `{}vlarb_{}`", c.info->prefix, which);
  }

  void check_fair(const ClassTables& c, const VlWeights& table, const Setting* setting,
                  std::string_view which) {
    const auto weights = weights_of(table);
    const auto level_fair = [&](std::size_t first) {
      return std::all_of(&weights[first], &weights[first] + 4,
                         [&](unsigned w) { return w == weights[first]; });
    };
    if (level_fair(0) && level_fair(4)) return;
    add(kTorusUnfair, Severity::warning, place(setting),
        fmt::format("{} does not give VLs {} one weight: {}", table_name(c, setting, which),
                    level_fair(0) ? "4-7" : "0-3", fmt::join(&weights[0], &weights[8], ", ")),
        {}, c);
  }

  void check_end_port(const ClassTables& c, const VlWeights& table, const Setting* setting,
                      std::string_view which) {
    const auto weights = weights_of(table);
    std::vector<std::uint8_t> vls;
    for (std::uint8_t vl = 2; vl < 8; ++vl)
      if (weights[vl] > 0) vls.push_back(vl);
    if (vls.empty()) return;
    const std::string name =
        setting != nullptr ? "this table" : fmt::format("the built-in table behind `qos_vlarb_{}`", which);
    add(kTorusEndPort, Severity::warning, place(setting),
        fmt::format("{} gives weight to VLs {}", name, listed(vls)), {}, c);
  }

  /// The VLs that torus-2QoS sends on: VLs 0-3 between switches and VL 0 at end ports, for SLs from 8 on
  /// VLs 4-7 and VL 1.
  void check_torus_vls(const ClassTables& c, bool between) {
    if (data_vls(c.op_vls) < 8) return;
    const auto weights = sent(c);
    const std::uint8_t per_level = between ? 4 : 1;
    std::vector<std::uint8_t> silent;
    for (std::uint8_t level = 0; level < 2; ++level) {
      const bool in_use =
          level == 0 || std::any_of(used_.begin() + 8, used_.end(), [](bool used) { return used; });
      for (std::uint8_t i = 0; in_use && i < per_level; ++i)
        if (const auto vl = static_cast<std::uint8_t>(level * per_level + i); weights[vl] == 0)
          silent.push_back(vl);
    }
    if (!silent.empty())
      add(kNeverSent, Severity::warning, table_place(c),
          fmt::format("torus-2QoS sends on VLs {}, which have weight 0 in both tables", listed(silent)), {},
          c);
  }

  void check_max_vls(const ClassTables& c, std::uint64_t least) {
    const auto* value = c.max_vls == nullptr ? nullptr : std::get_if<std::uint64_t>(&c.max_vls->meaning);
    if (value == nullptr || *value == 0 || *value >= least) return;
    add(kTorusMaxVls, Severity::warning, place(c.max_vls),
        fmt::format("torus-2QoS wants `max_vls` of at least {}, saw {}", least, *value), {}, c);
  }

  void check_torus_sls() {
    for (const SlUse& use : uses_) {
      if ((use.kind != SlUse::partition && use.kind != SlUse::multicast_group) || use.sl == 0 || use.sl == 8)
        continue;
      Diagnostic& d = diagnostics_.add(
          kTorusSl, use.span, fmt::format("SL {} of {}: torus-2QoS knows SLs 0 and 8", use.sl, use.what));
      d.labels.push_back({*torus_, "the engine"});
      d.hint = use.sl < 8 ? "use 0, the SL of the first level" : "use 8, the SL of the second level";
    }
  }

  void report() {
    for (const Finding& f : findings_) {
      const bool all = f.ports.size() == classes_;
      Diagnostic& d = diagnostics_.add(
          *f.rule, f.span, all ? f.message : fmt::format("{} ({})", f.message, fmt::join(f.ports, ", ")));
      d.severity = f.severity;
      if (f.because != nullptr && f.because->name.span != f.span)
        d.labels.push_back({f.because->value.span, "decided here"});
      label_uses(f.sls, d);
    }
  }

  void label_uses(const Sls& sls, Diagnostic& d) const {
    std::size_t shown = 0;
    const SlUse* unplaced = nullptr;  ///< a default has no place to show
    for (const SlUse& use : uses_) {
      if (std::find(sls.begin(), sls.end(), use.sl) == sls.end()) continue;
      if (use.span.source.is_none()) {
        unplaced = &use;
        continue;
      }
      if (shown == kUsesShown) return;
      ++shown;
      d.labels.push_back({use.span, fmt::format("SL {} is used by {}", use.sl, use.what)});
    }
    if (shown == 0 && unplaced != nullptr)
      d.hint = fmt::format("SL {} is used by {}", unplaced->sl, unplaced->what);
  }

  const OptionFile& main_;
  std::span<const SlUse> uses_;
  std::optional<Span> torus_;
  Diagnostics& diagnostics_;
  Span place_;  ///< for what no option of the file says
  std::array<bool, 16> used_{};
  std::size_t classes_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace

void check_vls(const OptionFile& main, std::span<const SlUse> uses, std::optional<Span> torus,
               Diagnostics& diagnostics) {
  const auto table = [](const OptionKey* key) {
    return key->name.starts_with("qos_") || key->name == "max_op_vls";
  };
  if (!main.options.qos.enabled || std::any_of(main.unreadable.begin(), main.unreadable.end(), table)) return;
  Checker(main, uses, torus, diagnostics).run();
}

}  // namespace rch::policy::qos
