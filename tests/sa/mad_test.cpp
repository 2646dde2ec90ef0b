#include "sa/mad.h"

#include <gtest/gtest.h>
#include <infiniband/mad.h>

namespace rch::sa {
namespace {

struct Pair {
  hw::Field ours;
  MAD_FIELDS theirs;
  const char* name;
};

constexpr Pair kFields[] = {
    {header::kRmppVersion, IB_SA_RMPP_VERS_F, "RMPPVersion"},
    {header::kRmppType, IB_SA_RMPP_TYPE_F, "RMPPType"},
    {header::kResponseTime, IB_SA_RMPP_RESP_F, "RRespTime"},
    {header::kRmppFlags, IB_SA_RMPP_FLAGS_F, "RMPPFlags"},
    {header::kRmppStatus, IB_SA_RMPP_STATUS_F, "RMPPStatus"},
    {header::kSegment, IB_SA_RMPP_SEGNUM_F, "SegmentNumber"},
    {header::kPayloadLength, IB_SA_RMPP_LEN_F, "PayloadLength"},
    {header::kNewWindowLast, IB_SA_RMPP_NEWWIN_F, "NewWindowLast"},
    {header::kAttributeOffset, IB_SA_ATTROFFS_F, "AttributeOffset"},
};

TEST(SaHeader, FieldsLieWhereLibibmadHasThem) {
  for (const Pair& field : kFields) {
    hw::Mad mad{};
    const std::uint64_t all_ones = (std::uint64_t{1} << field.ours.width) - 1;
    mad_set_field(mad.data(), 0, field.theirs, static_cast<std::uint32_t>(all_ones));
    EXPECT_EQ(hw::get(mad, field.ours), all_ones) << field.name;
    hw::set(mad, field.ours, 0);
    EXPECT_EQ(mad, hw::Mad{}) << field.name;
  }
}

TEST(SaHeader, ComponentMaskLiesWhereLibibmadHasIt) {
  hw::Mad mad{};
  mad_set_field64(mad.data(), 0, IB_SA_COMPMASK_F, 0x0123456789ABCDEF);
  EXPECT_EQ(hw::get(mad, header::kComponentMask), 0x0123456789ABCDEFU);
}

}  // namespace
}  // namespace rch::sa
