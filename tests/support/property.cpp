#include "support/property.h"

namespace rch::test {

bool check(const std::function<void()>& body) {
  return rc::check([&body] { body(); });
}

bool check(const std::string& description, const std::function<void()>& body) {
  return rc::check(description, [&body] { body(); });
}

bool check(const std::function<void(std::uint64_t)>& body) {
  return rc::check([&body](std::uint64_t number) { body(number); });
}

}  // namespace rch::test

template class rc::Gen<bool>;
template class rc::Gen<int>;
template class rc::Gen<std::uint8_t>;
template class rc::Gen<std::uint32_t>;
template class rc::Gen<std::uint64_t>;
namespace rc::gen {
template Gen<int> inRange<int>(int, int);
template Gen<std::uint8_t> inRange<std::uint8_t>(std::uint8_t, std::uint8_t);
template Gen<std::uint32_t> inRange<std::uint32_t>(std::uint32_t, std::uint32_t);
template Gen<std::uint64_t> inRange<std::uint64_t>(std::uint64_t, std::uint64_t);
template Gen<bool> arbitrary<bool>();
template Gen<std::uint64_t> arbitrary<std::uint64_t>();
}  // namespace rc::gen
