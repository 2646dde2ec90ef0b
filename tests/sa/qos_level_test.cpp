#include <fmt/format.h>
#include <gtest/gtest.h>

#include "policy/build/front_end.h"
#include "sa/path_fields.h"
#include "sa/path_record.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

namespace pr = path_record;
using test::Asked;
using test::SmallSnapshot;

/// Two hosts with four LIDs each, from 8 and 12, whose paths get the one level of a policy.
class OneLevel {
 public:
  explicit OneLevel(std::string_view lines) : small_(shape()) {
    SourceSet sources;
    Diagnostics diagnostics;
    sources.provide("opensm.conf", "qos TRUE\nqos_policy_file qos.conf\n");
    sources.provide("qos.conf", fmt::format("qos-levels\nqos-level\nname: DEFAULT\nsl: 0\n{}\nend-qos-level\n"
                                            "end-qos-levels\n",
                                            lines));
    const auto read = policy::load("opensm.conf", sources, diagnostics);
    EXPECT_TRUE(read && read->policy) << diagnostics.all().size();
    chains::Plan& plan = small_.snapshot.plan;
    plan.options = read->policy->options;
    plan.bound = std::make_shared<const policy::BoundPolicy>(
        policy::bind(std::make_shared<const policy::Policy>(*read->policy), plan.fabric, diagnostics));
    small_.set_pkeys(
        {{small_.host(0), {0xFFFF, 0x8001, 0x8002}}, {small_.host(1), {0xFFFF, 0x8001, 0x8002}}});
    small_.snapshot.qos = QosPorts::of(plan, small_.snapshot.local);
  }

  Asked ask() const {
    return Asked(Method::get, Attribute::path_record)
        .with_bytes(pr::kSgidComponent, pr::kSgid, small_.gid(small_.host(0)))
        .with_bytes(pr::kDgidComponent, pr::kDgid, small_.gid(small_.host(1)));
  }
  Answer answer(Asked asked) const {
    return answer_path_record(small_.snapshot, {.port = small_.snapshot.local}, asked.filled());
  }

 private:
  static test::Shape shape() {
    test::Shape shape = test::clos(2, 1, 1);
    shape.lmc = 2;
    return shape;
  }
  SmallSnapshot small_;
};

TEST(QosLevel, PKeysOfALevelAreTheOnlyOnes) {
  const OneLevel site("pkey: 0x0002");
  const auto ask_for = [&](std::uint16_t pkey) {
    return site.answer(site.ask().with(pr::kFields.pkey.number, pr::kFields.pkey.field, pkey));
  };
  EXPECT_EQ(get(site.answer(site.ask()).records, pr::kFields.pkey.field), 0x8002U);
  EXPECT_EQ(ask_for(0x8002).status, Status::good);
  EXPECT_EQ(ask_for(0x0002).status, Status::good);
  EXPECT_EQ(ask_for(0x8001).status, Status::no_records);
}

TEST(QosLevel, PathBitsChooseAmongTheLidsOfAPort) {
  const auto source = [](std::string_view bits) {
    const OneLevel site(fmt::format("path-bits: {}", bits));
    const Answer answer = site.answer(site.ask());
    return answer.status == Status::good ? get(answer.records, pr::kSlid) : 0;
  };
  const std::uint64_t first = source("0-127");
  EXPECT_EQ(source("2-3"), first + 2);
  EXPECT_EQ(source("4-127"), first);  // the port has none of those
}

}  // namespace
}  // namespace rch::sa
