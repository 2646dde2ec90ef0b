#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "policy/build/build_context.h"
#include "policy/build/chain/steps.h"
#include "policy/build/front_end.h"
#include "policy/build/topologies/topologies.h"
#include "policy/model/dialect.h"

namespace rch::policy {

/// Builds a policy from texts whose dialects are known, definitions before uses.
class Builder {
 public:
  Builder(FileReader& files, Diagnostics& diagnostics);

  /// Reads main options; those of a later call win over the former.
  void read_options(const parsers::opensm_conf::Syntax& syntax);
  /// Adds the files that the main options name, of dialects that were not added. From here on they are all
  /// there is: what they do not define is undefined.
  void follow_options();
  /// What this program alone does otherwise is reported too; before build().
  void compare_with(std::optional<Peer> beside) { beside_ = beside; }
  /// How engines run; before build().
  void set_mode(EngineMode mode) { mode_ = mode; }
  /// The profile is asked for there: main options get its values.
  void lock_down(Span profile);
  void add(SourceId source, Dialect dialect) { texts_.push_back({source, dialect}); }

  /// The policy when nothing was reported as an error since construction.
  Configuration build();

 private:
  struct Text {
    SourceId source;
    Dialect dialect;
  };

  std::vector<SourceId> of(Dialect dialect) const;
  bool has(Dialect dialect) const { return !of(dialect).empty(); }
  bool has_errors() const;
  const OptionFile* main() const { return main_ ? &*main_ : nullptr; }

  void build_groups();
  void build_topologies();
  void build_steps();
  void add_torus(const TorusConf& conf);
  void build_side_files(const BuildContext& context);
  void build_partitions();
  void build_qos();
  std::optional<Span> torus_place() const;
  bool chain_active();
  void check_qos();
  void note_unnamed(std::string_view key, std::string_view name);
  void report_unused();
  void note_unresolved(SourceId text, std::string_view what);
  Policy finish();

  FileReader& files_;
  Diagnostics& diagnostics_;
  std::size_t before_;  ///< diagnostics that are not ours
  bool complete_ = false;
  EngineMode mode_ = EngineMode::best;
  std::optional<Peer> beside_;
  std::optional<Span> profile_;  ///< `lock-down`
  std::vector<Text> texts_;
  std::set<Dialect> unread_;  ///< named by the options and not readable
  std::optional<OptionFile> main_;
  SourceId main_text_;
  Symbols symbols_;
  GroupTable groups_{symbols_};
  TopologyTable topologies_{symbols_};
  bool groups_known_ = false;
  std::vector<Step> steps_;
  std::map<StepId, OptionFile> own_options_;
  FabricFiles fabric_files_;
  std::vector<std::string> spared_;  ///< Configuration::spared
  std::optional<partitions::Partitions> partitions_;
  std::optional<qos::QosPolicy> qos_;
  std::optional<enhanced_qos::EnhancedQos> enhanced_qos_;
};

}  // namespace rch::policy
