#include "policy/build/options/option_file.h"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <map>
#include <span>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/build/options/option_rules.h"
#include "policy/lint/rules/options.h"

namespace rch::policy {
namespace {

using parsers::Token;

/// Puts a read value into the field of its key; an unset one empties it.
struct Assign {
  const OptionValue& value;
  const std::filesystem::path& folder;

  template <std::unsigned_integral Integer>
  void operator()(Integer* field) const {
    if (const auto* v = std::get_if<std::uint64_t>(&value)) *field = static_cast<Integer>(*v);
  }
  void operator()(bool* field) const {
    if (const auto* v = std::get_if<bool>(&value)) *field = *v;
  }
  void operator()(PartEnforce* field) const {
    constexpr std::string_view kWords[] = {"both", "in", "out", "off"};
    assign_word(kWords, field);
  }
  void operator()(HealthAction* field) const {
    constexpr std::string_view kWords[] = {"ignore", "report", "isolate", "no_discover"};
    assign_word(kWords, field);
  }
  template <class Enum>
  void assign_word(std::span<const std::string_view> words, Enum* field) const {
    const auto* v = std::get_if<std::string>(&value);
    if (v == nullptr) return;
    const auto at = std::find(words.begin(), words.end(), *v);
    if (at != words.end()) *field = static_cast<Enum>(at - words.begin());
  }
  template <class T>
  void operator()(std::vector<T>* field) const {
    const auto* v = std::get_if<std::vector<T>>(&value);
    *field = v != nullptr ? *v : std::vector<T>();
  }
  void operator()(std::string* field) const {
    const auto* v = std::get_if<std::string>(&value);
    *field = v != nullptr ? *v : std::string();
  }
  void operator()(OptionalPath* field) const {
    const auto* v = std::get_if<std::string>(&value);
    *field = v != nullptr ? std::optional(folder / *v) : std::nullopt;
  }
  void operator()(std::optional<std::uint8_t>* field) const {
    const auto* v = std::get_if<std::uint64_t>(&value);
    *field = v != nullptr ? std::optional(static_cast<std::uint8_t>(*v)) : std::nullopt;
  }
  template <class T>
  void operator()(std::optional<T>* field) const {
    const auto* v = std::get_if<T>(&value);
    *field = v != nullptr ? std::optional(*v) : std::nullopt;
  }
};

class OptionReader {
 public:
  /// A file read on top of `base`; `step` for the file of a step, `main` its main file if known.
  OptionReader(OptionFile base, bool step, const OptionFile* main, const SourceSet& sources,
               Diagnostics& diagnostics)
      : step_(step), main_(main), sources_(sources), diagnostics_(diagnostics), file_(std::move(base)) {}

  OptionFile read(const parsers::opensm_conf::Syntax& syntax) {
    for_rch_ = syntax.for_rch;
    if (!for_rch_ && speaks_another_language(syntax)) {
      diagnostics_
          .add(kNoKnownOption, syntax.options.front().key.span,
               fmt::format("none of the {} lines sets an option: this is no options file",
                           syntax.options.size()))
          .hint = "an options file has lines `KEY VALUE`, such as `routing_engine minhop`";
      return std::move(file_);
    }
    for (const auto& option : syntax.options) read_option(option);
    report_without_effect(syntax.source);
    return std::move(file_);
  }

 private:
  /// An options file where every option is misspelt has one line that is certainly meant to be an option: an
  /// error of its own.
  static bool speaks_another_language(const parsers::opensm_conf::Syntax& syntax) {
    const std::span all(syntax.options);
    const auto known = [](const auto& option) {
      return find_option(option.key.text) != nullptr || find_old_name(option.key.text) != nullptr;
    };
    const auto nearly = [](const auto& option) {
      return is_kernel_option(option) || split_glued(option.key.text) ||
             (option.value && is_error(meant_by(option.key.text), option.key.text));
    };
    return !all.empty() && std::ranges::none_of(all, known) &&
           std::ranges::none_of(all.first(std::min(all.size(), kSuggestions)), nearly);
  }

  static bool is_kernel_option(const parsers::opensm_conf::Option& option) {
    return option.key.text == "ib_umad" ||
           (option.key.text == "options" && option.value && option.value->text.starts_with("ib_umad"));
  }

  /// Whether the option that an unknown word is meant to be must not be lost.
  static bool is_error(const OptionKey* meant, std::string_view word) {
    return meant != nullptr &&
           (find_meant(word) != nullptr || meant->type == OptionType::path || meant->is_serious());
  }

  /// The option that an unknown word is meant to be; null if none is near.
  static const OptionKey* meant_by(std::string_view word) {
    if (const OptionKey* meant = find_meant(word)) return meant;
    static const std::vector<std::string_view> names = [] {
      std::vector<std::string_view> all;
      for (const OptionKey& key : option_table()) all.push_back(key.name);
      return all;
    }();
    const OptionKey* near = find_option(nearest(word, names));
    return near != nullptr ? near : find_option(only_one_with(word, names));
  }

  void read_option(const parsers::opensm_conf::Option& option) {
    const OptionKey* key = find_option(option.key.text);
    if (const OptionKey* renamed = find_old_name(option.key.text)) {
      key = renamed;
      Diagnostic& d = diagnostics_.add(kDeprecatedOption, option.key.span,
                                       fmt::format("`{}` is an old name", option.key.text));
      d.hint = fmt::format("write `{}`", key->name);
      d.fixes.push_back({option.key.span, std::string(key->name)});
    }
    if (key == nullptr) return report_unknown(option);
    const Span behind{option.key.span.source, option.key.span.end, option.key.span.end};
    const Token value = option.value.value_or(Token{"", option.value ? behind : option.key.span});
    report_repeat(*key, option.key, value);
    if (step_ && !key->per_step) return report_main_only(*key, option.key, value);
    if (const auto read = read_option_value(*key, value, diagnostics_))
      store(*key, option.key, value, *read);
    else
      file_.unreadable.push_back(key);
  }

  void store(const OptionKey& key, const Token& name, const Token& value, const OptionValue& read) {
    const auto folder = std::filesystem::path(sources_.at(name.span.source).name()).parent_path();
    file_.put(key, read, folder);
    auto& settings = file_.settings;
    if (key.type != OptionType::per_sl)
      settings.erase(
          std::remove_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.key == &key; }),
          settings.end());
    settings.push_back(
        {&key, name, value, read, std::holds_alternative<std::monostate>(read), is_default(key, read)});
  }

  /// Only an equal SL counts as a repeat of a per-SL key.
  void report_repeat(const OptionKey& key, const Token& name, const Token& value) {
    std::string id(key.name);
    if (key.type == OptionType::per_sl) id += ' ' + value.text.substr(0, value.text.find_first_of(" \t"));
    const auto [first, fresh] = seen_.emplace(id, name.span);
    if (fresh) return;
    diagnostics_.add(kRepeatedOption, name.span, fmt::format("`{}` is set again; this value wins", key.name))
        .labels.push_back({first->second, "set before here"});
    first->second = name.span;
  }

  /// Files are copied whole: a key that says what the main file says is worth a note only.
  void report_main_only(const OptionKey& key, const Token& name, const Token& value) {
    const Setting* in_main = main_ == nullptr ? nullptr : main_->setting(key.name);
    Diagnostics ignored;
    const auto read = read_option_value(key, value, ignored);
    const bool same = read && (in_main != nullptr ? in_main->meaning == *read : is_default(key, *read));
    Diagnostic& d = diagnostics_.add(kMainOnlyOption, name.span,
                                     fmt::format("`{}` has no effect in the file of a step", key.name));
    if (same) d.severity = Severity::note;
    d.hint = "it is taken from the main options file";
  }

  void report_unknown(const parsers::opensm_conf::Option& option) {
    const Token& word = option.key;
    if (is_kernel_option(option)) {
      diagnostics_.add(kKernelOption, word.span, "a parameter of the kernel module `ib_umad`").hint =
          "it belongs in a file under /etc/modprobe.d";
      return;
    }
    if (!option.value && report_glued(word)) return;
    Diagnostic& d =
        diagnostics_.add(kUnknownOption, word.span, fmt::format("unknown option `{}`", word.text));
    if (for_rch_) d.severity = Severity::error;
    const OptionKey* meant = suggestions_++ < kSuggestions ? meant_by(word.text) : nullptr;
    if (meant == nullptr) return;
    d.hint = fmt::format("did you mean `{}`?", meant->name);
    if (is_error(meant, word.text)) d.severity = Severity::error;
    if (d.severity == Severity::error) file_.unreadable.push_back(meant);
  }

  struct Glued {
    const OptionKey* key;
    std::size_t length;  ///< of the key
  };
  /// `qos_high_limit0`: the longest key that is a proper prefix with a legal value behind it.
  static std::optional<Glued> split_glued(std::string_view word) {
    static const std::size_t longest =
        std::ranges::max(option_table(), {}, [](const OptionKey& k) { return k.name.size(); }).name.size();
    for (std::size_t length = std::min(word.size() - 1, longest); length > 0; --length) {
      const OptionKey* key = find_option(word.substr(0, length));
      if (key == nullptr) continue;
      const std::string rest(word.substr(length));
      Diagnostics ignored;
      const bool digits = rest.find_first_not_of("0123456789xXabcdefABCDEF:,-") == std::string::npos;
      const bool boolean = rest == "TRUE" || rest == "FALSE";
      if (!(digits && rest[0] != '-') && !boolean) continue;
      if (!read_option_value(*key, {rest, {}}, ignored) || ignored.has_errors()) continue;
      return Glued{key, length};
    }
    return std::nullopt;
  }

  bool report_glued(const Token& word) {
    const auto glued = split_glued(word.text);
    if (!glued) return false;
    Diagnostic& d = diagnostics_.add(kGluedOption, word.span, fmt::format("unknown option `{}`", word.text));
    d.hint = fmt::format("put a blank between: `{} {}`", glued->key->name, word.text.substr(glued->length));
    const auto end = word.span.begin + static_cast<std::uint32_t>(glued->length);
    d.fixes.push_back({{word.span.source, end, end}, " "});
    file_.unreadable.push_back(glued->key);
    return true;
  }

  /// Every key without effect that has a value of its own is named with the reason: a warning for each that
  /// routes or guards the fabric, a note for all others of one reason.
  void report_without_effect(SourceId text) {
    std::vector<const Setting*> others;
    for (const Setting& setting : file_.settings) {
      const OptionKey& key = *setting.key;
      if (key.has_effect() || setting.name.span.source != text || asks_for_nothing(setting)) continue;
      if (!key.is_serious()) {
        if (std::ranges::none_of(others, [&](const Setting* s) { return s->key == &key; }))
          others.push_back(&setting);
        continue;
      }
      diagnostics_
          .add(kNoEffectYet, setting.name.span, fmt::format("`{}` has no effect: {}", key.name, key.reason))
          .severity = Severity::warning;
    }
    note_without_effect(others);
  }

  /// A default of either manager. Where NVIDIA does not publish the default: a value that turns nothing on.
  static bool asks_for_nothing(const Setting& setting) {
    const OptionKey& key = *setting.key;
    if (setting.is_default || setting.unset || is_nvidia_default(key, setting.meaning)) return true;
    return key.maker == Maker::nvidia && key.initial.empty() &&
           (setting.meaning == OptionValue(false) || setting.meaning == OptionValue(std::uint64_t{0}) ||
            setting.meaning == OptionValue(std::string("none")));
  }

  void note_without_effect(std::span<const Setting* const> settings) {
    std::vector<std::string_view> reasons;
    for (const Setting* setting : settings)
      if (std::ranges::find(reasons, setting->key->reason) == reasons.end())
        reasons.push_back(setting->key->reason);
    for (const std::string_view reason : reasons) {
      std::vector<const Setting*> group;
      std::ranges::copy_if(settings, std::back_inserter(group),
                           [&](const Setting* s) { return s->key->reason == reason; });
      std::vector<std::string_view> names;
      for (const Setting* setting : group) names.push_back(setting->key->name);
      diagnostics_.add(kNoEffectYet, group.front()->name.span,
                       fmt::format("`{}` {} no effect: {}", fmt::join(names, "`, `"),
                                   names.size() == 1 ? "has" : "have", reason));
    }
  }

  bool step_;
  bool for_rch_ = false;
  const OptionFile* main_;
  const SourceSet& sources_;
  Diagnostics& diagnostics_;
  OptionFile file_;
  std::map<std::string, Span> seen_;
  std::size_t suggestions_ = 0;
};

}  // namespace

void OptionFile::put(const OptionKey& key, const OptionValue& value, const std::filesystem::path& folder) {
  if (key.field != nullptr) std::visit(Assign{value, folder}, key.field(options));
}

const Setting* OptionFile::setting(std::string_view key) const {
  const auto at =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.key->name == key; });
  return at == settings.end() ? nullptr : &*at;
}

bool OptionFile::is_unreadable(std::string_view key) const {
  return std::any_of(unreadable.begin(), unreadable.end(),
                     [&](const OptionKey* known) { return known->name == key; });
}

const Setting* OptionFile::find(std::string_view key) const {
  const Setting* at = setting(key);
  return at == nullptr || at->unset ? nullptr : at;
}

OptionFile read_main_options(const parsers::opensm_conf::Syntax& syntax, const OptionFile* before,
                             const SourceSet& sources, Diagnostics& diagnostics) {
  OptionReader reader(before != nullptr ? *before : OptionFile{}, false, nullptr, sources, diagnostics);
  OptionFile file = reader.read(syntax);
  if (!syntax.options.empty()) check_options(file, syntax.options.front().key.span.source, diagnostics);
  return file;
}

OptionFile read_step_options(const parsers::opensm_conf::Syntax& syntax, const SourceSet& sources,
                             const OptionFile* main, Diagnostics& diagnostics) {
  OptionFile base;
  if (main != nullptr) base.options = main->options;
  return OptionReader(std::move(base), true, main, sources, diagnostics).read(syntax);
}

}  // namespace rch::policy
