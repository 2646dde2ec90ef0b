#pragma once

namespace rch::bench {

/// Peak of the memory that the process holds, beyond what it held when this was made (Linux).
class PeakMemory {
 public:
  PeakMemory();
  double bytes() const;

 private:
  double before_;
};

}  // namespace rch::bench
