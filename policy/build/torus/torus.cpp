#include "policy/build/torus/torus.h"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "policy/build/torus/seed_rules.h"
#include "policy/lint/rules/torus.h"

namespace rch::policy {
namespace {

namespace torus_syntax = parsers::torus_conf;

class TorusBuilder {
 public:
  TorusBuilder(SourceId source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}

  TorusConf build(const torus_syntax::Syntax& file) {
    for (const torus_syntax::Statement& statement : file.statements) take(statement);
    report_size();
    for (std::size_t i = 0; i < seeds_.size(); ++i) {
      check_seed(seeds_[i], i, size_, diagnostics_);
      add_seed(seeds_[i]);
    }
    check_origins(seeds_, diagnostics_);
    return std::move(conf_);
  }

 private:
  void take(const torus_syntax::Statement& statement) {
    const bool size = statement.kind == torus_syntax::Kind::size;
    const bool readable = !std::holds_alternative<std::monostate>(statement.what);
    if (!size && readable && !size_seen_ && early_ == nullptr) early_ = &statement;
    switch (statement.kind) {
      case torus_syntax::Kind::size:
        return take_size(statement);
      case torus_syntax::Kind::link:
      case torus_syntax::Kind::dateline:
        return take_seed_part(statement);
      case torus_syntax::Kind::next_seed:
        if (readable) return next_seed(statement);
        [[fallthrough]];
      default:
        take_setting(statement);
    }
  }

  void take_size(const torus_syntax::Statement& statement) {
    if (size_seen_) {
      diagnostics_
          .add(kRepeatedSize, statement.keyword.span,
               fmt::format("a second `{}` line", statement.keyword.text))
          .labels.push_back({size_span_, "the first one"});
      return;
    }
    size_seen_ = true;
    size_span_ = statement.keyword.span;
    conf_.places.size = size_span_;
    if (const auto* size = std::get_if<torus_syntax::Size>(&statement.what)) size_ = *size;
    if (!size_) return;
    for (std::size_t axis = 0; axis < 3; ++axis)
      conf_.shape.radix[axis] = static_cast<std::uint32_t>(size_->radix[axis].value);
    conf_.shape.wraps = size_->wraps;
    if (std::ranges::count(conf_.shape.radix, 1U) >= 2)
      diagnostics_.add(kOneDimension, size_span_, "the torus has fewer than two dimensions");
    const auto& [x, y, z] = conf_.shape.radix;
    if (std::uint64_t{x} * y > kMaxUnicastLid.value / z)
      diagnostics_.add(kTorusTooLarge, size_span_,
                       fmt::format("{} x {} x {} switches; a subnet has {} LIDs", x, y, z, kMaxUnicastLid));
  }

  bool all_absent() const {
    return size_ &&
           std::all_of(size_->radix.begin(), size_->radix.end(), [](const auto& r) { return r.value == 1; });
  }

  void take_seed_part(const torus_syntax::Statement& statement) {
    if (seeds_.empty()) seeds_.emplace_back();
    Seed& seed = seeds_.back();
    if (seed.place.source.is_none()) seed.place = statement.keyword.span;
    const auto [first, fresh] = seed.keywords.emplace(statement.keyword.text, statement.keyword.span);
    if (!fresh) {
      diagnostics_
          .add(kRepeatedSeedKeyword, statement.keyword.span,
               fmt::format("`{}` stands twice in this seed", statement.keyword.text))
          .labels.push_back({first->second, "first here"});
      return;
    }
    if (const auto* link = std::get_if<torus_syntax::Link>(&statement.what))
      seed.links[link->axis * 2U + (link->plus ? 0U : 1U)] = SeedLinkPlace{*link, statement.keyword.span};
    else if (const auto* dateline = std::get_if<torus_syntax::Dateline>(&statement.what))
      seed.datelines[dateline->axis] = *dateline;
    else
      seed.damaged = true;
  }

  void next_seed(const torus_syntax::Statement& statement) {
    if (seeds_.empty()) {
      diagnostics_.add(kLeadingNextSeed, statement.keyword.span,
                       "`next_seed` before the first seed has no effect");
    }
    seeds_.emplace_back();
    seeds_.back().place = statement.keyword.span;
  }

  void take_setting(const torus_syntax::Statement& statement) {
    if (std::holds_alternative<std::monostate>(statement.what)) {
      if (!seeds_.empty()) seeds_.back().damaged = true;
      return;
    }
    const auto [first, fresh] = settings_.emplace(statement.keyword.text, statement.keyword.span);
    if (!fresh) {
      diagnostics_
          .add(kRepeatedSetting, statement.keyword.span,
               fmt::format("`{}` stands twice; this one wins", statement.keyword.text))
          .labels.push_back({first->second, "first here"});
    }
    if (const auto* ports = std::get_if<torus_syntax::PortgroupMaxPorts>(&statement.what))
      conf_.shape.portgroup_max_ports = static_cast<std::uint32_t>(ports->count.value);
    if (const auto* changes = std::get_if<torus_syntax::MaxChanges>(&statement.what))
      conf_.shape.max_changes = static_cast<std::uint32_t>(changes->count.value);
    if (const auto* order = std::get_if<torus_syntax::PortOrder>(&statement.what)) take_port_order(*order);
  }

  void take_port_order(const torus_syntax::PortOrder& order) {
    auto& ports = conf_.shape.port_order;
    ports.clear();
    conf_.places.port_order.clear();
    bool repeated = false;
    for (const parsers::Number& port : order.ports) {
      const auto number = static_cast<std::uint8_t>(port.value);
      if (std::find(ports.begin(), ports.end(), number) != ports.end()) {
        if (!repeated)
          diagnostics_.add(kRepeatedPort, port.span,
                           fmt::format("port {} stands twice; the second is ignored", number));
        repeated = true;
        continue;
      }
      ports.push_back(number);
      conf_.places.port_order.push_back(port.span);
    }
  }

  void report_size() {
    if (!size_seen_)
      diagnostics_.add(kMissingSize, {source_, 0, 0}, "the file has no `torus` or `mesh` line").hint =
          "start with `torus X Y Z`, the radices";
    else if (early_ != nullptr && early_->keyword.span.begin < size_span_.begin)
      diagnostics_
          .add(kSizeNotFirst, early_->keyword.span,
               fmt::format("`{}` before `torus` or `mesh`", early_->keyword.text))
          .labels.push_back({size_span_, "this line must come first"});
    if (size_ && seeds_.empty() && !all_absent())
      diagnostics_.add(kMissingSeedLink, size_span_, "the file has no seed").hint =
          "name the links of one switch: `xp_link FROM-GUID TO-GUID`";
  }

  void add_seed(const Seed& seed) {
    fabric::TorusSeed out;
    TorusPlaces::Seed places;
    places.place = seed.place;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t side = 0; side < 2; ++side) {
        const auto& link = seed.links[axis * 2 + side];
        if (!link) continue;
        (side == 0 ? out.plus : out.minus)[axis] = fabric::TorusSeed::Link{link->link.from, link->link.to};
        places.links.push_back({axis, side == 0, link->link.from_span, link->link.to_span});
      }
      if (seed.datelines[axis]) out.dateline[axis] = seed.datelines[axis]->value;
    }
    conf_.shape.seeds.push_back(out);
    conf_.places.seeds.push_back(std::move(places));
  }

  SourceId source_;
  Diagnostics& diagnostics_;
  TorusConf conf_;
  bool size_seen_ = false;
  Span size_span_;
  std::optional<torus_syntax::Size> size_;
  const torus_syntax::Statement* early_ = nullptr;  ///< the first statement, if the size is not
  std::vector<Seed> seeds_;
  std::map<std::string, Span> settings_;
};

}  // namespace

TorusConf build_torus(const torus_syntax::Syntax& file, SourceId source, Diagnostics& diagnostics) {
  return TorusBuilder(source, diagnostics).build(file);
}

}  // namespace rch::policy
