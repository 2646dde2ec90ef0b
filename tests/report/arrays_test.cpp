#include "report/arrays.h"

#include <zlib.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rch::report {
namespace {

std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<std::uint32_t>(kDigits.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xFFU);
  }
  return bytes;
}

std::string unpacked(const std::string& text, std::size_t size) {
  const std::string packed = from_base64(text);
  std::string out(size + 1, '\0');
  uLongf length = out.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  out.resize(length);
  return out;
}

RC_GTEST_PROP(ArraysProperty, WhatIsPackedUnpacksToTheSame,
              (std::vector<std::uint8_t> bytes, std::vector<std::uint32_t> words,
               std::vector<std::uint64_t> longs)) {
  Arrays arrays;
  arrays.add("bytes", bytes);
  arrays.add("words", words);
  arrays.add("longs", longs);
  const auto index = arrays.index();
  RC_ASSERT(index.size() == 3U);
  const std::string all = unpacked(arrays.text(), index[2].offset + longs.size() * 8);
  const auto same = [&](const Arrays::Entry& entry, const auto& values) {
    return entry.offset % entry.size == 0 && entry.count == values.size() &&
           (values.empty() ||
            std::memcmp(all.data() + entry.offset, values.data(), values.size() * entry.size) == 0);
  };
  RC_ASSERT(same(index[0], bytes) && same(index[1], words) && same(index[2], longs));
}

TEST(Arrays, SayWhatTheirElementsAre) {
  Arrays arrays;
  arrays.add("a", std::vector<float>{1.5F});
  arrays.add("b", std::vector<std::uint16_t>{1, 2});
  EXPECT_EQ(arrays.index()[0].type, 'f');
  EXPECT_EQ(arrays.index()[1].type, 'u');
  EXPECT_EQ(arrays.index()[1].size, 2U);
}

}  // namespace
}  // namespace rch::report
