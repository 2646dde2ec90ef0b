#include "dumps/scan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "dumps/heading.h"
#include "dumps/table_reader.h"

namespace rch::dumps {
namespace {

using Line = TableLines::Line;

/// An open file, closed at the end.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& file) : fd_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// Of a regular file; nothing of any other.
  std::optional<std::size_t> size() const {
    struct stat status {};
    if (fd_ < 0 || ::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return static_cast<std::size_t>(status.st_size);
  }
  /// False unless all `count` bytes come.
  bool read(char* to, std::size_t count, std::size_t from) const {
    while (count > 0) {
      const ssize_t got = ::pread(fd_, to, count, static_cast<off_t>(from));
      if (got <= 0) return false;
      to += got, from += static_cast<std::size_t>(got), count -= static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  int fd_;
};

/// A table, or the part of one whose heading is in an earlier piece.
struct Part {
  Guid sw;
  bool is_unicast = false;  ///< a line says so
  std::vector<std::uint8_t> ports;
};

/// What the lines that begin in one piece of the file hold.
struct Piece {
  std::vector<Part> parts =
      std::vector<Part>(1);  ///< the first belongs to the last table of the piece before
  OwnersSeen owners;
  bool good = true;
};

/// A line that is no entry. False: it is unusual.
bool take_text(std::string_view line, Piece& piece) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with("Multicast mlids") || line.starts_with("LID    : Out Port")) return false;
  if (line.starts_with("LID    : Port")) piece.parts.back().is_unicast = true;
  const bool of_dump = line.starts_with("Unicast lids");
  if (!of_dump && line.find("Switch 0x") == std::string_view::npos) return true;
  const auto guid = guid_behind(line, of_dump ? " guid 0x" : "Switch 0x");
  if (guid) piece.parts.push_back({*guid, of_dump, {}});
  return guid.has_value();
}

/// Reads the lines that begin in the first `own` bytes of a text, from `begin` on.
void take_lines(std::string_view text, std::size_t begin, std::size_t own, Piece& piece) {
  const TableLines lines(text);
  for (auto at = static_cast<std::uint32_t>(begin); at < own && piece.good;) {
    const std::uint32_t end = lines.line_end(at);
    switch (lines.read(at, end, piece.parts.back().ports, piece.owners)) {
      case Line::entry:
        break;
      case Line::other:
        if (text[at] != '0') piece.good = take_text(text.substr(at, end - at), piece);
        break;
      case Line::bad:
      case Line::conflict:
      case Line::private_table:
        piece.good = false;
        break;
    }
    at = end + 1;
  }
}

/// Adds entries to a table; where both have one, the later one counts.
void append(std::vector<std::uint8_t>& ports, const std::vector<std::uint8_t>& more) {
  if (ports.size() < more.size()) ports.resize(more.size(), kNoPath);
  for (std::size_t lid = 0; lid < more.size(); ++lid)
    if (more[lid] != kNoPath) ports[lid] = more[lid];
}

std::optional<UnicastDump> joined(std::vector<Piece>& pieces) {
  UnicastDump dump;
  OwnersSeen owners;
  std::vector<bool> confirmed;
  for (Piece& piece : pieces) {
    for (std::size_t lid = 0; lid < piece.owners.by_lid().size(); ++lid)
      if (const Guid port = piece.owners.by_lid()[lid].port; port != Guid{})
        if (!owners.add(static_cast<std::uint32_t>(lid), port, 0)) return std::nullopt;
    for (std::size_t i = 0; i < piece.parts.size(); ++i) {
      Part& part = piece.parts[i];
      if (i > 0) {
        dump.tables.push_back({part.sw, {}, std::move(part.ports)});
        confirmed.push_back(part.is_unicast);
      } else if (!dump.tables.empty()) {
        append(dump.tables.back().ports, part.ports);
        if (part.is_unicast) confirmed.back() = true;
      } else if (!part.ports.empty()) {
        return std::nullopt;
      }
    }
  }
  if (dump.tables.empty() || std::ranges::find(confirmed, false) != confirmed.end()) return std::nullopt;
  for (std::size_t lid = 0; lid < owners.by_lid().size(); ++lid)
    if (const Guid port = owners.by_lid()[lid].port; port != Guid{})
      dump.owners.push_back({Lid(static_cast<std::uint16_t>(lid)), port, {}});
  return dump;
}

}  // namespace

std::optional<UnicastDump> scan_unicast(const std::filesystem::path& file, std::size_t piece) {
  constexpr std::size_t kLongestLine = 4096;
  const OpenFile open(file);
  const auto size = open.size();
  if (!size || *size == 0) return std::nullopt;
  std::vector<Piece> pieces((*size + piece - 1) / piece);
  tbb::enumerable_thread_specific<std::string> buffers;
  parallel_ranges(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    std::string& buffer = buffers.local();
    for (std::size_t p = first; p < last; ++p) {
      // From the byte before, which tells whether a line begins here, to the end of the last line that does.
      const std::size_t from = p == 0 ? 0 : p * piece - 1, to = std::min((p + 1) * piece, *size);
      const std::size_t count = std::min(to + kLongestLine, *size) - from;
      buffer.resize(count);
      pieces[p].good = open.read(buffer.data(), count, from);
      const std::string_view text(buffer.data(), count);
      const std::size_t begin = p == 0 ? 0 : text.find('\n') + 1;  // 0: none
      const std::size_t own = to - from, last_line = text.find('\n', own == 0 ? 0 : own - 1);
      if (last_line == std::string_view::npos || (p > 0 && begin == 0)) pieces[p].good = false;
      if (pieces[p].good) take_lines(text, begin, own, pieces[p]);
    }
  });
  if (!std::ranges::all_of(pieces, &Piece::good)) return std::nullopt;
  return joined(pieces);
}

}  // namespace rch::dumps
