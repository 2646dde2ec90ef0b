// Places of fields. The records of sa/ were written from the same specification by other hands; libibmad
// judges those (tests/sa). Here the two are compared: a difference is a mistake in one of them.

#include "conformance/layouts.h"

#include <gtest/gtest.h>

#include "sa/records/record_type.h"

namespace rch::conformance {
namespace {

TEST(Layouts, RecordsOfTheFabricAreThoseOfTheServer) {
  const sa::RecordType* const kServers[] = {
      &sa::kNodeRecord,        &sa::kPortInfoRecord,       &sa::kSl2VlRecord,  &sa::kSwitchInfoRecord,
      &sa::kLinearTableRecord, &sa::kMulticastTableRecord, &sa::kSmInfoRecord, &sa::kLinkRecord,
      &sa::kGuidInfoRecord,    &sa::kVlArbitrationRecord};
  ASSERT_EQ(std::size(kServers), kFabricRecords.size());
  for (std::size_t i = 0; i < kFabricRecords.size(); ++i) {
    const Record& record = kFabricRecords[i];
    EXPECT_EQ(record.attribute, static_cast<std::uint16_t>(kServers[i]->attribute));
    EXPECT_EQ(record.size, kServers[i]->size) << record.name;
    for (const Component& component : record.components) {
      if (component.number == 0 || component.name == "ToLID") continue;  // the server looks LIDs up
      const auto found = std::ranges::find(kServers[i]->components, component.number, &sa::Component::number);
      ASSERT_NE(found, kServers[i]->components.end()) << record.name << " " << component.name;
      EXPECT_EQ(component.first_bit, found->first_bit) << record.name << " " << component.name;
      EXPECT_EQ(component.width, found->width) << record.name << " " << component.name;
    }
  }
}

TEST(Layouts, ComponentsLieInTheirRecordAndDoNotOverlap) {
  std::vector<const Record*> records{&kPathRecord, &kMcMemberRecord, &kServiceRecord, &kInformInfoRecord,
                                     &kPKeyTableRecord};
  for (const Record& record : kFabricRecords) records.push_back(&record);
  for (const Record* record : records) {
    std::vector<int> uses(8 * record->size);
    std::uint64_t numbers = 0;
    for (const Component& component : record->components) {
      EXPECT_EQ(numbers >> component.number & 1U, 0U) << record->name << " " << component.name;
      numbers |= std::uint64_t{1} << component.number;
      for (unsigned bit = component.first_bit; bit < component.first_bit + component.width; ++bit)
        EXPECT_EQ(uses.at(bit)++, 0) << record->name << " " << component.name;
    }
  }
}

TEST(Layouts, ValuesAreWhatWasSet) {
  std::vector<std::uint8_t> record(kPathRecord.size, 0xFF);
  for (const Component& component : kPathRecord.components) {
    Value value((component.width + 7U) / 8U);
    set_value(record, component, value);
    EXPECT_EQ(value_of(record, component), value);
    value.back() = 1;
    set_value(record, component, value);
    EXPECT_EQ(value_of(record, component), value) << component.name;
  }
}

}  // namespace
}  // namespace rch::conformance
