#include "chains/isolation.h"

namespace rch::chains {

Result<void> check_isolation(const policy::Options& asked, std::vector<std::string> missing, bool accepted,
                             const Observer& observe) {
  if (asked.manager.m_key != 0)
    missing.emplace_back("ports do not get the `m_key`: it is for requests alone");
  if (missing.empty()) return {};
  tell(observe, PartitionsUnenforced{missing, accepted});
  if (accepted) return {};
  return fail(ErrorKind::forbidden, "the fabric cannot keep partitions apart as asked");
}

}  // namespace rch::chains
