#include "cli/ticket_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/source.h"
#include "chains/plan.h"

namespace rch::cli {
namespace {

std::string_view name_of(TicketJournal::Direction direction) {
  return direction == TicketJournal::Direction::forward ? "forward" : "back";
}

/// `begun forward TICKET CHECK`. The check is a digest of what is before it, so a line that was cut short is
/// seen.
std::string line_of(std::string_view event, TicketJournal::Direction direction, std::string_view ticket) {
  const std::string words = fmt::format("{} {} {}", event, name_of(direction), ticket);
  return fmt::format("{} {}\n", words, chains::digest(words));
}

/// The state after a line; none: it is no line of that ticket. `ticket` empty: of any.
std::optional<TicketJournal::State> state_after(std::string_view line, std::string_view ticket) {
  for (const auto& [event, kind] : {std::pair("begun", TicketJournal::State::Kind::open),
                                    std::pair("ended", TicketJournal::State::Kind::ended)})
    for (const TicketJournal::Direction direction :
         {TicketJournal::Direction::forward, TicketJournal::Direction::back}) {
      const std::string begin = fmt::format("{} {} ", event, name_of(direction));
      constexpr std::size_t kDigest = 32;
      if (!line.starts_with(begin) || line.size() < begin.size() + kDigest) continue;
      const std::string_view named = line.substr(begin.size(), kDigest);
      if (!ticket.empty() && named != ticket) continue;
      if (std::string(line) + "\n" == line_of(event, direction, named))
        return TicketJournal::State{kind, direction};
    }
  return std::nullopt;
}

/// A process may be killed within a write: what follows the last line break counts as not written.
Result<TicketJournal::State> state_of(std::string_view text, std::string_view ticket,
                                      const std::string& path) {
  TicketJournal::State state;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    const auto after = state_after(text.substr(0, end), ticket);
    if (!after)
      return fail(ErrorKind::usage,
                  fmt::format("`{}` is damaged, or about another ticket: `rch apply` with a plan "
                              "or a configuration goes on from whatever is installed",
                              path));
    state = *after;
    text.remove_prefix(end + 1);
  }
  return state;
}

}  // namespace

TicketJournal::TicketJournal(int file, std::string path, std::string ticket)
    : file_(file), path_(std::move(path)), ticket_(std::move(ticket)) {}

TicketJournal::TicketJournal(TicketJournal&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      path_(std::move(other.path_)),
      ticket_(std::move(other.ticket_)),
      state_(other.state_) {}

TicketJournal::~TicketJournal() {
  if (file_ >= 0) ::close(file_);
}

Result<TicketJournal> TicketJournal::open(const std::string& path, const std::string& ticket) {
  const int file =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const auto failure = [&](const char* what) {
    return fail(ErrorKind::usage,
                fmt::format("cannot {} `{}`: {}", what, path, std::generic_category().message(errno)));
  };
  if (file < 0) return failure("open");
  TicketJournal journal(file, path, ticket);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failure("lock");
    return fail(ErrorKind::usage, fmt::format("another process carries out the ticket of `{}`", path));
  }
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto state = state_of(*text, ticket, path);
  if (!state) return tl::unexpected(state.error());
  journal.state_ = *state;
  // A line that was cut short must not run into the next one.
  const std::size_t whole = text->rfind('\n') == std::string::npos ? 0 : text->rfind('\n') + 1;
  if (whole != text->size() && ::ftruncate(file, static_cast<off_t>(whole)) != 0) return failure("repair");
  return journal;
}

Result<void> TicketJournal::append(std::string_view event, TicketJournal::Direction direction,
                                   TicketJournal::State::Kind kind) {
  const auto failure = [&] {
    return fail(ErrorKind::usage,
                fmt::format("cannot write `{}`: {}", path_, std::generic_category().message(errno)));
  };
  const std::string line = line_of(event, direction, ticket_);
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t count = ::write(file_, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure();
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(file_) != 0) return failure();
  // The name of a new file is on the disk when its folder is. Not every file system can say so.
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  const int of_folder = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (of_folder >= 0) {
    ::fsync(of_folder);
    ::close(of_folder);
  }
  state_ = {kind, direction};
  return {};
}

Result<TicketJournal::State> state_in(std::string_view text, const std::string& path) {
  return state_of(text, {}, path);
}

Result<TicketJournal::State> journal_state(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return TicketJournal::State{};
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  return state_in(*text, path);
}

}  // namespace rch::cli
