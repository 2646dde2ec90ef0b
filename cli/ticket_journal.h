#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rch::cli {

/// What became of a ticket, in a file beside it: one line for each update that begins, before its first
/// write, and one for each that ends. A process that is killed leaves an update that began and did not end.
///
///   fresh      nothing was written for the ticket
///     │ forward begins                         ↑ (a new ticket)
///     ↓                                        │
///   open       an update began, and it is not known to have ended ←──┐
///     │ it ends                                                      │ either direction begins
///     ↓                                                              │
///   ended      the target, or the state before, is installed ────────┘
///
/// The switches say how far an update came: --resume and --rollback read their tables, and no line of the
/// journal is trusted for that.
class TicketJournal {
 public:
  enum class Direction : std::uint8_t { forward, back };
  struct State {
    enum class Kind : std::uint8_t { fresh, open, ended };

    Kind kind = Kind::fresh;
    Direction direction = Direction::forward;  ///< of the update that began last
  };

  /// Locks the journal against other processes until the end of the object, and reads it. `ticket`: digest of
  /// the ticket's text. Fails (usage) while another process has it, when it cannot be read or made, when a
  /// line is damaged that is not the last one, and when it is about another ticket.
  static Result<TicketJournal> open(const std::string& path, const std::string& ticket);
  TicketJournal(TicketJournal&& other) noexcept;
  TicketJournal& operator=(TicketJournal&&) = delete;
  ~TicketJournal();

  const State& state() const { return state_; }
  /// Are back when the line is on the disk. Fail (usage) when it cannot be written there.
  Result<void> begin(Direction direction) { return append("begun", direction, State::Kind::open); }
  Result<void> end() { return append("ended", state_.direction, State::Kind::ended); }

 private:
  TicketJournal(int file, std::string path, std::string ticket);
  Result<void> append(std::string_view event, Direction direction, State::Kind kind);

  int file_;
  std::string path_, ticket_;
  State state_;
};

/// The state that the text of a journal tells, of whatever ticket. `path`: for messages. Fails (usage) when a
/// line is damaged that is not the last one.
Result<TicketJournal::State> state_in(std::string_view text, const std::string& path);

/// The state that a journal tells, of whatever ticket. Fresh without a file. Fails (usage) as open() does.
Result<TicketJournal::State> journal_state(const std::string& path);

}  // namespace rch::cli
