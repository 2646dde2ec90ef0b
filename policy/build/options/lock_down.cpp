#include "policy/build/options/lock_down.h"

#include <algorithm>

#include <fmt/format.h>

#include "policy/lint/rules/options.h"

namespace rch::policy {
namespace {

/// An option that the profile sets.
struct Locked {
  std::string_view key;
  OptionValue value;
  std::string_view written;  ///< the value, as opensm.conf takes it
  bool (*holds)(const Options&);
  std::string_view why;
};

const std::vector<Locked>& locked() {
  using O = const Options&;
  static const std::vector<Locked> all{
      {"m_key_protection_level", std::uint64_t{2}, "2",
       [](O o) { return o.manager.m_key_protection_level >= 2; },
       "hosts could read M_Keys, or write to ports"},
      {"m_key_per_port", true, "TRUE", [](O o) { return o.manager.m_key_per_port; },
       "who finds the M_Key of one port would have those of all"},
      {"part_enforce", std::string("both"), "both",
       [](O o) { return o.partitions.part_enforce == PartEnforce::both; },
       "switches would let packets of other tenants through"},
      {"sa_enhanced_trust_model", true, "TRUE", [](O o) { return o.administration.enhanced_trust_model; },
       "hosts could ask for what they need not know"},
      {"sa_etm_allow_untrusted_proxy_requests", false, "FALSE",
       [](O o) { return !o.administration.allow_untrusted_proxy_requests; },
       "a host could register for the port of another one"},
      {"sa_check_sgid_spoofing", true, "TRUE", [](O o) { return o.administration.check_sgid_spoofing; },
       "a host could ask by the address of another one"},
      {"sa_etm_max_num_mcgs", std::uint64_t{128}, "128", [](O o) { return o.administration.max_groups != 0; },
       "one host could take all multicast groups"},
      {"sa_etm_max_num_srvcs", std::uint64_t{32}, "32",
       [](O o) { return o.administration.max_services != 0; },
       "one host could register services without end"},
      {"sa_etm_max_num_event_subs", std::uint64_t{32}, "32",
       [](O o) { return o.administration.max_subscriptions != 0; }, "one host could subscribe without end"},
      {"sa_rate_threshold", std::uint64_t{50}, "50", [](O o) { return o.administration.request_rate != 0; },
       "one host could keep subnet administration busy"},
  };
  return all;
}

/// An option that nobody but the operator can choose.
struct Chosen {
  std::string_view key;
  bool (*holds)(const Options&);
  std::string_view what;
};

/// A key that is not found by trying.
constexpr bool is_random(std::uint64_t key) { return key >> 32U != 0; }

constexpr std::string_view kRandom = "a random key of 64 bits, as `od -An -N8 -tx8 /dev/urandom` prints it";
constexpr Chosen kChosen[] = {
    {"m_key", [](const Options& o) { return is_random(o.manager.m_key); }, kRandom},
    {"key_mgr_seed", [](const Options& o) { return is_random(o.manager.key_mgr_seed); }, kRandom},
    {"sm_key", [](const Options& o) { return is_random(o.manager.sm_key); }, kRandom},
    {"sa_key", [](const Options& o) { return is_random(o.manager.sa_key); }, kRandom},
    {"allowed_sm_guids", [](const Options& o) { return !o.manager.allowed_sms.empty(); },
     "the port GUIDs of the subnet managers of this fabric"},
};

Diagnostic& add_missing(std::string_view key, std::string_view what, Span place, Diagnostics& diagnostics) {
  Diagnostic& d = diagnostics.add(kLockDownMissing, place, fmt::format("the profile needs `{}`", key));
  d.hint = fmt::format("give it {}", what);
  return d;
}

}  // namespace

void lock_down(OptionFile& main, Span profile, Diagnostics& diagnostics) {
  for (const Locked& item : locked()) {
    const OptionKey* key = find_option(item.key);
    const Setting* setting = main.find(item.key);
    if (setting == nullptr) {
      main.put(*key, item.value);
      main.adjustments.push_back({key, item.value});
      continue;
    }
    if (item.holds(main.options)) continue;
    Diagnostic& d = diagnostics.add(kLockDownContradicted, setting->name.span,
                                    fmt::format("`{}` contradicts the profile: {}", item.key, item.why));
    d.labels.push_back({profile, "the profile"});
    d.hint = fmt::format("leave it out, or write `{} {}`", item.key, item.written);
  }
  for (const Chosen& item : kChosen) {
    if (item.holds(main.options) || main.is_unreadable(item.key)) continue;
    const Setting* setting = main.find(item.key);
    Diagnostic& d =
        add_missing(item.key, item.what, setting != nullptr ? setting->name.span : profile, diagnostics);
    if (setting != nullptr) d.labels.push_back({profile, "the profile"});
  }
}

void check_lock_down(const partitions::Partitions& partitions, Span profile, Diagnostics& diagnostics) {
  using parsers::partitions::Who;
  if (partitions.source.is_none()) {
    add_missing("partition_config_file", "the file of the tenants' partitions", profile, diagnostics);
    return;
  }
  const partitions::Partition* open = partitions.find(partitions::kDefaultPKey);
  if (open == nullptr) return;
  for (const partitions::Member& member : open->members) {
    const bool is_many = member.who == Who::all || member.who == Who::all_cas;
    if (!is_many || member.membership == partitions::Membership::limited) continue;
    const bool is_written = member.length != 0;
    Diagnostic& d = diagnostics.add(
        kLockDownContradicted, is_written ? partitions.span(member) : profile,
        "hosts are full members of the default partition: tenants could talk to each other there");
    d.hint = "make them limited members: `Default=0x7fff : ALL=limited, SELF=full;`";
    if (is_written) d.labels.push_back({profile, "the profile"});
  }
}

}  // namespace rch::policy
