#pragma once

#include "base/diagnostic.h"

namespace rch::policy {

// torus-2QoS.conf (torus-2QoS.conf(5)).
inline constexpr Rule kMissingSize{
    .name = "missing-torus-size",
    .severity = Severity::error,
    .summary = "no `torus` or `mesh` line",
    .opensm = "refuses to route",
    .nvidia = "refuses to route",
    .repair = "start with `torus X Y Z`, the radices",
};
inline constexpr Rule kSizeNotFirst{
    .name = "torus-size-not-first",
    .severity = Severity::error,
    .summary = "a keyword before `torus` or `mesh`",
    .opensm = "takes links that stand before it, and refuses a dateline with a misleading message",
    .nvidia = "takes links that stand before it, and refuses a dateline with a misleading message",
    .repair = "move the `torus` or `mesh` line to the top",
};
inline constexpr Rule kRepeatedSize{
    .name = "repeated-torus-size",
    .severity = Severity::error,
    .summary = "a second `torus` or `mesh` line",
    .opensm = "takes the second one, and a second `mesh` turns meshes into tori",
    .nvidia = "takes the second one, and a second `mesh` turns meshes into tori",
    .repair = "keep one of the lines",
};
inline constexpr Rule kOneDimension{
    .name = "one-dimensional-torus",
    .severity = Severity::note,
    .summary = "a torus of fewer than two dimensions",
    .reason = "rch routes it; a radix may have been forgotten",
    .opensm = "routes the switches of the seed at most",
    .nvidia = "is not known to route it",
    .repair = "write all radices of the fabric",
};
inline constexpr Rule kRepeatedSeedKeyword{
    .name = "repeated-seed-keyword",
    .severity = Severity::error,
    .summary = "a link or dateline that stands twice in one seed",
    .opensm = "takes the last one silently",
    .nvidia = "takes the last one silently",
    .repair = "keep one of them, or put `next_seed` between two seeds",
};
inline constexpr Rule kRepeatedSetting{
    .name = "repeated-setting",
    .severity = Severity::warning,
    .summary = "a setting that stands twice; the last one wins",
    .opensm = "takes the last one silently",
    .nvidia = "takes the last one silently",
    .repair = "keep one of the lines",
};
inline constexpr Rule kRepeatedPort{
    .name = "repeated-port",
    .severity = Severity::warning,
    .summary = "a port that stands twice in `port_order`",
    .opensm = "says nothing",
    .nvidia = "says nothing",
    .repair = "name the port once",
};
inline constexpr Rule kDatelineOutOfRange{
    .name = "dateline-out-of-range",
    .severity = Severity::error,
    .summary = "a dateline outside its dimension",
    .opensm = "refuses the file",
    .nvidia = "refuses the file",
    .repair = "write a number between 1 - radix and radix - 1",
};
inline constexpr Rule kDatelineInMesh{
    .name = "dateline-in-mesh",
    .severity = Severity::note,
    .summary = "a dateline in a dimension that does not wrap",
    .reason = "a seed away from the low corner of a mesh needs one to say where it stands",
    .opensm = "moves the seed and says nothing",
    .nvidia = "moves the seed and says nothing",
    .repair = "nothing, if the seed stands there; else drop the line",
};
inline constexpr Rule kLeadingNextSeed{
    .name = "leading-next-seed",
    .severity = Severity::note,
    .summary = "`next_seed` before the first seed",
    .opensm = "says nothing",
    .nvidia = "says nothing",
    .repair = "drop the line",
};
inline constexpr Rule kEmptySeed{
    .name = "empty-seed",
    .severity = Severity::error,
    .summary = "a seed without links",
    .opensm = "refuses to route",
    .nvidia = "refuses to route",
    .repair = "drop the `next_seed` behind the last seed, or add the links",
};
inline constexpr Rule kMissingSeedLink{
    .name = "missing-seed-link",
    .severity = Severity::error,
    .summary = "a dimension without a seed link",
    .opensm = "refuses to route",
    .nvidia = "refuses to route",
    .repair = "name the link of the seed's switch in that dimension",
};
inline constexpr Rule kRadix4Seed{
    .name = "radix-4-needs-both-links",
    .severity = Severity::error,
    .summary = "a looped dimension of radix 4 with one seed direction only",
    .reason = "the ring itself is a loop of four and cannot be told from a square",
    .opensm = "refuses to route",
    .nvidia = "refuses to route",
    .repair = "add the link in the other direction",
};
inline constexpr Rule kLinkInAbsentDimension{
    .name = "link-in-absent-dimension",
    .severity = Severity::error,
    .summary = "a seed link in a dimension of radix 1",
    .opensm = "ignores the link silently",
    .nvidia = "ignores the link silently",
    .repair = "drop the link, or correct the radix",
};
inline constexpr Rule kSeedLinkToItself{
    .name = "seed-link-to-itself",
    .severity = Severity::error,
    .summary = "a seed link whose ends are one switch",
    .opensm = "does not check it and finds no torus",
    .nvidia = "does not check it and finds no torus",
    .repair = "name the neighbour's node GUID",
};
inline constexpr Rule kSeedSameTarget{
    .name = "seed-links-to-same-switch",
    .severity = Severity::error,
    .summary = "two seed links to the same switch",
    .opensm = "does not check it and finds no torus",
    .nvidia = "does not check it and finds no torus",
    .repair = "name the neighbour in each direction",
};
inline constexpr Rule kSeedOrigins{
    .name = "seed-origins-differ",
    .severity = Severity::error,
    .summary = "links of one seed that start at different switches",
    .opensm = "refuses to route, but does not compare y with z links",
    .nvidia = "refuses to route, but does not compare y with z links",
    .repair = "let all links of a seed start at one switch",
};
inline constexpr Rule kSharedOrigin{
    .name = "seeds-share-origin",
    .severity = Severity::warning,
    .summary = "two seeds that depend on one switch",
    .reason = "seeds are alternatives for a switch that is down",
    .opensm = "says nothing",
    .nvidia = "says nothing",
    .repair = "start the further seed at another switch",
};
inline constexpr Rule kSeedBeyondBorder{
    .name = "seed-beyond-border",
    .severity = Severity::error,
    .summary = "a seed link that leads out of an open dimension",
    .opensm = "does not check it and fails later, or routes what it takes for the torus",
    .nvidia = "does not check it and fails later, or routes what it takes for the torus",
    .repair = "say where the seed stands with a dateline, or turn the link round",
};
inline constexpr Rule kSeedPairDiffers{
    .name = "seed-pair-differs",
    .severity = Severity::error,
    .summary = "two neighbours in a dimension that has room for one",
    .opensm = "does not check it and fails later, or routes what it takes for the torus",
    .nvidia = "does not check it and fails later, or routes what it takes for the torus",
    .repair = "drop one of the links, or correct the radix",
};
inline constexpr Rule kTorusTooLarge{
    .name = "torus-too-large",
    .severity = Severity::error,
    .summary = "a torus of more switches than a subnet has LIDs",
    .opensm = "fails to route, or runs out of memory",
    .nvidia = "fails to route, or runs out of memory",
    .repair = "write the radices of the fabric",
};

inline constexpr const Rule* kTorusRules[] = {
    &kMissingSize,         &kSizeNotFirst,          &kRepeatedSize,     &kOneDimension,
    &kRepeatedSeedKeyword, &kRepeatedSetting,       &kRepeatedPort,     &kDatelineOutOfRange,
    &kDatelineInMesh,      &kLeadingNextSeed,       &kEmptySeed,        &kMissingSeedLink,
    &kRadix4Seed,          &kLinkInAbsentDimension, &kSeedLinkToItself, &kSeedSameTarget,
    &kSeedOrigins,         &kSharedOrigin,          &kSeedBeyondBorder, &kSeedPairDiffers,
    &kTorusTooLarge,
};

}  // namespace rch::policy
