#include "hw/rate_limits.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "hw/causes.h"
#include "hw/vendor_answers.h"

namespace rch::hw {
namespace {

constexpr std::uint32_t kKnownVendor = 0x0002C9;  ///< NVIDIA, formerly Mellanox

/// QosConfigSL: a word for each SL.
constexpr auto kLimits = [] {
  std::array<Field, 16> fields{};
  for (std::size_t sl = 0; sl < fields.size(); ++sl)
    fields[sl] = {static_cast<std::uint16_t>(4 * sl + 1), 4, 20};
  return fields;
}();
constexpr std::uint32_t kMost = (1U << 20U) - 1;  ///< Mbit/s, more than a link carries
constexpr auto kShares = [] {
  std::array<Field, 16> fields{};
  for (std::size_t sl = 0; sl < fields.size(); ++sl) fields[sl] = {static_cast<std::uint16_t>(4 * sl), 0, 12};
  return fields;
}();

std::vector<PortId> ports_of(const LiveFabric& live, const fabric::RateLimitTables& target) {
  std::vector<PortId> ports;
  for (std::uint32_t p = 0; p < target.port_count(); ++p)
    if (const PortId port(p); target.at(port) != nullptr && live.info(port).state > PortState::down)
      ports.push_back(port);
  return ports;
}

/// To ports that may hold limits.
std::vector<Image> questions(const LiveFabric& live, const fabric::RateLimitTables& target) {
  std::vector<Image> questions;
  for (const PortId port : ports_of(live, target))
    if (live.fabric.node(live.fabric.port(port).node).vendor_id == kKnownVendor)
      questions.push_back({port, Attribute::general_info, general_info::kCapabilities, {}, {}});
  return questions;
}

}  // namespace

Task<Result<std::vector<Image>>> read_rate_support(Exchange& exchange, const LiveFabric& live,
                                                   const fabric::RateLimitTables& target,
                                                   const WrittenTables* written) {
  auto answers = co_await ask_vendor(exchange, live, questions(live, target), written);
  if (!answers) co_return tl::unexpected(answers.error());
  const std::string how = " does not answer when it is asked for rate limits";
  for (const PortId port : answers->silent) note_fault(live, port, false, how);
  if (!answers->silent.empty())
    co_return tl::unexpected(error_of(causes::kNoAnswer, describe_port(live, answers->silent.front()) + how));
  co_return std::move(answers->said);
}

std::vector<Image> rate_blocks(const LiveFabric& live, const fabric::RateLimitTables& target,
                               const std::vector<Image>& support) {
  std::vector<Image> blocks;
  for (const Image& says : support) {
    if (get(says.data, general_info::kRateLimits) == 0) continue;
    Image block{says.port, Attribute::rate_limits, live.fabric.port(says.port).number.value, {}, kLimits};
    const fabric::RateLimits& limits = *target.at(says.port);
    for (std::size_t sl = 0; sl < limits.size(); ++sl)
      set(block.data, kLimits[sl], std::min(limits[sl], kMost));
    blocks.push_back(block);
  }
  return blocks;
}

void keep_shares(Image& block, const SmpData& installed) {
  for (const Field share : kShares) set(block.data, share, get(installed, share));
}

std::string remark_on_unable(const LiveFabric& live, const fabric::RateLimitTables& target,
                             const std::vector<Image>& blocks) {
  if (target.empty()) return {};
  std::vector<PortId> able;
  for (const Image& block : blocks)
    if (block.attribute == Attribute::rate_limits) able.push_back(block.port);
  std::size_t missing = 0;
  PortId first = PortId::none();
  for (const PortId port : ports_of(live, target)) {
    const bool limited = std::ranges::any_of(*target.at(port), [](std::uint32_t rate) { return rate != 0; });
    if (!limited || std::ranges::binary_search(able, port)) continue;
    if (missing++ == 0) first = port;
  }
  if (missing == 0) return {};
  return fmt::format("rate limits are not in effect at {}, such as {}: {} cannot hold any",
                     counted(missing, "port"), describe_port(live, first), missing == 1 ? "it" : "they");
}

}  // namespace rch::hw
