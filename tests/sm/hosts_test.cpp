// What hosts ask of the manager that stays.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sa/path_fields.h"
#include "sa/rmpp_datagram.h"
#include "sm/stations.h"

namespace rch::sm {
namespace {

using hw::Attribute;
using sim::Visit;
using std::chrono::milliseconds;
using test::request_of;
using test::Reregistrations;
using test::Station;

using HostsTest = test::StationsTest;

TEST_F(HostsTest, AnswersHostsOnceTheSubnetIsUp) {
  Station& station = add(0);
  const auto ask = [&](const hw::Datagram& datagram) {
    station.driver.on_arrival(std::span(&datagram, 1), fake.now());
    station.driver.carry_out();
    return station.manager.subnet_administration().counters().answered;
  };
  const auto query = [&] {
    const Lid lid =
        station.manager.installed() ? station.manager.installed()->fabric->port(host(1)).lid : Lid(1);
    return request_of(lid, sa::Method::get, sa::Attribute::class_port_info);
  };
  EXPECT_EQ(ask(query()), 0U);
  ASSERT_TRUE(bring_up(station));
  EXPECT_EQ(ask(query()), 1U);
  station.manager.sweep();
  EXPECT_EQ(ask(query()), 2U);  // while it sweeps, too
}

TEST_F(HostsTest, FirstAnswersKnowTheLidsThatWereJustWritten) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  const fabric::Fabric& planned = *station.manager.installed()->fabric;
  sim::SimulatedPort asker(fake, host(1));
  hw::Datagram query =
      request_of(planned.port(host(0)).lid, sa::Method::get_table, sa::Attribute::path_record);
  set(query.mad, sa::header::kComponentMask, std::uint64_t{1} << sa::path_record::kSlidComponent);
  const std::span<std::uint8_t> record = std::span(query.mad).subspan(sa::header::kData);
  set(record, sa::path_record::kSlid, planned.port(host(1)).lid.value);
  ASSERT_TRUE(asker.send(query, {}));
  run([&] { return !asker.nothing_arrived(); }, milliseconds{100});
  std::vector<hw::Datagram> arrived;
  asker.receive(arrived, fake.now());
  ASSERT_EQ(arrived.size(), 1U);
  const std::size_t bytes = (planned.switch_count() + planned.end_ports().size()) * sa::path_record::kSize;
  const std::size_t segments = (bytes + sa::kDataSize - 1) / sa::kDataSize;
  EXPECT_EQ(sa::rmpp_fields(arrived.front().mad).length, bytes + segments * sa::kSegmentHeader);
}

// What takes long is a job, and hosts are answered before it is done: LIDs and routes, the look put together,
// the comparison, the update plan, the snapshot.
TEST_F(HostsTest, AnswersHostsWhileJobsRun) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  const Lid lid = station.manager.installed()->fabric->port(host(1)).lid;
  std::optional<hw::Job> running;
  station.driver.run_jobs_with([&](const hw::Job& job) { running = job; });
  const auto& counters = station.manager.subnet_administration().counters();
  const auto generation = station.manager.status().generation;
  fake.pull(cable());
  std::size_t jobs = 0;
  const auto published = [&] {
    if (!running) return station.manager.status().generation > generation;
    ++jobs;
    const hw::Datagram query = request_of(lid, sa::Method::get, sa::Attribute::class_port_info);
    station.driver.on_arrival(std::span(&query, 1), fake.now());
    station.driver.carry_out();
    EXPECT_EQ(counters.answered, jobs);
    const hw::Job job = *std::exchange(running, std::nullopt);
    job.run();
    station.driver.on_job_done(job.id);
    station.driver.carry_out();
    return !running && station.manager.status().generation > generation;
  };
  ASSERT_TRUE(run(published)) << told();
  EXPECT_EQ(jobs, 6U);
}

// The agent of the port has them before the host is answered. Nothing is swept for it.
TEST_F(HostsTest, GivesAliasGuidsToAPort) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  const fabric::Port port = station.manager.installed()->fabric->port(host(1));
  hw::Datagram asked = request_of(port.lid, sa::Method::set, sa::Attribute::guid_info_record);
  set(asked.mad, sa::header::kComponentMask, 0b100011);
  set(asked.mad, hw::Field{sa::header::kData, 0, 16}, port.lid.value);
  set(asked.mad, hw::Field{sa::header::kData + 16, 0, 64}, 0xA11A5);
  const auto& counters = station.manager.subnet_administration().counters();
  const std::size_t sweeps = station.manager.counters().whole_sweeps;
  const auto ask = [&] {
    station.driver.on_arrival(std::span(&asked, 1), fake.now());
    const std::size_t before = counters.answered;
    return run([&] { return counters.answered > before; }, milliseconds{100});
  };
  ASSERT_TRUE(ask());
  EXPECT_EQ(counters.refused, 0U);
  const hw::SmpData& table = fake.guid_info[{host(1), 0}];
  EXPECT_EQ(get(table, hw::Field{0, 0, 64}), port.guid.value);
  EXPECT_EQ(get(table, hw::Field{8, 0, 64}), 0xA11A5U);
  EXPECT_EQ(station.manager.counters().whole_sweeps, sweeps);
  fake.refuse = [](const Visit& visit) { return visit.attribute == Attribute::guid_info; };
  set(asked.mad, hw::mad_header::kTransaction, 2);
  ASSERT_TRUE(ask());
  EXPECT_EQ(counters.refused_by.at(sa::Status::no_resources), 1U);
}

TEST_F(HostsTest, JoinsLeadToOnePlanThatKnowsThem) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  run_for(milliseconds{3000});
  const std::size_t before = plans;
  const std::shared_ptr planned = station.manager.installed()->fabric;  // outlives the plan
  for (const std::size_t h : {1U, 2U}) {
    const hw::Datagram join = test::join_of(planned->port(host(h)), 7);
    station.driver.on_arrival(std::span(&join, 1), fake.now());
  }
  ASSERT_TRUE(run([&] { return plans > before && station.manager.status().generation == plans; })) << told();
  EXPECT_EQ(plans, before + 1);
  ASSERT_EQ(joined.size(), 1U);
  EXPECT_EQ(joined[0].members, (std::vector{planned->port(host(1)).guid, planned->port(host(2)).guid}));
  EXPECT_THAT(station.told, testing::Contains("multicast groups changed"));
  run_for(std::chrono::minutes{1});
  EXPECT_EQ(plans, before + 1);
}

// A manager that knows the plan and what hosts registered asks no host to register again.
TEST_F(HostsTest, RestartWithAWholeJournalAsksNoHostToRegisterAgain) {
  Reregistrations asked(fake);
  std::string journal;
  Station& first = add(0);
  first.driver.keep_with(keep_in(journal));
  ASSERT_TRUE(bring_up(first)) << told();
  EXPECT_GT(asked.take(), 0U);
  const chains::Plan plan = *first.manager.installed();
  for (const bool whole : {true, false}) {
    stations.clear();
    Station& next = add(0);
    next.manager.start_from(plan);
    next.manager.start_from(sa::read_journal(whole ? journal : journal.substr(0, journal.size() - 1)));
    ASSERT_TRUE(bring_up(next)) << told();
    EXPECT_EQ(asked.take() == 0, whole);
  }
}

}  // namespace
}  // namespace rch::sm
