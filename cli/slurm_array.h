#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace rch::cli {

/// A command that Slurm runs as the tasks of a job array. Task I of N gets `--shard I/N`, and writes its
/// result to the file I.json of the folder.
struct SlurmArray {
  std::string folder;  ///< absolute; the nodes have it, too
  std::uint64_t tasks = 1;
  std::vector<std::string> command;  ///< without `--shard` and `-o`
  std::vector<std::string> options;  ///< of sbatch, from the operator
};

/// The file of a task, from 1.
std::string result_file(const SlurmArray& array, std::uint64_t task);

/// The text that sbatch gets. Exit code 1 of the command, findings, is no failure of a task.
std::string batch_script(const SlurmArray& array);

/// Runs the tasks whose result is not there, and waits for them. Tasks of an earlier call that still run or
/// wait are waited for, and not submitted again. Tasks that end without a result are submitted again, twice.
///
/// `is_there`: tells whether the result of a task is in its file, and fails if that file must not be used.
/// `tell`: gets lines for people, as things go on. Fails as `is_there` does; (usage) when Slurm refuses, or
/// does not answer for minutes, or a task has ended without a result three times. After a failure a further
/// call goes on.
Result<void> run_array(const SlurmArray& array,
                       const std::function<Result<bool>(std::uint64_t task)>& is_there,
                       const std::function<void(const std::string& line)>& tell);

}  // namespace rch::cli
