#include "dumps/rules.h"

#include <array>

namespace rch::dumps {

std::span<const Rule* const> rules() {
  static constexpr std::array kAll{&kBadHeading,   &kBadEntry,      &kTruncatedTables,    &kTableTwice,
                                   &kOwnerDiffers, &kUnknownSwitch, &kMissingTable,       &kPrivateTable,
                                   &kUnownedLids,  &kNoLids,        &kNoForwardingTables, &kUnformedFile,
                                   &kUnknownPort,  &kUnknownLines,  &kUnconfirmedTables};
  return kAll;
}

}  // namespace rch::dumps
