#pragma once

#include <optional>
#include <unordered_map>

#include "parsers/common/bounded.h"
#include "policy/build/options/option_file.h"
#include "policy/build/partitions/flags.h"
#include "policy/model/partitions.h"

namespace rch::policy::partitions {

/// The MTU and the rate, as codes, of groups whose partition names none.
struct GroupDefaults {
  std::uint8_t mtu = 4;   ///< 2048 bytes
  std::uint8_t rate = 3;  ///< 10 Gb/s
};
/// `default_mcg_mtu` and `default_mcg_rate`; what is not set there, or is 0, is OpenSM's default. `main` may
/// be null.
GroupDefaults group_defaults(const OptionFile* main);

/// Makes the multicast groups of partitions, in file order: a group that exists already stays as it is.
class GroupMaker {
 public:
  /// `qos` false: every SL is 0.
  GroupMaker(const parsers::partitions::Syntax& syntax, GroupDefaults defaults, bool qos,
             parsers::Bounded& report)
      : syntax_(syntax), defaults_(defaults), qos_(qos), report_(report) {}

  /// The broadcast groups of a statement with `ipoib`.
  void add_broadcast(Partition& partition, const FlagSet& flags);
  /// A group `mgid=…` of a statement with these flags.
  void add(Partition& partition, const parsers::partitions::Group& written, const FlagSet& statement);

 private:
  struct Hash {
    std::size_t operator()(const Mgid& mgid) const noexcept;
  };

  MulticastGroup make(const FlagSet& flags, const FlagSet& inherited, Span span) const;
  const MulticastGroup* find(const Mgid& mgid) const;
  void insert(Partition& partition, MulticastGroup group, std::uint8_t scope);
  void check_merged(const FlagSet& flags, const MulticastGroup& first);
  bool accept_ip(const Partition& partition, MulticastGroup& group, const FlagSet& statement);
  bool accept_scope(const Partition& partition, const MulticastGroup& group, std::uint8_t scope);
  Diagnostic& report(const Rule& rule, Span span, std::string message);

  const parsers::partitions::Syntax& syntax_;
  GroupDefaults defaults_;
  bool qos_;
  parsers::Bounded& report_;
  std::unordered_map<Mgid, MulticastGroup, Hash> known_;
};

}  // namespace rch::policy::partitions
