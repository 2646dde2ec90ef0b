#include "report/arrays.h"

#include <zlib.h>

#include <stdexcept>

namespace rch::report {
namespace {

/// Twice the size of the next level costs less time than it saves: tables of trees shrink to a tenth at any.
constexpr int kLevel = 4;

std::string compressed(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kLevel);
  if (status != Z_OK) throw std::runtime_error("zlib cannot compress the tables of the report");
  out.resize(size);
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : std::uint8_t{0};
    };
    const std::uint32_t group = std::uint32_t{byte(0)} << 16U | std::uint32_t{byte(1)} << 8U | byte(2);
    for (unsigned k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kDigits[group >> (18U - 6U * k) & 63U] : '=';
  }
  return text;
}

}  // namespace

std::string Arrays::text() const { return base64(compressed(bytes_)); }

}  // namespace rch::report
