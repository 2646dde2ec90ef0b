#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace rch::test {

/// A folder of its own for each test, which goes with it.
class TemporaryFolder : public testing::Test {
 protected:
  TemporaryFolder() { std::filesystem::create_directories(folder_); }
  ~TemporaryFolder() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("rch-test." + std::to_string(::getpid()));
};

}  // namespace rch::test
