#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "conformance/conformance.h"

namespace rch::conformance {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Queries one type of record by each component, for two values of it, and for one that no record has.
class Components {
 public:
  Components(Session& session, const Record& record, Fields base, std::uint64_t key)
      : session_(session), record_(record), base_(std::move(base)), key_(key) {}

  Finding judge() {
    const Reply all = ask(base_);
    if (!all.good() || all.record_size != record_.size || all.count() == 0)
      return all.good() && all.data.empty() ? skipped("there is no record to ask for")
                                            : Finding{Outcome::fail, "GetTable: " + all.text()};
    for (std::size_t i = 0; i < all.count(); ++i) table_.push_back(stable(all.record(i)));
    for (const Component& component : record_.components) {
      if (session_.client().stopped()) break;
      if (component.use == Use::changing || (component.use == Use::trusted && key_ == 0)) continue;
      const auto before = component.number;
      // The value of a selector is asked for with it.
      if (before > 0 && selects(static_cast<std::uint8_t>(before - 1))) continue;
      judge(component);
    }
    judgement_.note(
        fmt::format("{} records, {} components, {} queries", table_.size(), components_, queries_));
    return judgement_.finding();
  }

 private:
  bool selects(std::uint8_t number) const {
    return std::ranges::any_of(record_.components, [&](const Component& component) {
      return component.number == number && component.use == Use::selector;
    });
  }

  Reply ask(const Fields& fields) {
    ++queries_;
    return session_.client().ask(fields.request(method::kGetTable, key_));
  }

  /// Without what moves by itself.
  Bytes stable(std::span<const std::uint8_t> record) const {
    Bytes bytes(record.begin(), record.end());
    for (const Component& component : record_.components)
      if (component.use == Use::changing) set_value(bytes, component, Value((component.width + 7U) / 8U));
    return bytes;
  }

  std::vector<Bytes> records_of(const Reply& reply) const {
    std::vector<Bytes> records;
    if (reply.good() && reply.record_size == record_.size)
      for (std::size_t i = 0; i < reply.count(); ++i) records.push_back(stable(reply.record(i)));
    return records;
  }

  void wrong(const Component& component, const std::string& seen) {
    judgement_.expect(false, fmt::format("{} ({}): {}", component.name, component.number, seen));
  }

  void judge(const Component& component) {
    ++components_;
    // The values of the first record, and of one that differs.
    const Value first = value_of(table_.front(), component);
    const auto other = std::ranges::find_if(
        table_, [&](const Bytes& record) { return value_of(record, component) != first; });
    judge_own(component, table_.front());
    if (other != table_.end()) judge_own(component, *other);
    const bool asks_absent =
        component.use == Use::match || component.use == Use::within || component.use == Use::trusted;
    if (asks_absent) judge_absent(component);
  }

  void judge_own(const Component& component, const Bytes& record) {
    if (component.use == Use::selector) return judge_selector(component, record);
    const Value value = value_of(record, component);
    const Reply reply = ask(Fields(base_).set(component, value));
    std::vector<Bytes> got = records_of(reply);
    const auto is_among = [](const std::vector<Bytes>& records, const Bytes& one) {
      return std::ranges::find(records, one) != records.end();
    };
    if (component.use == Use::own || component.use == Use::within) {
      if (!is_among(got, record))
        wrong(component, "its own value: " + reply.text() + ", the record not among them");
      return;
    }
    std::vector<Bytes> expected;
    std::ranges::copy_if(table_, std::back_inserter(expected),
                         [&](const Bytes& one) { return value_of(one, component) == value; });
    std::ranges::sort(got);
    std::ranges::sort(expected);
    if (got != expected)
      wrong(component, fmt::format("{}, expected the {} with that value", reply.text(), expected.size()));
  }

  /// A value that no record has: one bit away from one that is there.
  void judge_absent(const Component& component) {
    const Value first = value_of(table_.front(), component);
    for (std::size_t bit = 0; bit < component.width; ++bit) {
      Value absent = first;
      absent[absent.size() - 1 - bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
      const bool there = std::ranges::any_of(
          table_, [&](const Bytes& record) { return value_of(record, component) == absent; });
      if (there) continue;
      const Reply reply = ask(Fields(base_).set(component, absent));
      if (!reply.answered || (reply.good() && reply.count() != 0))
        wrong(component, "a value that no record has: " + reply.text());
      return;
    }
  }

  /// Exactly what a record has is met by it; more than that is not.
  void judge_selector(const Component& selector, const Bytes& record) {
    constexpr std::uint8_t kGreater = 0, kExactly = 2;
    const auto& value = *std::ranges::find(record_.components, selector.number + 1, &Component::number);
    const Value own = value_of(record, value);
    const auto is_met = [&](std::uint8_t how) {
      const Reply reply = ask(Fields(base_).set(selector, {how}).set(value, own));
      const std::vector<Bytes> got = records_of(reply);
      return std::pair(std::ranges::find(got, record) != got.end(), reply.text());
    };
    if (const auto [met, text] = is_met(kExactly); !met) wrong(value, "exactly its own value: " + text);
    if (const auto [met, text] = is_met(kGreater); met) wrong(value, "greater than its own value: " + text);
  }

  Session& session_;
  const Record& record_;
  Fields base_;
  std::uint64_t key_;
  std::vector<Bytes> table_;
  Judgement judgement_;
  std::size_t components_ = 0, queries_ = 0;
};

Finding of_fabric(Session& session, const Record& record) {
  return Components(session, record, Fields(record), session.key().value_or(0)).judge();
}

Finding of_keys(Session& session) {
  if (!session.key()) return skipped("for the trusted only; --sa-key names the SA_Key");
  return of_fabric(session, kPKeyTableRecord);
}

/// Those from this port: all pairs are too many on a large fabric.
Finding of_paths(Session& session) {
  return Components(session, kPathRecord, Fields(kPathRecord).set("SGID", session.host().gid()), 0).judge();
}

Finding of_groups(Session& session) {
  session.ask(session.creation(session.own_group(1)).request(method::kSet));
  session.ask(session.creation(session.own_group(2), 3)
                  .set("TClass", std::uint64_t{0x21})
                  .set("FlowLabel", std::uint64_t{0x54321})
                  .set("Q_Key", std::uint64_t{0x52434802})
                  .select("MTU", 2, 3)
                  .request(method::kSet));
  return Components(session, kMcMemberRecord, Fields(kMcMemberRecord).set("PortGID", session.host().gid()),
                    session.key().value_or(0))
      .judge();
}

Finding of_services(Session& session) {
  const Record& record = kServiceRecord;
  for (std::uint64_t n = 1; n <= 2; ++n) {
    Fields service = Fields(record)
                         .set("ServiceID", 0x5243480000000000 + n)
                         .set("ServiceGID", session.host().gid())
                         .set("ServiceName", fmt::format("rch sa test {}", n));
    for (const Component& component : record.components.subspan(record.components.size() - 30))
      service.set(component.name, n * 0x11 * component.number);
    session.ask(service.request(method::kSet));
  }
  return Components(session, record, Fields(record).set("ServiceGID", session.host().gid()),
                    session.key().value_or(0))
      .judge();
}

Finding of_subscriptions(Session& session) {
  session.ask(subscription(66, true));
  session.ask(subscription(67, true));
  return Components(session, kInformInfoRecord,
                    Fields(kInformInfoRecord).set("SubscriberGID", session.host().gid()),
                    session.key().value_or(0))
      .judge();
}

}  // namespace

void add_component_tests(std::vector<Test>& tests) {
  constexpr std::string_view kAbout = "Queries by each component alone";
  const auto add = [&](const Record& record, std::function<Finding(Session&)> run) {
    tests.push_back({fmt::format("components-{}", record.name), kAbout, std::move(run)});
  };
  for (const Record& record : kFabricRecords)
    add(record, [&record](Session& session) { return of_fabric(session, record); });
  add(kPKeyTableRecord, of_keys);
  add(kPathRecord, of_paths);
  add(kMcMemberRecord, of_groups);
  add(kServiceRecord, of_services);
  add(kInformInfoRecord, of_subscriptions);
}

}  // namespace rch::conformance
