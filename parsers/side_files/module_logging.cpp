#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/rules.h"
#include "parsers/side_files/grammar.h"
#include "parsers/side_files/lines.h"
#include "parsers/side_files/rules.h"
#include "parsers/side_files/side_files.h"

namespace rch::parsers::side_files {
namespace {

constexpr LineLimits kLimits{1023, 1023};
constexpr std::string_view kUsage = "FILE.c=FLAGS";
constexpr NumberKind kFlags{"log flags", 0, 0xFF};

/// Source files of OpenSM 3.3.24 that log under their own name.
constexpr std::string_view kModules[] = {"main.c",
                                         "osm_congestion_control.c",
                                         "osm_console.c",
                                         "osm_console_io.c",
                                         "osm_db_files.c",
                                         "osm_db_pack.c",
                                         "osm_drop_mgr.c",
                                         "osm_dump.c",
                                         "osm_event_plugin.c",
                                         "osm_guid_info_rcv.c",
                                         "osm_guid_mgr.c",
                                         "osm_helper.c",
                                         "osm_inform.c",
                                         "osm_lid_mgr.c",
                                         "osm_lin_fwd_rcv.c",
                                         "osm_link_mgr.c",
                                         "osm_log.c",
                                         "osm_mad_pool.c",
                                         "osm_mcast_fwd_rcv.c",
                                         "osm_mcast_mgr.c",
                                         "osm_mcast_tbl.c",
                                         "osm_mcm_port.c",
                                         "osm_mesh.c",
                                         "osm_mlnx_ext_port_info_rcv.c",
                                         "osm_mtree.c",
                                         "osm_multicast.c",
                                         "osm_node.c",
                                         "osm_node_desc_rcv.c",
                                         "osm_node_info_rcv.c",
                                         "osm_opensm.c",
                                         "osm_perfmgr.c",
                                         "osm_perfmgr_db.c",
                                         "osm_pkey.c",
                                         "osm_pkey_mgr.c",
                                         "osm_pkey_rcv.c",
                                         "osm_port.c",
                                         "osm_port_info_rcv.c",
                                         "osm_prtn.c",
                                         "osm_prtn_config.c",
                                         "osm_qos.c",
                                         "osm_qos_parser_l.c",
                                         "osm_qos_parser_y.c",
                                         "osm_qos_policy.c",
                                         "osm_remote_sm.c",
                                         "osm_req.c",
                                         "osm_resp.c",
                                         "osm_router.c",
                                         "osm_sa.c",
                                         "osm_sa_class_port_info.c",
                                         "osm_sa_guidinfo_record.c",
                                         "osm_sa_informinfo.c",
                                         "osm_sa_lft_record.c",
                                         "osm_sa_link_record.c",
                                         "osm_sa_mad_ctrl.c",
                                         "osm_sa_mcmember_record.c",
                                         "osm_sa_mft_record.c",
                                         "osm_sa_multipath_record.c",
                                         "osm_sa_node_record.c",
                                         "osm_sa_path_record.c",
                                         "osm_sa_pkey_record.c",
                                         "osm_sa_portinfo_record.c",
                                         "osm_sa_service_record.c",
                                         "osm_sa_slvl_record.c",
                                         "osm_sa_sminfo_record.c",
                                         "osm_sa_sw_info_record.c",
                                         "osm_sa_vlarb_record.c",
                                         "osm_service.c",
                                         "osm_slvl_map_rcv.c",
                                         "osm_sm.c",
                                         "osm_sm_mad_ctrl.c",
                                         "osm_sm_state_mgr.c",
                                         "osm_sminfo_rcv.c",
                                         "osm_state_mgr.c",
                                         "osm_subnet.c",
                                         "osm_sw_info_rcv.c",
                                         "osm_switch.c",
                                         "osm_torus.c",
                                         "osm_trap_rcv.c",
                                         "osm_ucast_cache.c",
                                         "osm_ucast_dfsssp.c",
                                         "osm_ucast_dnup.c",
                                         "osm_ucast_file.c",
                                         "osm_ucast_ftree.c",
                                         "osm_ucast_lash.c",
                                         "osm_ucast_mgr.c",
                                         "osm_ucast_nue.c",
                                         "osm_ucast_updn.c",
                                         "osm_vendor_ibumad.c",
                                         "osm_vl15intf.c",
                                         "osm_vl_arb_rcv.c",
                                         "st.c"};

/// Collects the parts of one line, then makes the flags of a module of them.
struct ModuleLoggingReader : TextState {
  Diagnostics& diagnostics;
  std::vector<ModuleFlags> modules = {};

  std::optional<Token> module = {}, separator = {}, flags = {}, rest = {};

  void finish_line() {
    if (module) read();
    if (!module && separator)
      diagnostics
          .add(kMissingArgument, separator->span,
               fmt::format("`{}` without a source file before it", separator->text))
          .hint = fmt::format("write `{}`", kUsage);
    module = separator = flags = rest = std::nullopt;
  }

 private:
  void read() {
    check_module();
    if (rest) report_extra(*rest, kUsage, Severity::warning, diagnostics);
    if (!flags) {
      diagnostics
          .add(kMissingArgument, separator ? separator->span : module->span,
               fmt::format("`{}` has no log flags", module->text))
          .hint = fmt::format("write `{}`", kUsage);
      return;
    }
    if (separator && separator->span.begin > module->span.end) report_blank();
    const auto number = read_number(*flags, kFlags, diagnostics);
    if (number) modules.push_back({std::move(*module), *number});
  }

  void report_blank() {
    Diagnostic& d = diagnostics.add(
        kBlankBeforeSeparator, separator->span,
        fmt::format("blank before `{}`: OpenSM reads the flags of `{}` as 0", separator->text, module->text));
    d.hint = fmt::format("write `{}={}`", module->text, flags->text);
    d.fixes.push_back({{module->span.source, module->span.end, flags->span.begin}, "="});
  }

  void check_module() {
    if (std::find(std::begin(kModules), std::end(kModules), module->text) != std::end(kModules)) return;
    Diagnostic& d = diagnostics.add(kUnknownModule, module->span,
                                    fmt::format("`{}` is no source file of OpenSM", module->text));
    if (const std::string_view meant = nearest(module->text, kModules); !meant.empty())
      d.hint = fmt::format("did you mean `{}`?", meant);
  }
};

// clang-format off
template <class GrammarRule> struct ModuleLoggingAction : tao::pegtl::nothing<GrammarRule> {};
template <> struct ModuleLoggingAction<grammar::module>    : Keep<&ModuleLoggingReader::module> {};
template <> struct ModuleLoggingAction<grammar::separator> : Keep<&ModuleLoggingReader::separator> {};
template <> struct ModuleLoggingAction<grammar::flags>     : Keep<&ModuleLoggingReader::flags> {};
template <> struct ModuleLoggingAction<grammar::rest>      : Keep<&ModuleLoggingReader::rest> {};
template <> struct ModuleLoggingAction<line_grammar::line<grammar::logging>> : Call<&ModuleLoggingReader::finish_line> {};
// clang-format on

}  // namespace

std::vector<ModuleFlags> parse_module_logging(const SourceSet& sources, SourceId source,
                                              Diagnostics& diagnostics) {
  const std::string text = prepare_lines(sources, source, kLimits, diagnostics);
  ModuleLoggingReader reader{{text.data(), source}, diagnostics};
  parse_text<line_grammar::file<grammar::logging>, ModuleLoggingAction>(text, reader);
  return std::move(reader.modules);
}

}  // namespace rch::parsers::side_files
