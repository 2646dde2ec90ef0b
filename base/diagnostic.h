#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace rch {

enum class Severity { note, warning, error };

/// The programs whose files these are.
enum class Peer { opensm, nvidia };

/// A registered kind of diagnostic. Rules are constants of the folder that reports them; each such folder
/// lists them in one array, and `rch show diagnostics` prints the union.
struct Rule {
  std::string_view name;         ///< kebab-case, unique: `undefined-port-group`
  Severity severity;             ///< default grade
  std::string_view summary;      ///< one line: what is wrong
  std::string_view reason = {};  ///< why it matters
  std::string_view opensm = {};  ///< what OpenSM does with it; completes "OpenSM …"
  std::string_view nvidia = {};  ///< what NVIDIA SM does with it; completes "NVIDIA SM …"
  std::string_view repair = {};  ///< what to write instead
};

/// A second place that belongs to the story, e.g. the first definition.
struct Label {
  Span span;
  std::string message;
};

/// One edit of a text: the bytes of `span` become `text`.
struct Edit {
  Span span;
  std::string text;
};

/// One finding about a user's text. Messages say what was seen: lower case, no full stop, code in backticks.
struct Diagnostic {
  const Rule* rule = nullptr;
  Severity severity = Severity::error;
  Span span;  ///< span.source none: about no particular text
  std::string message;
  std::vector<Label> labels;
  std::string hint;         ///< how to repair it; may be empty
  std::vector<Edit> fixes;  ///< the repair when only one is possible: all of these edits together
};

/// Collects diagnostics in the order they are reported.
class Diagnostics {
 public:
  /// Reports with the rule's default grade. Labels and hint may be added to the returned value.
  Diagnostic& add(const Rule& rule, Span span, std::string message);

  std::span<const Diagnostic> all() const { return all_; }
  std::size_t count(Severity severity) const;
  bool has_errors() const { return count(Severity::error) > 0; }
  /// Passes every diagnostic from number `from` on to `keep`, which may change it; those for which it is
  /// false are dropped.
  template <class Keep>
  void revise(std::size_t from, Keep keep) {
    const auto begin = all_.begin() + static_cast<std::ptrdiff_t>(from);
    all_.erase(std::remove_if(begin, all_.end(), [&](Diagnostic& d) { return !keep(d); }), all_.end());
  }
  /// Orders by text, then offset; equal places keep the order of report.
  void sort_by_place();

 private:
  std::vector<Diagnostic> all_;
};

struct RenderOptions {
  bool color = false;
  std::optional<Peer> compat = {};  ///< also say what this program does with such a line
};

/// The diagnostic as text: `file:line:column: error: message [rule]`, the line with carets, labels, hint.
/// Tabs are kept in the caret line so that carets line up; a very long line is cut round the caret.
std::string render(const Diagnostic& diagnostic, const SourceSet& sources, const RenderOptions& options = {});

std::string_view to_string(Severity severity);
/// `OpenSM`, `NVIDIA SM`.
std::string_view to_string(Peer peer);
/// What the program does with such a line, as a sentence without a full stop; empty if nobody knows.
std::string peer_behaviour(const Rule& rule, Peer peer);

}  // namespace rch
