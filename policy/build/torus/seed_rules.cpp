#include "policy/build/torus/seed_rules.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "policy/lint/rules/torus.h"

namespace rch::policy {
namespace {

using parsers::torus_conf::Size;

constexpr char kAxisNames[] = {'x', 'y', 'z'};

std::string keyword_of(std::size_t slot) {
  return fmt::format("{}{}_link", kAxisNames[slot / 2], slot % 2 == 0 ? 'p' : 'm');
}

/// A dimension that closes to a ring: radix 2 never does.
bool loops(const Size& size, std::size_t axis) { return size.wraps[axis] && size.radix[axis].value > 2; }

void check_dimension(const Seed& seed, std::size_t number, const Size& size, std::size_t axis,
                     Diagnostics& diagnostics) {
  const auto& plus = seed.links[axis * 2];
  const auto& minus = seed.links[axis * 2 + 1];
  const std::uint64_t radix = size.radix[axis].value;
  if (radix == 1) {
    for (const auto* link : {&plus, &minus})
      if (*link)
        diagnostics
            .add(kLinkInAbsentDimension, (*link)->keyword,
                 fmt::format("a link in {}, whose radix is 1", kAxisNames[axis]))
            .labels.push_back({size.radix[axis].span, "the radix"});
    return;
  }
  if (seed.damaged) return;
  if (!plus && !minus) {
    diagnostics
        .add(kMissingSeedLink, seed.place,
             fmt::format("seed {} has no link in {}, whose radix is {}", number + 1, kAxisNames[axis], radix))
        .hint = fmt::format("add `{}` or `{}`", keyword_of(axis * 2), keyword_of(axis * 2 + 1));
    return;
  }
  if (radix == 4 && loops(size, axis) && (!plus || !minus)) {
    const std::size_t missing = axis * 2 + (plus ? 1 : 0);
    Diagnostic& d = diagnostics.add(
        kRadix4Seed, (plus ? plus : minus)->keyword,
        fmt::format("seed {} has `{}` only; a looped dimension of radix 4 needs both directions", number + 1,
                    keyword_of(axis * 2 + (plus ? 0 : 1))));
    d.labels.push_back({size.radix[axis].span, fmt::format("{} is looped with radix 4", kAxisNames[axis])});
    d.hint = fmt::format("add `{}`", keyword_of(missing));
  }
}

void check_dateline(const Seed& seed, const Size& size, std::size_t axis, Diagnostics& diagnostics) {
  if (!seed.datelines[axis]) return;
  const auto& dateline = *seed.datelines[axis];
  const auto radix = static_cast<std::int64_t>(size.radix[axis].value);
  if (std::abs(static_cast<std::int64_t>(dateline.value)) >= radix)
    diagnostics
        .add(kDatelineOutOfRange, dateline.value_span,
             fmt::format("dateline {} in a dimension of radix {}", dateline.value, radix))
        .hint = fmt::format("a position lies between {} and {}", 1 - radix, radix - 1);
  else if (dateline.value != 0 && !loops(size, axis))
    diagnostics.add(
        kDatelineInMesh, dateline.value_span,
        fmt::format("{} does not wrap: the dateline only tells where this seed stands", kAxisNames[axis]));
}

/// In an open dimension a switch at the border has no neighbour beyond it.
void check_border(const Seed& seed, const Size& size, std::size_t axis, Diagnostics& diagnostics) {
  const auto radix = static_cast<std::int64_t>(size.radix[axis].value);
  const std::int64_t dateline = seed.datelines[axis] ? seed.datelines[axis]->value : 0;
  if (radix < 3 || loops(size, axis) || std::abs(dateline) >= radix) return;
  const std::int64_t at = (radix - dateline) % radix;
  for (const std::size_t side : {0U, 1U}) {
    const auto& link = seed.links[axis * 2 + side];
    if (!link || at != (side == 0 ? radix - 1 : 0)) continue;
    const char name = kAxisNames[axis];
    Diagnostic& d =
        diagnostics.add(kSeedBeyondBorder, link->keyword,
                        fmt::format("`{}` leads out of {}, which does not wrap: {} stands at {} of 0 to {}",
                                    keyword_of(axis * 2 + side), name, link->link.from, at, radix - 1));
    d.labels.push_back({size.radix[axis].span, fmt::format("{} is open", name)});
    d.hint = fmt::format("`{}_dateline` says where the seed stands: -1 for coordinate 1", name);
  }
}

/// Both links of a dimension of two switches lead to the other one.
void check_pair(const Seed& seed, const Size& size, std::size_t axis, Diagnostics& diagnostics) {
  const auto& plus = seed.links[axis * 2];
  const auto& minus = seed.links[axis * 2 + 1];
  if (size.radix[axis].value != 2 || !plus || !minus || plus->link.to == minus->link.to) return;
  diagnostics
      .add(kSeedPairDiffers, minus->link.to_span,
           fmt::format("{} has radix 2, and two switches beside the seed's: {} and {}", kAxisNames[axis],
                       plus->link.to, minus->link.to))
      .labels.push_back({plus->link.to_span, "the other one"});
}

/// One origin for all links, and a switch of its own at each other end.
void check_ends(const Seed& seed, const std::optional<Size>& size, Diagnostics& diagnostics) {
  const SeedLinkPlace* first = nullptr;
  bool origin_reported = false;
  std::vector<const SeedLinkPlace*> before;
  for (const auto& slot : seed.links) {
    if (!slot) continue;
    if (slot->link.from == slot->link.to) {
      diagnostics.add(kSeedLinkToItself, slot->link.to_span, fmt::format("both ends are {}", slot->link.to));
      continue;
    }
    if (first == nullptr) first = &*slot;
    if (slot->link.from != first->link.from && !origin_reported) {
      diagnostics
          .add(kSeedOrigins, slot->link.from_span,
               fmt::format("this link starts at {}, the seed at {}", slot->link.from, first->link.from))
          .labels.push_back({first->link.from_span, "the seed's origin"});
      origin_reported = true;
    }
    const auto twin = std::find_if(before.begin(), before.end(), [&](const SeedLinkPlace* p) {
      // In a dimension of two switches both directions lead to the other one.
      const bool pair = size && p->link.axis == slot->link.axis && size->radix[slot->link.axis].value == 2;
      return p->link.to == slot->link.to && !pair;
    });
    if (twin != before.end())
      diagnostics
          .add(kSeedSameTarget, slot->link.to_span,
               fmt::format("two links of this seed lead to {}", slot->link.to))
          .labels.push_back({(*twin)->link.to_span, "also here"});
    before.push_back(&*slot);
  }
}

}  // namespace

bool Seed::empty() const {
  return std::none_of(links.begin(), links.end(), [](const auto& link) { return link.has_value(); });
}

void check_seed(const Seed& seed, std::size_t number, const std::optional<Size>& size,
                Diagnostics& diagnostics) {
  if (seed.empty() && !seed.damaged) {
    diagnostics.add(kEmptySeed, seed.place, fmt::format("seed {} has no links", number + 1)).hint =
        "OpenSM refuses to route with an empty seed; remove it";
    return;
  }
  for (std::size_t axis = 0; size && axis < 3; ++axis) {
    check_dimension(seed, number, *size, axis, diagnostics);
    check_dateline(seed, *size, axis, diagnostics);
    check_border(seed, *size, axis, diagnostics);
    check_pair(seed, *size, axis, diagnostics);
  }
  check_ends(seed, size, diagnostics);
}

void check_origins(const std::vector<Seed>& seeds, Diagnostics& diagnostics) {
  std::map<Guid, Span> origins;
  for (const Seed& seed : seeds) {
    const auto link =
        std::find_if(seed.links.begin(), seed.links.end(), [](const auto& slot) { return slot.has_value(); });
    if (link == seed.links.end()) continue;
    const auto [first, fresh] = origins.emplace((*link)->link.from, (*link)->link.from_span);
    if (!fresh)
      diagnostics
          .add(kSharedOrigin, (*link)->link.from_span,
               fmt::format("two seeds start at {}", (*link)->link.from))
          .labels.push_back({first->second, "the other seed"});
  }
}

}  // namespace rch::policy
