#include "sa/class_port_info.h"

namespace rch::sa {
namespace {

using hw::Field;
constexpr std::size_t kSize = 72;
constexpr Field kBaseVersion{0, 0, 8}, kVersionOfClass{1, 0, 8}, kCapabilities{2, 0, 16};
constexpr Field kCapabilities2High{4, 0, 16}, kCapabilities2Low{6, 0, 8}, kCapabilities2Last{7, 0, 3};
constexpr Field kResponseTime{7, 3, 5};
constexpr Field kRedirectQueuePair{33, 0, 24}, kRedirectQKey{36, 0, 32};

/// CapabilityMask.
constexpr unsigned kOptionalRecords = 1U << 8, kMulticast = 1U << 9, kMultiPath = 1U << 10,
                   kMatchesCapabilities = 1U << 13;
/// CapabilityMask2, 27 bits.
constexpr unsigned kQos = 1U << 1, kMulticastTop = 1U << 3, kAliasGuids = 1U << 5,
                   kSendOnlyFullMember = 1U << 12, kWholePortInfo = 1U << 6, kExtendedSpeeds = 1U << 7,
                   kHalfWidth = 1U << 13, kHdr = 1U << 15, kNdr = 1U << 17;

/// Answers take at most 4.096 us x 2^18, a second: what osmtest waits.
constexpr std::uint8_t kAnswerTime = 18;

}  // namespace

Answer answer_class_port_info(const Snapshot& snapshot) {
  Answer answer{.record_size = kSize, .records = std::vector<std::uint8_t>(kSize)};
  const std::span<std::uint8_t> record(answer.records);
  const unsigned more = kMulticastTop | kAliasGuids | kSendOnlyFullMember | kWholePortInfo | kExtendedSpeeds |
                        kHalfWidth | kHdr | kNdr | (snapshot.qos ? kQos : 0U);
  set(record, kBaseVersion, 1);
  set(record, kVersionOfClass, kClassVersion);
  set(record, kCapabilities, kOptionalRecords | kMulticast | kMultiPath | kMatchesCapabilities);
  set(record, kCapabilities2High, more >> 11);
  set(record, kCapabilities2Low, more >> 3);
  set(record, kCapabilities2Last, more);
  set(record, kResponseTime, kAnswerTime);
  set(record, kRedirectQueuePair, 1);
  set(record, kRedirectQKey, kQKey);
  return answer;
}

}  // namespace rch::sa
