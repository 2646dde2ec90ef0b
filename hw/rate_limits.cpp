#include "hw/rate_limits.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "hw/causes.h"
#include "hw/inquiry.h"

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

Image question(PortId port) { return {port, Attribute::general_info, general_info::kCapabilities, {}, {}}; }

std::vector<PortId> ports_of(const LiveFabric& live, const fabric::RateLimitTables& target) {
  std::vector<PortId> ports;
  for (std::uint32_t p = 0; p < target.port_count(); ++p)
    if (const PortId port(p); target.at(port) != nullptr && live.info(port).state > PortState::down)
      ports.push_back(port);
  return ports;
}

/// Ports that may hold limits, and those of them that have to be asked.
struct Candidates {
  std::vector<Image> all;
  std::vector<std::size_t> asked;  ///< indices
  std::vector<SmpRequest> questions;
};

Candidates candidates(const LiveFabric& live, const fabric::RateLimitTables& target,
                      const WrittenTables* written) {
  const KnownTables known(live, written);
  Candidates found;
  for (const PortId port : ports_of(live, target)) {
    if (live.fabric.node(live.fabric.port(port).node).vendor_id != kKnownVendor) continue;
    Image image = question(port);
    if (const SmpData* said = known.block(image)) {
      image.data = *said;
    } else {
      found.asked.push_back(found.all.size());
      found.questions.push_back(request_to(live, port, image.attribute, image.modifier, found.asked.size()));
    }
    found.all.push_back(image);
  }
  return found;
}

}  // namespace

Task<Result<std::vector<Image>>> read_rate_support(Exchange& exchange, const LiveFabric& live,
                                                   const fabric::RateLimitTables& target,
                                                   const WrittenTables* written) {
  if (target.empty()) co_return std::vector<Image>();
  const auto begin = [&] { return candidates(live, target, written); };
  Candidates found = co_await exchange.work(begin);
  if (found.questions.empty()) co_return std::move(found.all);
  const auto answers = co_await ask(exchange, std::move(found.questions));
  if (!answers) co_return tl::unexpected(answers.error());
  std::optional<Error> silent;
  for (std::size_t i = 0; i < found.asked.size(); ++i) {
    Image& image = found.all[found.asked[i]];
    if ((*answers)[i].good()) image.data = (*answers)[i].data;
    if ((*answers)[i].answered) continue;
    const std::string how = " does not answer when it is asked for rate limits";
    note_fault(live, image.port, false, how);
    if (!silent) silent = error_of(causes::kNoAnswer, describe_port(live, image.port) + how);
  }
  if (silent) co_return tl::unexpected(*silent);
  co_return std::move(found.all);
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
