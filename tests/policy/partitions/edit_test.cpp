// Changes of a partition file leave all other bytes as they are.

#include "policy/build/partitions/edit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>

namespace rch::policy::partitions {
namespace {

using FileMembership = parsers::partitions::Membership;

constexpr std::string_view kFile = R"(# Tenants
Default=0x7fff, ipoib : ALL=limited, SELF=full;

Red=0x0101 , sl=1:  0x11=full,  # the first
   0x12 ,0x13 ;   # no more
Blue=0x8102 : ;
Red : 0x14=both;
)";

parsers::partitions::Syntax parsed(std::string_view text, Diagnostics& diagnostics) {
  static std::deque<SourceSet> kept;
  SourceSet& sources = kept.emplace_back();
  return parsers::partitions::parse(sources, sources.add("partitions.conf", std::string(text)), diagnostics);
}

/// The text, or why there is none.
std::string outcome(const Result<std::string>& result) { return result ? *result : result.error().message; }

std::string added(std::string_view text, std::string_view partition, std::uint64_t port,
                  FileMembership membership = FileMembership::full) {
  Diagnostics ignored;
  return outcome(with_member(text, parsed(text, ignored), partition, Guid(port), membership));
}

std::string removed(std::string_view text, std::string_view partition, std::uint64_t port) {
  Diagnostics ignored;
  return outcome(without_member(text, parsed(text, ignored), partition, Guid(port)));
}

/// `text` with the one place of `from` replaced.
std::string with(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  EXPECT_NE(out.find(from), out.npos) << from;
  return out.replace(out.find(from), from.size(), to);
}

TEST(PartitionEdit, AMemberGoesToTheEndOfTheLastStatement) {
  EXPECT_EQ(added(kFile, "Red", 0x99), with(kFile, "0x14=both", "0x14=both, 0x0000000000000099=full"));
  EXPECT_EQ(added(kFile, "0x0101", 0x99, FileMembership::both),
            with(kFile, "0x13 ;", "0x13, 0x0000000000000099=both ;"))
      << "the statement with the number";
}

TEST(PartitionEdit, AMemberGoesToAPartitionWithoutMembers) {
  EXPECT_EQ(added(kFile, "Blue", 0x99, FileMembership::limited),
            with(kFile, "0x8102 : ;", "0x8102 : 0x0000000000000099=limited ;"));
  EXPECT_EQ(added(kFile, "0x102", 0x99), added(kFile, "Blue", 0x99)) << "whatever the membership bit is";
}

TEST(PartitionEdit, ANewPartitionGoesToTheEnd) {
  EXPECT_EQ(added(kFile, "Green=0x13", 0x99),
            std::string(kFile) + "Green=0x0013 : 0x0000000000000099=full;\n");
  EXPECT_EQ(added("Red=1 : ALL; # all", "Green=0x8013", 0x99, FileMembership::limited),
            "Red=1 : ALL; # all\nGreen=0x0013 : 0x0000000000000099=limited;\n");
  EXPECT_EQ(added("", "Green=0x13", 0x99), "Green=0x0013 : 0x0000000000000099=full;\n");
}

TEST(PartitionEdit, APartitionThatIsThereGetsAMember) {
  EXPECT_EQ(added(kFile, "Red=0x101", 0x99), added(kFile, "Red", 0x99));
  EXPECT_EQ(added(kFile, "Blue=0x102", 0x99), added(kFile, "Blue", 0x99));
}

TEST(PartitionEdit, ANameOrANumberOfAnotherPartitionIsRefused) {
  EXPECT_EQ(added(kFile, "Red=0x13", 0x99), "the file has a partition `Red` with another P_Key");
  EXPECT_EQ(added(kFile, "Green=0x101", 0x99), "the file has a partition `Red` with another name");
  EXPECT_EQ(added(kFile, "Green=0x7fff", 0x99), "the file has a partition `Default` with another name");
}

TEST(PartitionEdit, WhatIsNoPartitionIsRefused) {
  for (const char* made : {"Green=", "=0x13", "Green=0x10000", "Green=x"})
    EXPECT_EQ(added(kFile, made, 0x99), fmt::format("the file has no partition `{}`", made));
  for (const char* made : {"Green:=0x13", "Gre;en=0x13", "#Green=0x13"})
    EXPECT_NE(added(kFile, made, 0x99).find("is no name for a partition"), std::string::npos) << made;
  EXPECT_NE(added("Red=1 : ALL", "Green=0x13", 0x99).find("does not end with a statement"),
            std::string::npos);
}

TEST(PartitionEdit, AMemberGoesWithItsComma) {
  EXPECT_EQ(removed(kFile, "Red", 0x12), with(kFile, "0x12 ,", ""));
  EXPECT_EQ(removed(kFile, "Red", 0x13), with(kFile, " ,0x13", ""));
  EXPECT_EQ(removed(kFile, "Red", 0x14), with(kFile, "0x14=both", ""));
}

TEST(PartitionEdit, CommentsStay) {
  EXPECT_EQ(removed("Red=1 : 0x11,  # here, there,\n  0x12 ;\n", "Red", 0x12),
            "Red=1 : 0x11,  # here, there,\n   ;\n");
  EXPECT_EQ(removed("Red=1 : 0x11  # one\n , 0x12 ;\n", "Red", 0x12), "Red=1 : 0x11  # one\n ;\n");
  EXPECT_EQ(removed("Red=1 : 0x11  # one,\n , 0x12 ;\n", "Red", 0x11), "Red=1 :   # one,\n , 0x12 ;\n");
}

TEST(PartitionEdit, WhatIsAddedIsTakenAwayAgain) {
  for (const std::string_view partition : {"Red", "0x0101", "Blue", "Default"}) {
    const std::string more = added(kFile, partition, 0x99);
    Diagnostics diagnostics;
    const auto syntax = parsed(more, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_EQ(syntax.members.size(), 7U) << "ALL, SELF, four of Red, and the new one";
    const std::string less = removed(more, partition, 0x99);
    Diagnostics none;
    EXPECT_EQ(parsed(less, none).members.size(), 6U);
    EXPECT_FALSE(none.has_errors());
  }
}

// OpenSM reads 4,094 bytes of a line. What is behind them would be another line to it.
TEST(PartitionEdit, ALineThatWouldBeTooLongIsBroken) {
  std::string text = "Red=0x0101 : 0x1=full ; # tenants\n";
  for (std::uint64_t port = 2; port <= 600; ++port) text = added(text, "Red", port);
  Diagnostics found;
  const auto syntax = parsed(text, found);
  EXPECT_TRUE(found.all().empty());
  ASSERT_EQ(syntax.statements.size(), 1U);
  EXPECT_EQ(syntax.members_of(syntax.statements[0].members).size(), 600U);
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < text.size(); ++lines) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 4094U);
    begin = end + 1;
  }
  EXPECT_GE(lines, 4U);
}

TEST(PartitionEdit, ALineThatIsTooLongIsRefused) {
  const std::string text = "# tenants\nRed=0x0101 : 0x11" + std::string(4100, ' ') + ";\n";
  EXPECT_EQ(added(text, "Red", 0x99),
            "line 2 of the file has 4118 bytes, of which OpenSM reads 4094: break it first");
}

TEST(PartitionEdit, AMistypedNameIsRecognised) {
  EXPECT_EQ(added(kFile, "Redd", 0x99), "the file has no partition `Redd`; did you mean `Red`?");
  EXPECT_EQ(removed(kFile, "Bleu", 0x99), "the file has no partition `Bleu`; did you mean `Blue`?");
}

TEST(PartitionEdit, WhatCannotBeDoneIsRefused) {
  EXPECT_EQ(added(kFile, "Green", 0x99), "the file has no partition `Green`");
  EXPECT_EQ(added(kFile, "0x103", 0x99), "the file has no partition `0x103`");
  EXPECT_EQ(added(kFile, "Red", 0x12), "`0x0000000000000012` is a member of `Red` already");
  EXPECT_EQ(removed(kFile, "Default", 0x12), "the file does not name `0x0000000000000012` in `Default`");
  EXPECT_EQ(removed(kFile, "Green", 0x12), "the file has no partition `Green`");
  EXPECT_EQ(removed("", "Red", 0x12), "the file has no partition `Red`");
}

}  // namespace
}  // namespace rch::policy::partitions
