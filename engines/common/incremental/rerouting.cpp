#include "engines/common/incremental/rerouting.h"

namespace rch::engines::common {
namespace {

/// Incremental rerouting pays off while at most one in so many links has changed.
constexpr std::size_t kLeastUnchanged = 16;

}  // namespace

Rerouting::Rerouting(const PortContext& now) : now_(now) {
  const PortOptions& options = now.options();
  if (!options.installed || !options.installed->same_rules || options.scatter_ports != 0) return;
  before_.emplace(changes().before(), options);
  links_ = &changes().links();
  if (!before_->has_all_links() || !now.links().has_all_links())
    links_ = &own_links_.emplace(switches(), before_->graph(), now.graph());
  if (!has_few_changes()) {
    before_.reset();
    return;
  }

  for (const DirectedLink& link : links_->lost())
    lost_.push_back({link.from, link.to, before_->weight(switches().before_of[link.from.index()], link.out)});
  for (const DirectedLink& link : links_->added())
    added_.push_back({link.from, link.to, now.links().weight(link.from, link.out)});
  find_common();
}

bool Rerouting::has_few_changes() const {
  return (links_->lost().size() + links_->added().size()) * kLeastUnchanged <= now_.graph().link_ends();
}

void Rerouting::find_common() {
  if (added_.empty() && switches().joint_count() == switches().now_count)
    common_ = &now_.graph();
  else if (lost_.empty() && switches().is_identity())
    common_ = &before_->graph();
  else
    common_ = &joined_.emplace(common_links(switches(), before_->graph(), now_.graph()));
}

}  // namespace rch::engines::common
