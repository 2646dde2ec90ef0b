#include "cli/show/as_text.h"

#include <fmt/format.h>

namespace rch::cli {
namespace {

std::string scalar(const Json& value) { return value.string() != nullptr ? *value.string() : value.dump(); }

bool plain(const Json& value) { return !value.is_structured() || value.empty(); }

void write(const Json& value, std::size_t depth, std::string& out);

/// `key: value` on one line, or the members of the value below the key.
void write_member(std::string_view key, const Json& value, std::size_t depth, std::string& out) {
  if (plain(value)) {
    out +=
        value.is_structured() ? fmt::format("{}: none\n", key) : fmt::format("{}: {}\n", key, scalar(value));
    return;
  }
  out += fmt::format("{}:\n", key);
  write(value, depth + 1, out);
}

void write(const Json& value, std::size_t depth, std::string& out) {
  const std::string indent(2 * depth, ' ');
  if (value.members() != nullptr) {
    for (const auto& [key, member] : *value.members()) {
      out += indent;
      write_member(key, member, depth, out);
    }
    return;
  }
  for (const Json& item : *value.elements()) {
    if (plain(item)) {
      out += fmt::format("{}- {}\n", indent, scalar(item));
      continue;
    }
    std::string block;
    write(item, depth + 1, block);
    block[indent.size()] = '-';
    out += block;
  }
}

}  // namespace

std::string as_text(const Json& document) {
  std::string out;
  write(document, 0, out);
  return out;
}

}  // namespace rch::cli
