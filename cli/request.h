#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/json.h"
#include "parsers/partitions/partitions.h"
#include "sm/manager.h"

namespace rch::cli {

// The requests of operators to a running manager. A request crosses the control socket as one JSON object
// whose member `request` is the kName of its type (docs/manager.md, "Control socket"). A recording holds the
// same text.

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
  std::string node{};                   ///< its GUID, LID or name; unless listed
  std::optional<std::uint64_t> port{};  ///< none: the whole node
};

/// Takes parts out of service, once nobody else would lose anything (docs/maintenance.md).
struct DrainRequest {
  static constexpr std::string_view kName = "drain";
  std::vector<std::string> parts{};   ///< nodes, and cables as `A:B` or `A[3]`
  bool dry_run = false;               ///< judge only
  bool accepts_interruption = false;  ///< LIDs may be without a path while tables are replaced
};

struct UndrainRequest {
  static constexpr std::string_view kName = "undrain";
  std::vector<std::string> parts{};
};

struct DrainStatusRequest {
  static constexpr std::string_view kName = "drain-status";
  std::uint64_t job = 0;
};

struct RunningRequest {
  static constexpr std::string_view kName = "running";
};

struct WatchRequest {
  static constexpr std::string_view kName = "watch";
  std::optional<std::uint64_t> since{};
};

using Request = std::variant<StatusRequest, SweepRequest, ReloadRequest, ReloadStatusRequest, ConfirmRequest,
                             PartitionRequest, PartitionsRequest, QuarantineRequest, DrainRequest,
                             UndrainRequest, DrainStatusRequest, RunningRequest, WatchRequest>;

/// A manager read its configuration and refused it; in recordings only.
struct RefusedReload {
  static constexpr std::string_view kName = "refused-reload";
  std::string why{};  ///< empty: the findings tell it
};

/// A reload that has to be confirmed was taken; in recordings only. The time until then is that of the clock,
/// which a replay does not read.
struct TimedReload {
  static constexpr std::string_view kName = "timed-reload";
  std::optional<std::chrono::seconds> confirm_within{};
  std::string until{};
};

/// The time to confirm a reload was over; in recordings only.
struct ComeBack {
  static constexpr std::string_view kName = "come-back";
};

/// The requests that change a manager are recorded and replayed. A PartitionRequest is recorded as the reload
/// of the file that it changes.
using RecordedRequest = std::variant<SweepRequest, ReloadRequest, ConfirmRequest, QuarantineRequest,
                                     RefusedReload, TimedReload, ComeBack>;

/// Reads a request. Fails (usage) with the request, the member or the value that is not known, or with the
/// member that is there twice.
Result<Request> request_of(std::string_view text);
Json to_json(const Request& request);

/// Fails (invalid) as request_of() does.
Result<RecordedRequest> recorded_request_of(std::string_view text);
std::string recording_text(const RecordedRequest& request);

// A request that only the master carries out is refused by any other manager with the same exit code of the
// command, whatever it asks (docs/manager.md, "Control socket").

/// Of the answer: why the manager that was asked is the wrong one.
inline constexpr std::string_view kRefusedBy = "refused_by";
/// By one that is in this state.
Json refusal_by_state(hw::SmState state);
/// By an observer.
Json refusal_by_observer(std::string_view why);

// Words of requests and of flags, and the values that they stand for.

template <class Value>
using Word = std::pair<std::string_view, Value>;

inline constexpr Word<bool sm::Consent::*> kConsents[] = {
    {verify::kStaticChange, &sm::Consent::static_change}, {hw::kLinkReset, &sm::Consent::link_reset}};
inline constexpr Word<parsers::partitions::Membership> kMemberships[] = {
    {"limited", parsers::partitions::Membership::limited},
    {"full", parsers::partitions::Membership::full},
    {"both", parsers::partitions::Membership::both}};
inline constexpr Word<QuarantineRequest::Action> kQuarantineActions[] = {
    {"list", QuarantineRequest::Action::list},
    {"add", QuarantineRequest::Action::add},
    {"report", QuarantineRequest::Action::report},
    {"isolate", QuarantineRequest::Action::isolate},
    {"no_discover", QuarantineRequest::Action::no_discover},
    {"release", QuarantineRequest::Action::release}};

/// Returns the value of a word, which `words` must have.
template <class Words>
auto value_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word, &std::ranges::range_value_t<Words>::first)->second;
}

}  // namespace rch::cli
