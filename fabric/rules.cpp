#include "fabric/rules.h"

#include <array>

namespace rch::fabric {

std::span<const Rule* const> rules() {
  static constexpr std::array kAll{
      &kUnknownFormat, &kEmptyFabric,     &kTruncated,       &kNulByte,           &kByteOrderMark,
      &kUnknownLine,   &kUnsupportedLine, &kForeignLine,     &kStrayLine,         &kBadNumber,
      &kBadNode,       &kZeroPortGuid,    &kBadLink,         &kUnknownRate,       &kNoCommonRate,
      &kDuplicateId,   &kDuplicateGuid,   &kPortOutOfRange,  &kPortUsedTwice,     &kUnknownPeer,
      &kOneSidedLink,  &kEndsDisagree,    &kNodeDiffers,     &kLinksListedOnce,   &kUnlinkedNode,
      &kLidConflict,   &kBadSnapshot,     &kDumpBadSwitch,   &kDumpBadEntry,      &kDumpMulticast,
      &kDumpEmpty,     &kBadLidRecord,    &kHiddenLidRecord, &kLidRecordConflict, &kBadNeighbor,
      &kMoreFindings};
  return kAll;
}

}  // namespace rch::fabric
