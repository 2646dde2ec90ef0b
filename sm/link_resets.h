#pragma once

#include "base/bitset.h"
#include "chains/link_rounds.h"
#include "sm/write_plan.h"

namespace rch::sm {

/// Links in use whose MTU or VLs must change: what has to go down, and how. Links between switches go down in
/// rounds. Before each round tables are written that do without its links, so that every pair of hosts keeps
/// a path; the next round begins when all its links are active again. Links of end ports go down last, with
/// those that cannot be spared.
struct LinkResets {
  std::vector<PortId> links;  ///< one port of each
  std::size_t hosts = 0;      ///< links of end ports among them
  chains::LinkRounds rounds;
  IdSet<Lid> drained{std::size_t{0x10000}};  ///< in the updates of the rounds, once they are judged
};

/// Takes them from what was prepared for `target`. Plans rounds with the VLs that the links have now.
LinkResets plan_link_resets(const hw::LiveFabric& live, const chains::Plan& target,
                            const hw::Preparation& prepared);

struct LinksWereReset {
  hw::LiveFabric live;      ///< with the MTUs and VLs of now
  hw::CommitReport report;  ///< of all rounds
  /// That hosts may have their service levels from: those of before, and of all rounds.
  std::vector<const chains::Plan*> previous;
};

/// Judges the updates of all rounds, and the last one to `target`, before anything is written: hosts may have
/// the service levels of before until they ask again, whatever is installed meanwhile. Fails as
/// chains::plan_update does. Notes the LIDs that they drain.
hw::Task<Result<void>> judge_rounds(const Writing& with, const hw::LiveFabric& live, LinkResets& resets,
                                    const hw::CommitOptions& commit, const chains::Plan& target);

/// Carries the rounds out, and resets what is left. The tables of the last round are installed then. Fails as
/// write_plan() does. After a failure a further run goes on: it finds fewer links that have to go down.
hw::Task<Result<LinksWereReset>> reset_in_rounds(const Writing& with, const hw::LiveFabric& live,
                                                 const LinkResets& resets, const hw::CommitOptions& commit);

}  // namespace rch::sm
