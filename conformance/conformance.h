#pragma once

// A conformance test of subnet managers and their administrations, whoever made them, as a client of any port
// can see them.
//
// A test is a function over a session and a row of a table. Each cleans up after itself, also when it fails
// or is interrupted. It does not judge what a client cannot see: the outcome says so.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/session.h"

namespace rch::conformance {

enum class Outcome : std::uint8_t {
  pass,
  fail,
  skipped,         ///< the fabric, or what the client was told, does not have what the test needs
  not_observable,  ///< a statement of which a client sees nothing
};
std::string_view name_of(Outcome outcome);

struct Finding {
  Outcome outcome = Outcome::pass;
  std::string seen;
};

/// Collects what a test sees. It fails when one expectation does not hold.
class Judgement {
 public:
  /// `seen`: said when it does not hold.
  void expect(bool holds, const std::string& seen);
  void expect_status(const Reply& reply, std::uint16_t status, std::string_view what);
  /// Refused, with whatever status.
  void expect_refused(const Reply& reply, std::string_view what);
  /// Said when all holds.
  void note(const std::string& seen);
  Finding finding() const;

 private:
  std::vector<std::string> wrong_, notes_;
};

inline Finding skipped(std::string why) { return {Outcome::skipped, std::move(why)}; }
inline Finding not_observable(std::string why) { return {Outcome::not_observable, std::move(why)}; }

struct Test {
  std::string name;
  std::string_view about;
  std::function<Finding(Session&)> run;
};

/// All tests, in the order in which they run.
std::vector<Test> all_tests();

struct TestResult {
  std::string name;
  std::string_view about;
  Finding finding;
};

/// Runs the tests and tells of each; the last row says whether the run left anything behind. Ends early when
/// the client is stopped.
void run(Session& session, const std::vector<Test>& tests,
         const std::function<void(const TestResult&)>& tell);

// The tests, a file for each kind.
void add_query_tests(std::vector<Test>& tests);
void add_component_tests(std::vector<Test>& tests);
void add_transfer_tests(std::vector<Test>& tests);
void add_service_tests(std::vector<Test>& tests);
void add_event_tests(std::vector<Test>& tests);
void add_multicast_tests(std::vector<Test>& tests);
void add_statement_tests(std::vector<Test>& tests);

}  // namespace rch::conformance
