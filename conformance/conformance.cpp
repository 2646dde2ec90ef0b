#include "conformance/conformance.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rch::conformance {
namespace {

/// What is said of a test that fails in many places.
constexpr std::size_t kMostShown = 6;

std::string joined(std::vector<std::string> texts) {
  const std::size_t more = texts.size() > kMostShown ? texts.size() - kMostShown : 0;
  texts.resize(texts.size() - more);
  std::string all = fmt::format("{}", fmt::join(texts, "; "));
  return more == 0 ? all : fmt::format("{}; and {} more", all, more);
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  constexpr std::string_view kNames[] = {"pass", "fail", "skipped", "not observable"};
  return kNames[static_cast<std::size_t>(outcome)];
}

void Judgement::expect(bool holds, const std::string& seen) {
  if (!holds) wrong_.push_back(seen);
}

void Judgement::expect_status(const Reply& reply, std::uint16_t status, std::string_view what) {
  expect(reply.answered && reply.status == status,
         fmt::format("{}: {}, expected {}", what, reply.text(), name_of_status(status)));
}

void Judgement::expect_refused(const Reply& reply, std::string_view what) {
  expect(reply.answered && reply.status != status::kGood,
         fmt::format("{}: {}, expected a refusal", what, reply.text()));
}

void Judgement::note(const std::string& seen) { notes_.push_back(seen); }

Finding Judgement::finding() const {
  if (wrong_.empty()) return {Outcome::pass, joined(notes_)};
  return {Outcome::fail, joined(wrong_)};
}

std::vector<Test> all_tests() {
  std::vector<Test> tests;
  add_query_tests(tests);
  add_component_tests(tests);
  add_transfer_tests(tests);
  add_service_tests(tests);
  add_event_tests(tests);
  add_multicast_tests(tests);
  add_statement_tests(tests);
  return tests;
}

void run(Session& session, const std::vector<Test>& tests,
         const std::function<void(const TestResult&)>& tell) {
  const std::string before = session.registrations();
  for (const Test& test : tests) {
    if (session.client().stopped()) break;
    Finding finding = test.run(session);
    const bool stopped = session.client().stopped();
    session.clean();
    if (stopped) break;
    tell({test.name, test.about, std::move(finding)});
  }
  session.client().set_cleaning(true);
  const std::string after = session.registrations();
  const bool same = before == after;
  tell({"cleaning-up",
        "This port has registered what it had before, and nothing else",
        {same ? Outcome::pass : Outcome::fail,
         same ? after : fmt::format("before {}; after {}", before, after)}});
}

}  // namespace rch::conformance
