#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "cli/json.h"
#include "parsers/partitions/partitions.h"
#include "sm/manager.h"

namespace rch::cli {

// What operators ask of a running manager. A request crosses the control socket as one JSON object whose
// member `request` is the kName of its type (docs/manager.md, "Control socket"). A recording holds the same
// text.

struct StatusRequest {
  static constexpr std::string_view kName = "status";
};

struct SweepRequest {
  static constexpr std::string_view kName = "sweep";
  sm::Consent accept{};
};

struct ReloadRequest {
  static constexpr std::string_view kName = "reload";
  std::optional<std::chrono::seconds> confirm_within{};
  bool accepts_cut_off = false;
};

struct ReloadStatusRequest {
  static constexpr std::string_view kName = "reload-status";
  std::uint64_t job = 0;
};

struct ConfirmRequest {
  static constexpr std::string_view kName = "confirm";
};

struct PartitionRequest {
  static constexpr std::string_view kName = "partition";
  enum class Action : std::uint8_t { add, remove };

  Action action = Action::add;
  std::string partition{};
  std::string port{};  ///< its GUID, LID, or the name of its host
  parsers::partitions::Membership membership = parsers::partitions::Membership::limited;  ///< to add
  bool may_be_absent = false;                ///< to add: no port of the fabric needs to have the GUID
  bool accepts_other_configuration = false;  ///< standbys may be left with another configuration
};

struct PartitionsRequest {
  static constexpr std::string_view kName = "partitions";
};

struct QuarantineRequest {
  static constexpr std::string_view kName = "quarantine";
  /// `add` takes the action of the configuration, the three after it are names of sm::HealthAction.
  enum class Action : std::uint8_t { list, add, report, isolate, no_discover, release };

  Action action = Action::list;
  std::string node{};     ///< its GUID, LID or name; unless listed
  std::uint8_t port = 0;  ///< 0: the whole node
};

struct RunningRequest {
  static constexpr std::string_view kName = "running";
};

struct WatchRequest {
  static constexpr std::string_view kName = "watch";
  std::optional<std::uint64_t> since{};
};

using Request =
    std::variant<StatusRequest, SweepRequest, ReloadRequest, ReloadStatusRequest, ConfirmRequest,
                 PartitionRequest, PartitionsRequest, QuarantineRequest, RunningRequest, WatchRequest>;

/// The configuration that a manager read and refused; in recordings only.
struct RefusedReload {
  static constexpr std::string_view kName = "refused-reload";
  std::string why{};  ///< empty: the findings tell it
};

/// The time to confirm a reload was over; in recordings only.
struct ComeBack {
  static constexpr std::string_view kName = "come-back";
};

/// What changes a manager, and so is recorded and replayed. A PartitionRequest is recorded as the reload of
/// the file that it changes.
using RecordedRequest =
    std::variant<SweepRequest, ReloadRequest, ConfirmRequest, QuarantineRequest, RefusedReload, ComeBack>;

/// Reads a request. Fails (usage) with what is not known in it: a request, a member or a value.
Result<Request> request_of(const Json& json);
Json to_json(const Request& request);

/// Fails (invalid) as request_of() does.
Result<RecordedRequest> recorded_request_of(std::string_view text);
std::string recording_text(const RecordedRequest& request);

/// Words of requests and flags, and the values that they stand for.
template <class Value>
using Words = std::span<const std::pair<std::string_view, Value>>;
Words<bool sm::Consent::*> consent_words();
Words<parsers::partitions::Membership> membership_words();
Words<QuarantineRequest::Action> quarantine_words();

/// The value of a word that stands there.
template <class Value>
Value value_of(const Words<Value>& words, std::string_view word) {
  for (const auto& [name, value] : words)
    if (name == word) return value;
  return words.front().second;
}

}  // namespace rch::cli
