#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "chains/chain.h"
#include "cli/log_sink.h"
#include "policy/model/options.h"
#include "sa/multicast_groups.h"
#include "sm/install.h"

namespace rch::cli {

/// OpenSM's activity report (`activity_report_subjects`, docs/manager.md, Activity report): a file with a
/// line for each thing that the subnet manager did: time, number, name, values. Any thread may call it.
class ActivityReport {
 public:
  /// Reports nothing, whatever is selected.
  ActivityReport() = default;
  /// `time`: the text of this moment. `tell`: gets why the file cannot be written, and that it can be again.
  ActivityReport(std::function<std::string()> time, std::function<void(const std::string&)> tell);

  /// From now on the subjects of these options, in their folder of dump files. The first line opens the file.
  void select(const policy::Options& options);
  /// The file was moved away.
  void reopen();

  void note(const sa::GroupEvent& event);
  void note(const chains::StepReport& step);
  void note(std::span<const fabric::MulticastGroup> trees);
  /// Partitions and their ports that the installation before did not have, and partitions that are gone.
  void note(const sm::Installed& installed);
  /// The manager ends, and its partitions with it.
  void note_end();

 private:
  using Names = std::map<std::uint16_t, std::string>;       ///< by P_Key, without the membership bit
  using Keys = std::map<Guid, std::vector<std::uint16_t>>;  ///< P_Keys of ports, by index; 0: none

  /// Lines of one moment.
  struct Lines;

  Lines lines() const;
  void write(const Lines& lines);
  Result<void> append(const std::string& text);

  const std::function<std::string()> time_;
  const std::function<void(const std::string&)> tell_;
  std::mutex mutex_;
  unsigned subjects_ = 0;  ///< bits
  std::string path_;
  std::unique_ptr<LogSink> file_;
  std::uint64_t lost_ = 0;  ///< lines that could not be written
  Names partitions_;
  Keys keys_;
};

}  // namespace rch::cli
