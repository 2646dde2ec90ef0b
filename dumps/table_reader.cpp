#include "dumps/table_reader.h"

#include <algorithm>
#include <charconv>

namespace rch::dumps {
namespace {

/// 10 or more: no digit.
constexpr unsigned decimal_digit(char c) { return static_cast<unsigned char>(c) - unsigned{'0'}; }
/// 16 or more: no digit.
constexpr unsigned hex_digit(char c) {
  if (decimal_digit(c) < 10) return decimal_digit(c);
  const unsigned letter = (static_cast<unsigned char>(c) | 32U) - unsigned{'a'};
  return letter < 6 ? letter + 10 : 16;
}

/// ibdiagnet's `PLFT_NUM: n` names the table that follows.
TableLines::Line read_text(std::string_view line) {
  constexpr std::string_view kPrivate = "PLFT_NUM:";
  if (!line.starts_with(kPrivate)) return TableLines::Line::other;
  line.remove_prefix(std::min(line.find_first_not_of(' ', kPrivate.size()), line.size()));
  unsigned number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc{}) return TableLines::Line::bad;
  return number == 0 ? TableLines::Line::other : TableLines::Line::private_table;
}

}  // namespace

TableLines::Line TableLines::read(std::uint32_t begin, std::uint32_t line_end,
                                  std::vector<std::uint8_t>& ports, OwnersSeen& owners) const {
  const char* at = text_.data() + begin;
  const char* end = text_.data() + line_end;
  if (at < end && end[-1] == '\r') --end;
  if (end - at < 2 || at[0] != '0' || at[1] != 'x')
    return read_text({at, static_cast<std::size_t>(end - at)});
  at += 2;
  constexpr std::ptrdiff_t kMostDigits = 8;
  std::uint32_t lid = 0;
  const char* const first_digit = at;
  for (; at < end && at - first_digit < kMostDigits && hex_digit(*at) < 16; ++at)
    lid = lid << 4U | hex_digit(*at);
  const char* const behind_lid = at;
  while (at < end && (*at == ' ' || *at == ':')) ++at;
  if (behind_lid == first_digit || at == behind_lid || lid >= fabric::kFirstMulticastLid.value)
    return Line::bad;
  const char* const first = at;
  std::uint32_t port = 0;
  for (; at < end && at - first < 4 && decimal_digit(*at) < 10; ++at) port = port * 10 + decimal_digit(*at);
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  if (at == first) return rest.starts_with("UNREACHABLE") ? Line::other : Line::bad;
  if (port > kNoPath || (!rest.empty() && rest.front() != ' ')) return Line::bad;
  if (lid >= ports.size())
    ports.resize(std::max<std::size_t>(lid + std::size_t{1}, ports.size() * 2), kNoPath);
  ports[lid] = static_cast<std::uint8_t>(port);
  return read_comment(lid, begin, rest, owners);
}

/// ` # Channel Adapter portguid 0x0002c90300010001: 'host'`
TableLines::Line TableLines::read_comment(std::uint32_t lid, std::uint32_t begin, std::string_view comment,
                                          OwnersSeen& owners) const {
  constexpr std::string_view kKey = " portguid 0x";
  if (comment.size() < 3 || (comment[1] != '#' && comment[3] != '(')) return Line::entry;
  const std::size_t found = comment.find(kKey);
  if (found == std::string_view::npos) return Line::entry;
  std::uint64_t guid = 0;
  const char* const digits = comment.data() + found + kKey.size();
  const auto [end, error] = std::from_chars(digits, comment.data() + comment.size(), guid, 16);
  if (error != std::errc{}) return Line::bad;
  return owners.add(lid, Guid(guid), begin) ? Line::entry : Line::conflict;
}

}  // namespace rch::dumps
