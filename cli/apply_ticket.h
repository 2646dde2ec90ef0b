#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/live_commit.h"
#include "cli/ticket_maker.h"

namespace rch::cli {

/// Makes the ticket of a dry run (`rch apply --dry-run --ticket FILE`).
class TicketWriter {
 public:
  /// `lid_file`: that is to be written after the commit; empty: none.
  TicketWriter(std::string file, std::vector<std::string> accept, std::string lid_file);

  /// Has the commit tell what it would write. `options`: of the plan that is to be installed; they,
  /// `previous` of the commit and this object must outlive the commit.
  void listen(LiveCommit& commit, const policy::Options& options);
  /// Writes the files and prints what the ticket says. To be called after the dry run. Fails (usage) when a
  /// file cannot be written, and (forbidden) when an update of an earlier ticket with that name has not
  /// ended.
  Result<void> write(Output& output) const;

 private:
  TicketFiles files_;
  std::vector<std::string> accept_;
  std::string lid_file_;
  BeforeUpdate before_;
  Ticket ticket_;
  std::string target_, back_;  ///< plan files; `back_` empty: there is no way back
};

/// How a ticket that was written before is carried out.
struct TicketRun {
  enum class Kind : std::uint8_t { apply, resume, rollback };

  Kind kind = Kind::apply;
  std::string file;
  /// The port, `--guid2lid`, and what else the command line says of the commit. `accept`: besides what the
  /// ticket accepts.
  LiveCommit commit;
};

/// Carries out a ticket, goes on with it, or undoes it. Nothing is written unless the fabric holds what the
/// ticket says (apply), or tables between those of its two plans (resume, rollback).
Stage<Committed> run_ticket(Context& context, TicketRun run, Report& report);

}  // namespace rch::cli
