// PEGTL's own analysis finds rules that may loop without progress.

#include <gtest/gtest.h>
#include <tao/pegtl/contrib/analyze.hpp>

#include "parsers/common/block_grammar.h"
#include "parsers/enhanced_qos/grammar.h"
#include "parsers/ibnl/grammar.h"
#include "parsers/opensm_conf/grammar.h"
#include "parsers/partitions/grammar.h"
#include "parsers/port_groups/grammar.h"
#include "parsers/qos_policy/grammar.h"
#include "parsers/routing_chains/grammar.h"
#include "parsers/side_files/grammar.h"
#include "parsers/topo/grammar.h"
#include "parsers/torus_conf/grammar.h"

namespace rch::parsers {
namespace {

TEST(Grammar, AlwaysMakesProgress) {
  EXPECT_EQ(tao::pegtl::analyze<line_grammar::file<block_grammar::bare_words>>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<line_grammar::file<block_grammar::quoted_words>>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<line_grammar::file<line_grammar::words>>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<line_grammar::file<opensm_conf::grammar::option>>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<line_grammar::file<torus_conf::grammar::words>>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<qos_policy::grammar::ranges>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<qos_policy::grammar::names>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<qos_policy::grammar::one_name>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<qos_policy::grammar::pairs>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<qos_policy::grammar::items>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<qos_policy::grammar::ulp_line>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<enhanced_qos::grammar::definition>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<enhanced_qos::grammar::rule>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<partitions::grammar::file>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<line_grammar::file<side_files::grammar::name>>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<line_grammar::file<side_files::grammar::logging>>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<line_grammar::file<ibnl::grammar::content>>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<topo::grammar::file>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<routing_chains::grammar::path_bits>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<port_groups::grammar::guid_list>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<port_groups::grammar::guid_range>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<port_groups::grammar::host_list>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<port_groups::grammar::regexp_rule>(), 0U);
  EXPECT_EQ(tao::pegtl::analyze<port_groups::grammar::name_pair>(), 0U);
}

}  // namespace
}  // namespace rch::parsers
