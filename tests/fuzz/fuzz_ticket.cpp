// A change ticket lies where people edit files. What is read is written so that it reads back as the same.
// The lines of a journal are either taken as they were written, or refused.

#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/ticket.h"
#include "cli/ticket_journal.h"
#include "fabric_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto ticket = cli::ticket_of(text)) {
    const std::string written = cli::ticket_text(*ticket);
    const auto again = cli::ticket_of(written);
    require(again.has_value());
    require(cli::ticket_text(*again) == written);
    require(cli::difference(*ticket, *again).empty());
    require(!cli::describe(ticket->cut_off).empty());
  } else {
    require(!ticket.error().message.empty());
  }
  const auto state = cli::state_in(text, "journal");
  require(state.has_value() || !state.error().message.empty());
  return 0;
}
