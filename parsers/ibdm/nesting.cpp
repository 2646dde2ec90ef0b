#include "parsers/ibdm/nesting.h"

#include <algorithm>

#include <fmt/format.h>

#include "parsers/ibdm/system_file.h"
#include "parsers/ibnl/rules.h"

namespace rch::parsers::ibdm {
namespace {

/// Boards by how many levels of boards they hold, the innermost first. Only default variants count: those
/// that modifiers choose end with the modifier's path.
class Nesting {
 public:
  Nesting(const SystemFile& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), boards_(file.boards().size()) {}

  bool check() {
    for_each_use([&](std::size_t outer, const ibnl::Instance&, std::size_t inner) {
      ++boards_[outer].pending;
      boards_[inner].users.push_back(outer);
    });
    settle();
    bool good = true;
    for (std::size_t i = 0; i < boards_.size(); ++i) {
      good = good && boards_[i].settled && boards_[i].levels <= SystemFile::kDeepest;
      if (!boards_[i].settled) report_cycle(i, i + 1);
      if (boards_[i].settled && boards_[i].levels == SystemFile::kDeepest + 1) report_depth(i);
    }
    return good;
  }

 private:
  struct Entry {
    std::vector<std::size_t> users;
    std::size_t pending = 0;  ///< parts whose levels are not known yet
    std::size_t levels = 0;
    bool settled = false;
    std::size_t walk = 0;  ///< number of the walk that came by, 0 none
  };

  std::size_t index(const Board& board) const {
    return static_cast<std::size_t>(&board - file_.boards().data());
  }

  std::string name_of(std::size_t at) const {
    const auto& names = file_.boards()[at].system().names;
    return names.empty() ? std::string() : names.front().text;
  }

  template <class F>
  void for_each_use(F&& f) const {
    for (std::size_t i = 0; i < boards_.size(); ++i)
      for (const ibnl::Instance& part : file_.boards()[i].system().instances)
        if (const Board* inner = part.is_board() ? file_.board(part.type.text) : nullptr)
          f(i, part, index(*inner));
  }

  void settle() {
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < boards_.size(); ++i)
      if (boards_[i].pending == 0) ready.push_back(i);
    while (!ready.empty()) {
      const std::size_t at = ready.back();
      ready.pop_back();
      boards_[at].settled = true;
      for (const std::size_t user : boards_[at].users) {
        boards_[user].levels = std::max(boards_[user].levels, boards_[at].levels + 1);
        if (--boards_[user].pending == 0) ready.push_back(user);
      }
    }
  }

  /// Every board that is not settled holds another such board: the walk ends where a walk has been. Only a
  /// walk that meets itself has found a cycle that was not told yet.
  void report_cycle(std::size_t at, std::size_t walk) {
    Span last;
    while (boards_[at].walk == 0) {
      boards_[at].walk = walk;
      for (const ibnl::Instance& part : file_.boards()[at].system().instances) {
        const Board* inner = part.is_board() ? file_.board(part.type.text) : nullptr;
        if (inner == nullptr || boards_[index(*inner)].settled) continue;
        last = part.type.span;
        at = index(*inner);
        break;
      }
    }
    if (boards_[at].walk != walk || last.source == SourceId::none()) return;
    diagnostics_.add(ibnl::kBoardCycle, last, fmt::format("`{}` contains itself", name_of(at))).hint =
        "a SYSTEM cannot hold a SUBSYSTEM that holds it again";
  }

  void report_depth(std::size_t at) {
    const auto& names = file_.boards()[at].system().names;
    diagnostics_.add(ibnl::kBoardCycle,
                     names.empty() ? Span{file_.syntax().source, 0, 0} : names.front().span,
                     fmt::format("boards are nested more than {} deep here", SystemFile::kDeepest));
  }

  const SystemFile& file_;
  Diagnostics& diagnostics_;
  std::vector<Entry> boards_;
};

}  // namespace

bool check_nesting(const SystemFile& file, Diagnostics& diagnostics) {
  return Nesting(file, diagnostics).check();
}

}  // namespace rch::parsers::ibdm
