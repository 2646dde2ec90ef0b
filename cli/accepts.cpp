#include "cli/accepts.h"

#include <algorithm>

#include "chains/isolation.h"

namespace rch::cli {
namespace {

struct Acceptable {
  std::string_view word;
  bool sm::InstallOptions::*member;
};
constexpr Acceptable kAcceptable[] = {
    {verify::kStaticChange, &sm::InstallOptions::accept_static},
    {sm::kPathSls, &sm::InstallOptions::accept_path_sls},
    {chains::kSwitchLids, &sm::InstallOptions::accept_switch_lids},
    {hw::kLinkReset, &sm::InstallOptions::accept_reset},
    {chains::kUnenforcedPartitions, &sm::InstallOptions::accept_unenforced}};

}  // namespace

std::vector<std::string> accepted_by_install() {
  std::vector<std::string> words;
  for (const Acceptable& acceptable : kAcceptable) words.emplace_back(acceptable.word);
  return words;
}

std::vector<std::string> accepted_by_run() {
  std::vector<std::string> words = accepted_by_install();
  words.emplace_back(kOtherConfiguration);
  return words;
}

sm::InstallOptions accepted(const std::vector<std::string>& accept) {
  sm::InstallOptions options;
  for (const Acceptable& acceptable : kAcceptable)
    options.*acceptable.member = std::ranges::find(accept, acceptable.word) != accept.end();
  return options;
}

}  // namespace rch::cli
