#pragma once

namespace rch::bench {

/// Peak memory of the process, beyond what it had when this was made (Linux).
class PeakMemory {
 public:
  PeakMemory();
  double bytes() const;

 private:
  double before_;
};

}  // namespace rch::bench
