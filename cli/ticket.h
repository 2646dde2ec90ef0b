#pragma once

// A change ticket (docs/tickets.md): what one update will write, from which installed state, whom it cuts off
// meanwhile, and how to go back. It is a JSON file that people read. Two plans and a journal lie beside it.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "chains/plan.h"
#include "cli/json.h"
#include "sm/pending_update.h"

namespace rch::cli {

/// The files of a ticket. The plans hold the M_Key, so only the user may read them.
struct TicketFiles {
  explicit TicketFiles(std::string ticket_file);

  std::string ticket;
  std::string target;   ///< the plan that is to be installed
  std::string before;   ///< the plan of the way back; not there without one
  std::string journal;  ///< what was begun and ended
};

/// Who has no path for a while, or is no longer reached as before.
struct CutOff {
  struct Host {
    std::string name;
    Guid port{};
    Lid lid{};

    friend bool operator==(const Host&, const Host&) = default;
  };
  /// To whose LID some switch has no path during the update. One host may have several such LIDs.
  std::vector<Host> hosts{};
  std::uint64_t pairs = 0;            ///< the most pairs of a host and a LID that have no path at once
  std::chrono::milliseconds waits{};  ///< until the last of them has a path again; the writes come on top
  std::uint64_t pairs_for_good = 0;   ///< that have a path before the update, and none after it
  std::vector<Host> other_lids{};     ///< end ports with another LID than now, and that LID
  std::uint64_t sl_hosts = 0;     ///< ports that have to ask for path records again, as service levels change
  std::uint64_t links_reset = 0;  ///< links in use that go down and come up again
  std::uint64_t groups_drained = 0;  ///< blocks of multicast entries that are removed before paths change

  friend bool operator==(const CutOff&, const CutOff&) = default;
};

/// What an update comes to, in advance.
struct UpdateOutline {
  std::uint64_t rounds = 0;
  std::uint64_t drained = 0;   ///< LIDs
  bool stops_traffic = false;  ///< it is unsafe while traffic flows (`static-change`)

  friend bool operator==(const UpdateOutline&, const UpdateOutline&) = default;
};

struct WayBack {
  enum class From : std::uint8_t { none, previous, found };

  From from = From::none;
  std::string why_none{};  ///< with `none`
  std::string plan{};      ///< digest of the plan file
  UpdateOutline update{};
  std::uint64_t pairs = 0;           ///< as CutOff::pairs, on the way back
  std::vector<std::string> stays{};  ///< what the update writes and the way back leaves as it is
};

struct Ticket {
  std::string fabric;  ///< fingerprint
  std::uint64_t switches = 0, hosts = 0;
  std::string target;  ///< digest of the plan file
  std::string steps;   ///< engines of the target, for people
  std::vector<chains::Plan::Digest> configuration{};
  std::vector<std::string> accept{};  ///< what `--accept` names, when it was made
  std::string lid_file{};             ///< guid2lid file that is written after the commit; empty: none
  /// Hosts are taken to have their service levels from the plan of the way back until they ask again. False:
  /// from the target.
  bool knows_levels = false;
  CutOff cut_off{};
  UpdateOutline update{};
  std::vector<sm::StepDigest> writes{};
  sm::StateDigests installed{};
  WayBack back{};
};

std::string ticket_text(const Ticket& ticket);
/// Fails (usage) when the text is no ticket, or one of another version.
Result<Ticket> ticket_of(std::string_view text);

/// The first thing in which an update that is about to be written differs from the one of the ticket; empty:
/// it is the same. What people read along (`back`, names of steps) does not count.
std::string difference(const Ticket& ticket, const Ticket& now);

/// "nobody", or who and for how long, as one line.
std::string describe(const CutOff& cut_off);

}  // namespace rch::cli
