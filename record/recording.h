#pragma once

#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/record.h"

struct ZSTD_DCtx_s;

namespace rch::record {

/// Reads one file of a recording.
class RecordReader {
 public:
  /// Fails (usage) when it does not begin like a recording.
  static Result<RecordReader> open(std::unique_ptr<std::istream> in);

  std::uint64_t session() const { return session_; }
  std::uint32_t number() const { return number_; }
  /// The next record. None: the end, or what follows is damaged.
  std::optional<Record> next();
  /// Why next() found no record; empty: the file ends there.
  const std::string& damage() const { return damage_; }

 private:
  explicit RecordReader(std::unique_ptr<std::istream> in);
  bool read_chunk();
  bool unpack(const std::string& chunk);

  std::unique_ptr<std::istream> in_;
  std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> unpacker_;
  std::uint64_t session_ = 0, chunks_ = 0;
  std::uint32_t number_ = 0;
  std::string records_;
  std::string_view left_;  ///< of `records_`
  std::string damage_;
};

/// One session: all its files, from the first.
class Recording {
 public:
  /// The session of `file`, with the files of the ring that belong to it. Fails (usage) when `file` is no
  /// recording, or the session is not whole: files of it were removed.
  static Result<Recording> open(const std::filesystem::path& file);

  /// The next record, from Started to the end. None: the end.
  std::optional<Record> next();
  /// After the end: empty if the manager ended there, else what is missing.
  const std::string& missing() const { return missing_; }

 private:
  explicit Recording(std::vector<std::filesystem::path> files) : files_(std::move(files)) {}
  std::string ends_early(const std::string& why) const;

  std::vector<std::filesystem::path> files_;
  std::size_t opened_ = 0;
  std::optional<RecordReader> reader_;
  std::string missing_;
};

}  // namespace rch::record
