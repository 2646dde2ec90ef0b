#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"

namespace rch {

/// One text known to a SourceSet.
using SourceId = Id<struct SourceTag, std::uint32_t>;

/// Half-open byte range of one source text. Empty at `begin` means "here".
struct Span {
  SourceId source = SourceId::none();
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

/// 1-based place of a byte in its text; `column` counts bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// One file (or text in memory) with its line starts.
class SourceText {
 public:
  SourceText(std::string name, std::string text);

  /// Path as the user gave it, or a name such as `<stdin>`.
  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  Position position(std::uint32_t offset) const;
  /// Overwrites these bytes with `*`, line ends excepted.
  void hide(std::uint32_t begin, std::uint32_t end);
  /// Line `line` (1-based) without its line end; empty past the last line.
  std::string_view line(std::uint32_t line) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

/// Owns every text read in one run, so that spans stay small and diagnostics can quote them.
/// Addresses of texts are stable.
class SourceSet {
 public:
  /// Adds text from memory (an editor's buffer, a test).
  SourceId add(std::string name, std::string text);
  /// From now on load() of this path (lexically normal) gives `text` in place of the file: an editor's
  /// unsaved buffer, an example.
  void provide(const std::filesystem::path& path, std::string text);
  /// From now on load() finds nothing but what was provided.
  void seal() { sealed_ = true; }
  /// Reads a file or FIFO; `-` is standard input. Fails (usage) with the reason for a missing file, a folder,
  /// a FIFO that nobody writes into, no permission, or more than 4 GiB.
  Result<SourceId> load(const std::filesystem::path& path);

  /// Overwrites these bytes with `*`, so that no finding can quote them: a secret that a file holds.
  void hide(Span span) { texts_[span.source.index()].hide(span.begin, span.end); }

  /// Frees a text that no span points into any more; it is empty from now on.
  void forget(SourceId id);

  /// True if load() would find something at the path.
  bool exists(const std::filesystem::path& path) const;

  const SourceText& at(SourceId id) const { return texts_[id.index()]; }
  std::string_view text(Span span) const;
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<SourceText> texts_;
  std::map<std::filesystem::path, std::string> provided_;
  bool sealed_ = false;
};

/// Whole content of a file; `-` and errors as SourceSet::load.
Result<std::string> read_file(const std::filesystem::path& path);

/// Replaces `path` by `content` through a temporary file and a rename, so that a reader (or a crash) sees the
/// old or the new file and nothing between; its mode stays. A device, pipe or link is written through.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace rch
