#include "parsers/ibdm/system_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "parsers/ibdm/checks.h"
#include "parsers/ibnl/rules.h"

namespace rch::parsers::ibdm {

Board::Board(const ibnl::System& system, Diagnostics& diagnostics) : system_(&system) {
  for (std::uint32_t i = 0; i < system.instances.size(); ++i) {
    const ibnl::Instance& part = system.instances[i];
    const auto [first, is_new] = instances_.emplace(part.name.text, i);
    if (!is_new && !part.name.text.empty())
      diagnostics
          .add(ibnl::kDuplicateInstance, part.name.span,
               fmt::format("a second part is called `{}`", part.name.text))
          .labels.push_back({instance(first->second).name.span, "the first one"});
    for (std::uint32_t c = 0; c < part.connections.size(); ++c)
      if (!part.connections[c].peer_port) add_front_port({i, c}, diagnostics);
  }
}

void Board::add_front_port(const Wiring& wiring, Diagnostics& diagnostics) {
  const Token& name = line(wiring).peer;
  const auto [first, is_new] = front_by_name_.emplace(name.text, static_cast<std::uint32_t>(front_.size()));
  if (is_new) return front_.push_back({name.text, wiring});
  diagnostics
      .add(ibnl::kPortUsedTwice, name.span,
           fmt::format("a second line wires front panel port `{}`", name.text))
      .labels.push_back({line(front_[first->second].second).peer.span, "the first one"});
}

const ibnl::Instance* Board::find(std::string_view instance_name) const {
  const auto found = instances_.find(instance_name);
  return found == instances_.end() ? nullptr : &instance(found->second);
}

const Board::Wiring* Board::front_port(std::string_view name) const {
  const auto found = front_by_name_.find(name);
  return found == front_by_name_.end() ? nullptr : &front_[found->second].second;
}

SystemFile::SystemFile(const SourceSet& sources, SourceId source)
    : syntax_(ibnl::parse(sources, source, findings_)) {
  boards_.reserve(syntax_.systems.size());
  for (const ibnl::System& system : syntax_.systems) boards_.emplace_back(system, findings_);
  for (const Board& board : boards_)
    if (board.system().top)
      top_ = top_ == nullptr ? &board : top_;
    else
      add_names(board);
  if (top_ != nullptr) check_top_names();
  check_definitions(*this, findings_);
}

void SystemFile::add_names(const Board& board) {
  for (const Token& name : board.system().names) {
    const auto [first, is_new] = by_name_.emplace(name.text, &board);
    if (!is_new) {
      const auto& names = first->second->system().names;
      const auto same =
          std::find_if(names.begin(), names.end(), [&](const Token& n) { return n.text == name.text; });
      findings_
          .add(ibnl::kDuplicateSystem, name.span, fmt::format("a second SYSTEM is called `{}`", name.text))
          .labels.push_back({same->span, "the first one"});
      continue;
    }
    // A modifier may hold `:` and so may a type: `A:B:C` is A with modifier B:C, or A:B with C.
    const std::string_view text = name.text;
    std::vector<std::string_view> types{text};
    for (const std::size_t colon : {text.find(':'), text.rfind(':')})
      if (colon != std::string_view::npos && text.substr(0, colon) != types.back())
        types.push_back(text.substr(0, colon));
    for (std::string_view type : types) {
      auto& group = variants_[type];
      if (group.empty() || group.back() != &board) group.push_back(&board);
    }
  }
}

void SystemFile::check_top_names() {
  const auto& names = top_->system().names;
  std::unordered_map<std::string_view, const Token*> first;
  for (const Token& name : names) {
    const auto [at, is_new] = first.emplace(name.text, &name);
    if (is_new) continue;
    findings_
        .add(ibnl::kDuplicateSystem, name.span, fmt::format("the system is called `{}` twice", name.text))
        .labels.push_back({at->second->span, "here too"});
  }
}

const Board* SystemFile::board(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

const std::vector<const Board*>& SystemFile::variants(std::string_view type) const {
  static const std::vector<const Board*> kNone;
  const auto found = variants_.find(type);
  return found == variants_.end() ? kNone : found->second;
}

}  // namespace rch::parsers::ibdm
