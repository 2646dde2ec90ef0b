#include "cli/timings.h"

#include <sys/resource.h>

#include <cmath>
#include <cstdio>

#include "base/source.h"

namespace rch::cli {
namespace {

double rounded(double value, double parts) { return std::round(value * parts) / parts; }

}  // namespace

Json Timings::document() const {
  Json out;
  out["phases"] = Json::array();
  for (const Phase& phase : phases_) {
    Json entry{{"name", phase.name}};
    if (phase.step) entry["id"] = phase.step->value;
    if (!phase.engine.empty()) entry["engine"] = phase.engine;
    entry["ms"] = rounded(phase.milliseconds, 1000);
    out["phases"].push_back(std::move(entry));
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  out["peak_rss_mb"] = rounded(static_cast<double>(usage.ru_maxrss) / 1024, 10);
  return out;
}

Result<void> Timings::write(const std::string& file) const {
  if (file.empty()) return {};
  const std::string text = document().dump() + "\n";
  if (file != "-") return write_file(file, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

}  // namespace rch::cli
