#include "policy/model/option_table.h"

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "policy/model/option_rows.h"

namespace rch::policy {
namespace {

/// The table and its indices, made once from the rows.
class Table {
 public:
  Table() {
    for (const auto sections : {opensm_rows(), nvidia_rows()})
      for (const RowSection& section : sections) add(section);
    begin_section("QoS of classes of ports");
    for (const QosRows& set : qos_rows())
      for (const OptionKey& key : set.rows) add(set, key);
    make_indices();
  }
  std::span<const OptionKey> keys() const { return keys_; }
  std::span<const OptionSection> sections() const { return sections_; }
  const OptionKey* find(std::string_view name) const { return look_up(by_name_, name); }
  const OptionKey* find_old(std::string_view name) const { return look_up(by_old_name_, name); }
  const OptionKey* find_meant(std::string_view word) const { return look_up(by_word_, word); }

 private:
  using Index = std::unordered_map<std::string_view, const OptionKey*>;

  static const OptionKey* look_up(const Index& index, std::string_view name) {
    const auto at = index.find(name);
    return at == index.end() ? nullptr : at->second;
  }

  void begin_section(std::string_view title) {
    sections_.push_back({title, {}});
    begins_.push_back(keys_.size());
  }

  void add(const RowSection& section) {
    begin_section(section.title);
    for (const OptionKey& key : section.rows) add(section, key);
  }
  void add(const RowSection& section, OptionKey key) {
    if (section.maker == Maker::nvidia) key.maker = Maker::nvidia;
    if (!key.has_effect() && key.reason.empty()) key.reason = section.reason;
    if (key.concern == Concern::of_section) key.concern = section.concern;
    keys_.push_back(key);
  }
  void add(const QosRows& set, OptionKey key) {
    if (!set.other_prefix.empty()) key.also = join(set.other_prefix, key.name);
    key.name = join(set.prefix, key.name);
    key.maker = set.maker;
    if (key.concern == Concern::of_section) key.concern = Concern::routing;
    keys_.push_back(key);
  }
  std::string_view join(std::string_view prefix, std::string_view name) {
    return names_.emplace_back(std::string(prefix) + std::string(name));
  }

  void make_indices() {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const std::size_t end = i + 1 < begins_.size() ? begins_[i + 1] : keys_.size();
      sections_[i].keys = std::span<const OptionKey>(keys_).subspan(begins_[i], end - begins_[i]);
    }
    for (const OptionKey& key : keys_) {
      by_name_.emplace(key.name, &key);
      if (!key.old_name.empty()) by_old_name_.emplace(key.old_name, &key);
      for_each_word(key.also, [&](std::string_view word) { by_word_.emplace(word, &key); });
    }
  }

  std::deque<std::string> names_;
  std::vector<OptionKey> keys_;
  std::vector<OptionSection> sections_;
  std::vector<std::size_t> begins_;  ///< of sections, in keys_
  Index by_name_, by_old_name_, by_word_;
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

std::span<const OptionKey> option_table() { return table().keys(); }
std::span<const OptionSection> option_sections() { return table().sections(); }
const OptionKey* find_option(std::string_view name) { return table().find(name); }
std::string excluded_setting(std::string_view needs) {
  std::string setting(needs.substr(1));
  const OptionKey* key = find_option(setting);
  if (key != nullptr && key->initial == "TRUE") setting += " FALSE";
  return setting;
}
const OptionKey* find_old_name(std::string_view name) { return table().find_old(name); }
const OptionKey* find_meant(std::string_view word) { return table().find_meant(word); }

}  // namespace rch::policy
