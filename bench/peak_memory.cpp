#include "peak_memory.h"

#include <malloc.h>

#include <fstream>
#include <string>
#include <string_view>

namespace rch::bench {
namespace {

/// A line of /proc/self/status, in bytes.
double status(std::string_view key) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (word == key) {
      double kilobytes = 0;
      file >> kilobytes;
      return 1024 * kilobytes;
    }
  return 0;
}

}  // namespace

PeakMemory::PeakMemory() {
  malloc_trim(0);                                 // what earlier runs left behind goes back
  std::ofstream("/proc/self/clear_refs") << '5';  // the peak starts anew
  before_ = status("VmRSS:");
}

double PeakMemory::bytes() const { return status("VmHWM:") - before_; }

}  // namespace rch::bench
