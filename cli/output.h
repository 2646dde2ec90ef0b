#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/json.h"

#include "base/diagnostic.h"
#include "chains/chain.h"
#include "cli/exit.h"
#include "cli/flags.h"
#include "cli/layout.h"
#include "fabric/quarantine.h"
#include "verify/verify.h"

namespace rch::cli {

/// Returns the warning that the cable of our own port is used although the operator does not let it take
/// part.
std::string kept_own_cable(const fabric::Quarantined& cable);

/// Returns the warning that no node has these GUIDs of `held_back_sw_file`; empty: there are none.
std::string absent_held_back(std::span<const Guid> guids);

/// Everything one command has to say. Text goes out as it comes (findings and errors to standard error,
/// results to standard output); JSON is one object on standard output, printed by finish(). Of findings of
/// one rule in one text the first are shown, the others counted.
class Output {
 public:
  /// Gets text in place of the standard streams.
  using Sink = std::function<void(std::string_view)>;
  explicit Output(Format format, Sink sink = {});
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Prints (or keeps) the diagnostics not yet reported.
  void diagnostics(const Diagnostics& diagnostics, const SourceSet& sources);
  void error(const Error& error);
  /// From here on findings are the result.
  void result_is_findings() { findings_are_result_ = true; }
  /// From here on nothing is printed, kept or counted as reported.
  void mute() { muted_ = true; }

  /// Lines of plain result for people.
  void text(std::string_view lines);
  /// One line of plain result for people: "fabric  30 switches, …". A long one goes on in the next.
  void line(const std::string& text, Meaning meaning = Meaning::plain);
  /// From here on results are kept until the verdict is printed, or the command ends: it comes first.
  void begin_with_verdict() { is_kept_ = true; }
  /// Whether results have details (`-v`).
  void show_details(bool shown) { has_details_ = shown; }
  bool has_details() const { return has_details_; }
  /// What a live fabric was seen without.
  /// `own_cable`: that of our own port, if it is not as the operator wants. `absent`: GUIDs of
  /// `held_back_sw_file` that no node has.
  void quarantine(const std::vector<fabric::Quarantined>& parts,
                  const std::optional<fabric::Quarantined>& own_cable = {},
                  std::span<const Guid> absent = {});
  /// On standard error, with text output.
  void warning(const std::string& text);
  void steps(const std::vector<chains::StepReport>& steps);
  /// How a line `verdict` begins: what is proven, and that something is not.
  struct VerdictWords {
    std::string proven = "proven: every pair reachable, no loop, no credit loop";
    std::string refused = "NOT clean, nothing may be committed";
    bool is_refused = false;  ///< something beside the verdict forbids the tables
  };
  void verdict(const verify::Verdict& verdict, const fabric::Fabric& fabric, const VerdictWords& words);
  void verdict(const verify::Verdict& verdict, const fabric::Fabric& fabric) {
    this->verdict(verdict, fabric, VerdictWords());
  }
  /// A member of the JSON object only.
  void json(const std::string& key, Json value);

  Format format() const { return format_; }
  /// Number of diagnostics reported so far.
  std::size_t reported() const { return reported_; }
  /// Also say with each diagnostic what this program would do.
  void compare_with(std::optional<Peer> compat) { compat_ = compat; }
  /// Prints the JSON object and hands the exit code through.
  Exit finish(Exit code);

 private:
  struct Document;
  void put(std::FILE* stream, std::string_view text) const;
  std::size_t columns() const;
  bool colors(std::FILE* stream) const;
  void result(std::string_view text);
  void put_kept();
  void claim(const verify::Verdict& verdict, const VerdictWords& words);
  void findings(const verify::Verdict& verdict, const fabric::Fabric& fabric);
  void limits(const verify::Verdict& verdict);

  Format format_;
  Sink sink_;
  bool muted_ = false, findings_are_result_ = false, is_kept_ = false, has_details_ = false;
  std::string kept_;  ///< results, until the verdict
  std::size_t reported_ = 0;
  std::optional<Peer> compat_;
  std::unique_ptr<Document> document_;
};

/// A finding as JSON shows it; `compat`: with what this program would do.
Json to_json(const Diagnostic& diagnostic, const SourceSet& sources, std::optional<Peer> compat = {});

/// `name` (0x…) of a node, for messages.
std::string describe(const fabric::Node& node);

}  // namespace rch::cli
