#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "fabric/multicast.h"

namespace rch::dumps {

/// The ports that own LIDs, by the comments of entries. All tables of a file must agree.
class OwnersSeen {
 public:
  struct Seen {
    Guid port;
    std::uint32_t line = 0;  ///< offset of the first entry that says so
  };
  /// False: another entry says that the LID belongs to another port.
  bool add(std::uint32_t lid, Guid port, std::uint32_t line) {
    if (lid >= by_lid_.size()) by_lid_.resize(lid + std::size_t{1});
    Seen& seen = by_lid_[lid];
    if (seen.port == Guid{}) seen = {port, line};
    return seen.port == port;
  }
  /// By LID; a GUID of 0 where no entry names an owner.
  const std::vector<Seen>& by_lid() const { return by_lid_; }

 private:
  std::vector<Seen> by_lid_;
};

/// Reads lines of forwarding tables, byte by byte: large files have some 20 million entries.
class TableLines {
 public:
  enum class Line : std::uint8_t {
    entry,          ///< that counts
    other,          ///< text for the reader's eyes
    bad,            ///< an entry that cannot be read
    conflict,       ///< an entry whose LID belongs to another port elsewhere
    private_table,  ///< `PLFT_NUM: n`: what follows is a private forwarding table
  };

  explicit TableLines(std::string_view text) : text_(text) {}

  /// Offset of the end of the line that begins at `at`, without its line end.
  std::uint32_t line_end(std::uint32_t at) const {
    const void* found = std::memchr(text_.data() + at, '\n', text_.size() - at);
    return static_cast<std::uint32_t>(
        found == nullptr ? text_.size()
                         : static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()));
  }
  /// Reads the line [begin, end) into a table, by LID.
  Line read(std::uint32_t begin, std::uint32_t end, std::vector<std::uint8_t>& ports,
            OwnersSeen& owners) const;

 private:
  Line read_comment(std::uint32_t lid, std::uint32_t begin, std::string_view comment,
                    OwnersSeen& owners) const;

  std::string_view text_;
};

}  // namespace rch::dumps
