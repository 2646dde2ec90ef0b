#include "fabric/db_csv_file.h"

#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "fabric/db_csv_sections.h"
#include "fabric/formats.h"

namespace rch::fabric {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

/// Keeps the lines of the sections that are read, and of all others only their ends.
class Condenser {
 public:
  void add_line(std::string_view line) {
    const std::string_view mark = line.substr(0, line.find_last_not_of(" \r\n") + 1);
    if (is_section_mark(mark)) {
      text_ += line;
      skipping_ = mark.starts_with("START_") && !is_read_section(mark.substr(6));
    } else if (!skipping_) {
      text_ += line;
    } else if (line.ends_with('\n')) {
      text_ += '\n';
    }
  }
  std::string& text() { return text_; }

 private:
  std::string text_;
  bool skipping_ = false;
};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// False if the file cannot be read to its end.
bool condense(std::FILE* file, Condenser& out) {
  std::string buffer;
  std::size_t partial = 0;  // bytes of a line whose end is still to come
  while (true) {
    buffer.resize(partial + kChunk);
    const std::size_t got = std::fread(buffer.data() + partial, 1, kChunk, file);
    const std::string_view content(buffer.data(), partial + got);
    std::size_t begin = 0;
    for (std::size_t end = content.find('\n', partial); end != std::string_view::npos;
         end = content.find('\n', begin)) {
      out.add_line(content.substr(begin, end + 1 - begin));
      begin = end + 1;
    }
    if (got == 0) {
      out.add_line(content.substr(begin));
      return std::ferror(file) == 0;
    }
    partial = content.size() - begin;
    std::memmove(buffer.data(), buffer.data() + begin, partial);
  }
}

/// A FIFO must not be opened twice.
bool is_large_file(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed) && std::filesystem::file_size(path, failed) > kChunk;
}

bool holds_tables(std::FILE* file) {
  std::string head(std::size_t{1} << 16, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file));
  std::rewind(file);
  const Format format = recognise(head);
  return format == Format::db_csv || format == Format::smdb;
}

}  // namespace

Result<SourceId> load_fabric_text(SourceSet& sources, const std::filesystem::path& path) {
  if (!is_large_file(path)) return sources.load(path);
  const File file(std::fopen(path.c_str(), "re"), &std::fclose);
  if (!file || !holds_tables(file.get())) return sources.load(path);
  Condenser condenser;
  if (!condense(file.get(), condenser) ||
      condenser.text().size() >= std::numeric_limits<std::uint32_t>::max())
    return sources.load(path);  // says why
  return sources.add(path.string(), std::move(condenser.text()));
}

}  // namespace rch::fabric
