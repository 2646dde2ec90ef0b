#include <fmt/format.h>

#include "conformance/conformance.h"

namespace rch::conformance {
namespace {

constexpr std::uint64_t kServiceId = 0x5243480000000100;
constexpr std::string_view kName = "rch sa test";

Fields service(const Session& session, std::uint64_t number, std::string_view name = kName) {
  return Fields(kServiceRecord)
      .set("ServiceID", kServiceId + number)
      .set("ServiceGID", session.host().gid())
      .set("ServiceName", name);
}
Fields by_id(std::uint64_t number) { return Fields(kServiceRecord).set("ServiceID", kServiceId + number); }

Finding records(Session& session) {
  Judgement judgement;
  const auto get_one = [&](const Fields& fields, std::string_view what) {
    const Reply reply = session.ask(fields.request(method::kGet));
    judgement.expect(reply.good() && reply.count() == 1, fmt::format("{}: {}", what, reply.text()));
  };
  judgement.expect_status(session.ask(service(session, 1).request(method::kSet)), status::kGood, "Set");
  get_one(by_id(1), "Get by ServiceID");
  get_one(Fields(kServiceRecord).set("ServiceName", kName), "Get by ServiceName");
  get_one(service(session, 1), "Get by both and the GID");
  judgement.expect_status(session.ask(by_id(7).request(method::kGet)), status::kNoRecords,
                          "Get of another ServiceID");
  judgement.expect_status(session.ask(service(session, 1, "rch sa test, renamed").request(method::kSet)),
                          status::kGood, "Set with another name");
  const Reply renamed =
      session.ask(Fields(kServiceRecord).set("ServiceID", kServiceId + 1).request(method::kGetTable));
  judgement.expect(renamed.count() == 1, "after the second Set: " + renamed.text());
  judgement.expect_status(session.ask(Fields(kServiceRecord).set("ServiceName", kName).request(method::kGet)),
                          status::kNoRecords, "Get by the former name");
  judgement.expect_status(session.ask(service(session, 1).request(method::kDelete)), status::kGood, "Delete");
  judgement.expect_status(session.ask(service(session, 1).request(method::kDelete)), status::kNoRecords,
                          "second Delete");
  judgement.expect_status(session.ask(by_id(1).request(method::kGet)), status::kNoRecords,
                          "Get after Delete");
  judgement.expect_refused(session.ask(service(session, 1).without("ServiceGID").request(method::kSet)),
                           "Set without ServiceGID");
  judgement.expect_refused(session.ask(service(session, 1).without("ServiceID").request(method::kSet)),
                           "Set without ServiceID");
  judgement.note("set, found, renamed, deleted");
  return judgement.finding();
}

Finding lease(Session& session) {
  constexpr std::uint64_t kSeconds = 2;
  Judgement judgement;
  session.ask(service(session, 2).set("ServiceLease", kSeconds).request(method::kSet));
  const Reply there = session.ask(by_id(2).request(method::kGet));
  judgement.expect(there.good() && there.count() == 1, "within the lease: " + there.text());
  session.client().reports(hw::Milliseconds(1000 * (kSeconds + 2)),
                           SIZE_MAX);  // waits, and can be interrupted
  judgement.expect_status(session.ask(by_id(2).request(method::kGet)), status::kNoRecords,
                          "two seconds after the lease");
  judgement.note("a record goes with its lease");
  return judgement.finding();
}

}  // namespace

void add_service_tests(std::vector<Test>& tests) {
  tests.push_back({"service-records", "ServiceRecord: set, find, change, delete", records});
  tests.push_back({"service-lease", "A ServiceRecord goes with its lease", lease});
}

}  // namespace rch::conformance
