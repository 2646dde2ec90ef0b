#include "policy/build/options/effective.h"

#include <algorithm>
#include <concepts>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/build/options/option_values.h"

namespace rch::policy {
namespace {

/// What an unset value of the type is called.
std::string_view unset_text(OptionType type) {
  switch (type) {
    case OptionType::high_limit:
      return "-1";
    case OptionType::text:
    case OptionType::path:
    case OptionType::words:
    case OptionType::vl_weights:
    case OptionType::sl2vl:
    case OptionType::delays:
    case OptionType::fat_tree:
    case OptionType::guids:
      return "(null)";
    default:
      return "";
  }
}

/// A number as it was written when that means the number.
std::string number_text(std::uint64_t number, std::string_view written) {
  const bool plain = parse_integer(written) == number &&
                     (written == "0" || !written.starts_with('0') || written.starts_with("0x"));
  return plain ? std::string(written) : fmt::format("{}", number);
}

/// rch's own default of a number where it is not OpenSM's.
struct OwnNumber {
  template <std::unsigned_integral Integer>
  std::optional<std::uint64_t> operator()(Integer* field) const {
    return *field;
  }
  std::optional<std::uint64_t> operator()(bool*) const { return std::nullopt; }
  template <class Other>
  std::optional<std::uint64_t> operator()(const Other&) const {
    return std::nullopt;
  }
};

std::string initial_text(const OptionKey& key) {
  Options defaults;
  if (key.field != nullptr)
    if (const auto own = std::visit(OwnNumber{}, key.field(defaults))) return number_text(*own, key.initial);
  return std::string(key.initial.empty() ? unset_text(key.type) : key.initial);
}

std::string text_of(const OptionKey& key, const OptionValue& value, const parsers::Token& written,
                    const SourceSet& sources) {
  if (std::holds_alternative<std::monostate>(value)) return std::string(unset_text(key.type));
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "TRUE" : "FALSE";
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return number_text(*number, written.text);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return written.text;
  if (key.type != OptionType::path || names_stream(key, *text)) return *text;
  const auto folder = std::filesystem::path(sources.at(written.span.source).name()).parent_path();
  return (folder / *text).lexically_normal().string();
}

class Lister {
 public:
  Lister(const OptionFile& main, const OptionFile* own, const SourceSet& sources)
      : main_(by_key(main)), own_(own != nullptr ? by_key(*own) : Settings()), sources_(sources) {
    for (const Adjustment& a : main.adjustments) adjusted_[a.key] = &a.value;
  }

  std::vector<EffectiveOption> list() {
    for (const OptionKey& key : option_table()) add(key);
    return std::move(options_);
  }

 private:
  using Settings = std::multimap<const OptionKey*, const Setting*>;

  static Settings by_key(const OptionFile& file) {
    Settings settings;
    for (const Setting& setting : file.settings) settings.emplace(setting.key, &setting);
    return settings;
  }

  void add(const OptionKey& key) {
    const bool by_step = key.per_step && own_.contains(&key);
    const Settings& settings = by_step ? own_ : main_;
    const auto adjusted = adjusted_.find(&key);
    auto [first, last] = settings.equal_range(&key);
    if (first == last) {
      const std::string value =
          adjusted == adjusted_.end() ? initial_text(key) : text_of(key, *adjusted->second, {}, sources_);
      options_.push_back({key.name, value, OptionSource::initial, {}});
    }
    for (; first != last; ++first) {
      const Setting& setting = *first->second;
      const OptionValue& value = by_step || adjusted == adjusted_.end() ? setting.meaning : *adjusted->second;
      options_.push_back({key.name, text_of(key, value, setting.value, sources_),
                          by_step ? OptionSource::step : OptionSource::main, setting.name.span});
    }
  }

  Settings main_, own_;
  std::map<const OptionKey*, const OptionValue*> adjusted_;
  const SourceSet& sources_;
  std::vector<EffectiveOption> options_;
};

}  // namespace

std::vector<EffectiveOption> effective_options(const OptionFile& main, const OptionFile* own,
                                               const SourceSet& sources) {
  return Lister(main, own, sources).list();
}

}  // namespace rch::policy
