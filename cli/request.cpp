#include "cli/request.h"

#include <algorithm>
#include <concepts>
#include <limits>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/accepts.h"
#include "cli/confirmation.h"
#include "cli/run_log.h"

namespace rch::cli {
namespace {

constexpr Word<PartitionRequest::Action> kPartitionActions[] = {{"add", PartitionRequest::Action::add},
                                                                {"remove", PartitionRequest::Action::remove}};

template <class Words>
std::vector<std::string_view> names(const Words& words) {
  std::vector<std::string_view> out;
  for (const auto& [name, value] : words) out.push_back(name);
  return out;
}

/// "`a`, `b` or `c`"
std::string listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}`{}`", i == 0 ? "" : i + 1 < words.size() ? ", " : " or ", words[i]);
  return text;
}

/// Returns "`what` `word`: ..." with the known word that is near, or else with all that are known.
std::string unknown(std::string_view what, const std::string& word, std::span<const std::string_view> known) {
  const std::string shown = elided(word);
  const std::string_view meant = nearest(shown, known);
  return fmt::format("{} `{}`: {}", what, shown,
                     !meant.empty() ? fmt::format("did you mean `{}`?", meant) : "expected " + listed(known));
}

/// Takes the members of a request from JSON. The first member that is not as it must be is told.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  void text(std::string_view key, std::string& value, bool is_required = true) {
    const Json* member = find(key);
    if (member == nullptr && !is_required) return;
    if (member == nullptr || member->string() == nullptr || member->string()->empty())
      return refuse(fmt::format("`{}` must be a text that is not empty", key));
    value = *member->string();
  }
  void number(std::string_view key, std::optional<std::uint64_t>& value, std::uint64_t most = kAny) {
    if (find(key) != nullptr) number(key, value.emplace(), most);
  }
  void number(std::string_view key, std::uint64_t& value, std::uint64_t most = kAny) {
    known_.push_back(key);
    const auto read = json_.number(key);
    if (!read || *read > most)
      return refuse(fmt::format("`{}` must be a whole number from 0{}", key,
                                most == kAny ? std::string() : fmt::format(" to {}", most)));
    value = *read;
  }
  template <class Value, class Words>
  void word(std::string_view key, Value& value, const Words& words) {
    const Json* member = find(key);
    if (member == nullptr || member->string() == nullptr)
      return refuse(fmt::format("`{}` must be {}", key, listed(names(words))));
    take(key, *member->string(), words, [&](const Value& read) { value = read; });
  }
  /// Reads a member that has one value or is not there.
  void flag(std::string_view key, bool& value, std::string_view word_of_it) {
    const Word<bool> words[] = {{word_of_it, true}};
    if (find(key) != nullptr) word(key, value, words);
  }
  template <class Struct, class Words>
  void list(std::string_view key, Struct& value, const Words& words) {
    const Json* member = find(key);
    if (member == nullptr) return;
    if (member->elements() == nullptr)
      return refuse(fmt::format("`{}` must be a list of {}", key, listed(names(words))));
    for (const Json& element : *member->elements())
      take(key, element.string() != nullptr ? *element.string() : element.dump(), words,
           [&](bool Struct::*read) { value.*read = true; });
  }
  void texts(std::string_view key, std::vector<std::string>& values) {
    const Json* member = find(key);
    const auto is_text = [](const Json& json) { return json.string() != nullptr && !json.string()->empty(); };
    if (member == nullptr || member->elements() == nullptr || member->elements()->empty() ||
        !std::ranges::all_of(*member->elements(), is_text))
      return refuse(fmt::format("`{}` must be a list of texts that are not empty", key));
    for (const Json& element : *member->elements()) values.push_back(*element.string());
  }
  void time(std::string_view key, std::optional<std::chrono::seconds>& value) {
    const Json* member = find(key);
    if (member == nullptr) return;
    const auto read = confirm_time(elided(member->string() != nullptr ? *member->string() : member->dump()));
    if (!read) return refuse(fmt::format("`{}`: {}", key, read.error().message));
    value = *read;
  }

  /// Fails also when there is a member that nobody has read.
  Result<void> end(std::string_view request) {
    if (json_.members() != nullptr)
      for (const auto& [key, value] : *json_.members())
        if (std::ranges::find(known_, key) == known_.end())
          refuse(unknown(fmt::format("`{}`: unknown member", request), key, known_));
    return error_.empty() ? Result<void>() : fail(ErrorKind::usage, error_);
  }

  static constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

 private:
  const Json* find(std::string_view key) {
    known_.push_back(key);
    return json_.find(key);
  }
  template <class Words, class Take>
  void take(std::string_view key, const std::string& word, const Words& words, Take&& take) {
    for (const auto& [name, value] : words)
      if (name == word) return take(value);
    refuse(unknown(fmt::format("`{}`: unknown value", key), word, names(words)));
  }
  void refuse(std::string why) {
    if (error_.empty()) error_ = std::move(why);
  }

  const Json& json_;
  std::vector<std::string_view> known_{"request"};
  std::string error_;
};

/// Puts the members of a request into JSON; those that a reader does not need are left out.
class Writer {
 public:
  explicit Writer(Json& json) : json_(json) {}

  void text(std::string_view key, const std::string& value, bool is_required = true) {
    if (is_required || !value.empty()) json_[key] = value;
  }
  void number(std::string_view key, const std::optional<std::uint64_t>& value, std::uint64_t /*most*/ = 0) {
    if (value) json_[key] = *value;
  }
  template <class Value, class Words>
  void word(std::string_view key, const Value& value, const Words& words) {
    for (const auto& [name, stands_for] : words)
      if (stands_for == value) json_[key] = name;
  }
  void flag(std::string_view key, bool value, std::string_view word_of_it) {
    if (value) json_[key] = word_of_it;
  }
  template <class Struct, class Words>
  void list(std::string_view key, const Struct& value, const Words& words) {
    for (const auto& [name, member] : words)
      if (value.*member) json_[key].push_back(name);
  }
  void texts(std::string_view key, const std::vector<std::string>& values) {
    json_[key] = Json::array();
    for (const std::string& value : values) json_[key].push_back(value);
  }
  void time(std::string_view key, const std::optional<std::chrono::seconds>& value) {
    if (value) json_[key] = static_cast<std::uint64_t>(value->count());
  }

 private:
  Json& json_;
};

// The members of each request, for the Reader and the Writer alike.

template <class Kind>
requires(std::is_empty_v<Kind>) void members(auto&, Kind&) {}

void members(auto& m, SweepRequest& request) { m.list("accept", request.accept, kConsents); }

void members(auto& m, ReloadRequest& request) {
  m.time("confirm_within", request.confirm_within);
  m.flag("accept", request.accepts_cut_off, kCutOff);
}

void members(auto& m, ReloadStatusRequest& request) { m.number("job", request.job); }

void members(auto& m, PartitionRequest& request) {
  m.word("action", request.action, kPartitionActions);
  m.text("partition", request.partition);
  m.text("port", request.port);
  if (request.action == PartitionRequest::Action::add) {
    m.word("membership", request.membership, kMemberships);
    m.flag("absent", request.may_be_absent, "yes");
  }
  m.flag("accept", request.accepts_other_configuration, kOtherConfiguration);
}

void members(auto& m, QuarantineRequest& request) {
  m.word("action", request.action, kQuarantineActions);
  if (request.action == QuarantineRequest::Action::list) return;
  m.text("guid", request.node);
  m.number("port", request.port, 254);
}

void members(auto& m, DrainRequest& request) {
  m.texts("parts", request.parts);
  m.flag("dry_run", request.dry_run, "yes");
  m.flag("accept", request.accepts_interruption, kInterruption);
}

void members(auto& m, UndrainRequest& request) { m.texts("parts", request.parts); }

void members(auto& m, DrainStatusRequest& request) { m.number("job", request.job); }

void members(auto& m, WatchRequest& request) { m.number("since", request.since); }

void members(auto& m, TimedReload& request) {
  m.time("confirm_within", request.confirm_within);
  m.text("until", request.until);
}

void members(auto& m, RefusedReload& request) { m.text("why", request.why, false); }

template <class Kind, class Kinds>
Result<Kinds> read_as(const Json& json) {
  Kind request;
  Reader reader(json);
  members(reader, request);
  if (const auto read = reader.end(Kind::kName); !read) return tl::unexpected(read.error());
  return Kinds(std::move(request));
}

template <class... Kinds>
void read(const Json& json, Result<std::variant<Kinds...>>& out) {
  static constexpr std::string_view kNames[] = {Kinds::kName...};
  const Json* name = json.find("request");
  if (name == nullptr || name->string() == nullptr)
    out = fail(ErrorKind::usage, "`request` must be " + listed(kNames));
  else if (std::ranges::find(kNames, *name->string()) == std::ranges::end(kNames))
    out = fail(ErrorKind::usage, unknown("unknown request", *name->string(), kNames));
  else
    ((*name->string() == Kinds::kName ? void(out = read_as<Kinds, std::variant<Kinds...>>(json)) : void()),
     ...);
}

template <class Kinds>
Json written(const Kinds& request) {
  return std::visit(
      [](auto kind) {
        Json json{{"request", kind.kName}};
        Writer writer(json);
        members(writer, kind);
        return json;
      },
      request);
}

}  // namespace

namespace {

/// A text as the JSON of a request. Fails (usage) when it is none, or does not mean one thing.
Result<Json> object_of(std::string_view text, std::string_view what) {
  auto json = Json::parse(text);
  if (!json || json->members() == nullptr) return fail(ErrorKind::usage, std::string(what));
  if (const std::string twice = Json::repeated_member(text); !twice.empty())
    return fail(ErrorKind::usage, fmt::format("`{}` is there twice", elided(twice)));
  return std::move(*json);
}

}  // namespace

Result<Request> request_of(std::string_view text) {
  const auto json = object_of(text, "a request is one JSON object on a line");
  if (!json) return tl::unexpected(json.error());
  Result<Request> request;
  read(*json, request);
  return request;
}

Json to_json(const Request& request) { return written(request); }

Json refusal_by_state(hw::SmState state) {
  return {{"error", fmt::format("this subnet manager is {}, not master: ask the master", state_name(state))},
          {kRefusedBy, state_name(state)}};
}

Json refusal_by_observer(std::string_view why) { return {{"error", why}, {kRefusedBy, "observer"}}; }

Result<RecordedRequest> recorded_request_of(std::string_view text) {
  Result<RecordedRequest> request;
  const auto json = object_of(text, "a request is one JSON object");
  if (!json) return fail(ErrorKind::invalid, json.error().message);
  read(*json, request);
  if (request) return request;
  return fail(ErrorKind::invalid, request.error().message);
}

std::string recording_text(const RecordedRequest& request) { return written(request).dump(); }

}  // namespace rch::cli
