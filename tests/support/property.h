#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <rapidcheck.h>

// Properties without a template of their own: rc::check() compiles some 0.7 s of templates for each lambda,
// these functions compile them once.

namespace rch::test {

/// True if `body` holds for all that RapidCheck draws. The body draws with *rc::gen::…, or takes a random
/// number.
[[nodiscard]] bool check(const std::function<void()>& body);
[[nodiscard]] bool check(const std::string& description, const std::function<void()>& body);
[[nodiscard]] bool check(const std::function<void(std::uint64_t)>& body);

}  // namespace rch::test

// What bodies draw most, compiled once too.
extern template class rc::Gen<bool>;
extern template class rc::Gen<int>;
extern template class rc::Gen<std::uint8_t>;
extern template class rc::Gen<std::uint32_t>;
extern template class rc::Gen<std::uint64_t>;
namespace rc::gen {
extern template Gen<int> inRange<int>(int, int);
extern template Gen<std::uint8_t> inRange<std::uint8_t>(std::uint8_t, std::uint8_t);
extern template Gen<std::uint32_t> inRange<std::uint32_t>(std::uint32_t, std::uint32_t);
extern template Gen<std::uint64_t> inRange<std::uint64_t>(std::uint64_t, std::uint64_t);
extern template Gen<bool> arbitrary<bool>();
extern template Gen<std::uint64_t> arbitrary<std::uint64_t>();
}  // namespace rc::gen
