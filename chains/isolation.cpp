#include "chains/isolation.h"

namespace rch::chains {

Result<void> check_isolation(const std::vector<std::string>& missing, bool accepted,
                             const Observer& observe) {
  if (missing.empty()) return {};
  tell(observe, PartitionsUnenforced{missing, accepted});
  if (accepted) return {};
  return fail(ErrorKind::forbidden, "the fabric cannot keep partitions apart as asked");
}

}  // namespace rch::chains
