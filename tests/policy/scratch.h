#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rch::policy {

/// A folder of configuration files that lives as long as the test; tests may run side by side.
class Scratch {
 public:
  Scratch() : folder_(std::filesystem::path(testing::TempDir()) / fmt::format("rch-policy-{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace rch::policy
