#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/golden_case.h"

namespace rch::test {

/// A golden case unpacked into a folder of its own, removed with it.
class Unpacked {
 public:
  explicit Unpacked(const std::string& case_name) {
    char name[] = "/tmp/rch-verify-XXXXXX";
    folder_ = mkdtemp(name);
    for (const auto& file : std::filesystem::directory_iterator(golden_folder(case_name))) {
      std::filesystem::path to = folder_ / file.path().filename();
      if (to.extension() == ".gz") to.replace_extension();
      std::ofstream(to) << text_of(file.path());
    }
  }
  ~Unpacked() { std::filesystem::remove_all(folder_); }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  /// Runs a command there; its output, errors included.
  std::string run(const std::string& command) const {
    const std::string log = (folder_ / "log").string();
    if (std::system(("cd '" + folder_.string() + "' && ( " + command + " ) > log 2>&1").c_str()) == -1)
      return "";
    return text_of(log);
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace rch::test
