#include "fabric/rules.h"

#include <array>

#include "fabric/db_csv_rules.h"
#include "fabric/folder_rules.h"

namespace rch::fabric {

std::span<const Rule* const> rules() {
  static constexpr std::array kAll{
      &kUnknownFormat,    &kEmptyFabric,      &kTruncated,      &kNulByte,         &kByteOrderMark,
      &kUnknownLine,      &kUnsupportedLine,  &kForeignLine,    &kStrayLine,       &kBadNumber,
      &kBadNode,          &kZeroPortGuid,     &kBadLink,        &kUnknownRate,     &kNoCommonRate,
      &kDuplicateId,      &kDuplicateGuid,    &kPortOutOfRange, &kPortUsedTwice,   &kUnknownPeer,
      &kOneSidedLink,     &kEndsDisagree,     &kNodeDiffers,    &kGuidDiffers,     &kLinksListedOnce,
      &kUnlinkedNode,     &kLidConflict,      &kBadSnapshot,    &kDumpBadSwitch,   &kDumpBadEntry,
      &kDumpMulticast,    &kDumpEmpty,        &kBadLidRecord,   &kHiddenLidRecord, &kLidRecordConflict,
      &kBadNeighbor,      &kOpenSection,      &kCutTail,        &kMissingSection,  &kAbsentSection,
      &kCsvMissingColumn, &kAbsentColumn,     &kDoubledColumn,  &kCsvBadRow,       &kCsvBadValue,
      &kNoValue,          &kRowOfUnknownNode, &kCsvRepeated,    &kMissingRows,     &kDownCable,
      &kNoCable,          &kManagementCables, &kPlanes,         &kOutsideSection,  &kUnknownSection,
      &kUnconfirmedForm,  &kFolderFile,       &kMixedFolder,    &kMoreFindings};
  return kAll;
}

}  // namespace rch::fabric
