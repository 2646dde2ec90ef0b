#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dumps/link_settings.h"
#include "dumps/observed.h"
#include "verify/verify.h"

namespace rch::dumps {

/// For which packets credit loops were judged.
enum class CreditLoops : std::uint8_t {
  any_sl,      ///< of every service level, whatever the SL2VL maps say
  given_sls,   ///< of the service levels that the files give, and of SL 0
  sl_0,        ///< of SL 0 alone
  not_judged,  ///< there are cycles if all packets have SL 0, or one VL, and it is not known whether they do
};
/// `any-sl`, `given-sls`, `sl-0`, `not-judged`.
std::string_view to_string(CreditLoops judged);

struct JudgementOptions {
  std::uint8_t max_op_vls = 5;  ///< verify::Options::max_op_vls
  /// All packets have SL 0, and share one virtual lane where SL2VL maps are not known.
  bool without_qos = false;
};

/// What is proven of tables that others made, and what is not.
struct Judgement {
  /// Of the packets that CreditLoops names. Cycles that there may be are no finding: `not_judged`
  /// names them.
  verify::Verdict verdict;
  CreditLoops credit_loops = CreditLoops::any_sl;
  std::vector<SettingFinding> settings;  ///< how settings contradict the tables, or one another
  std::vector<std::string> not_judged;   ///< each with its reason, as a clause: `credit loops: …`

  /// Nothing that was judged is wrong, but for what was accepted.
  bool sound() const;
  bool proven() const { return sound() && not_judged.empty(); }
};

/// Judges reachability, forwarding loops, credit loops and multicast trees, as far as that is possible. What
/// is missing lowers the claim.
///
/// Where no cycle of links is possible at all, there is none on any virtual lane: each cycle of the channel
/// dependency graph leads along a closed walk of links (Dally and Seitz 1987). So links are judged first, as
/// if each had one virtual lane. Only where these have a cycle do SL2VL maps and service levels decide.
Judgement judge(const Observed& observed, const JudgementOptions& options = {});

}  // namespace rch::dumps
