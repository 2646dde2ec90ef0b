#include "policy/bind/group_order.h"

namespace rch::policy {

std::vector<GroupId> operands(const GroupRule& rule) {
  if (const auto* u = std::get_if<UnionRule>(&rule)) return {u->left, u->right};
  if (const auto* s = std::get_if<SubtractRule>(&rule)) return {s->left, s->right};
  return {};
}

std::vector<std::size_t> dependency_order(const std::vector<PortGroup>& groups) {
  std::vector<std::size_t> order;
  std::vector<char> state(groups.size(), 0);  // 0 fresh, 1 open, 2 done
  std::vector<std::size_t> stack;
  for (std::size_t root = 0; root < groups.size(); ++root) {
    stack.push_back(root);
    while (!stack.empty()) {
      const std::size_t group = stack.back();
      if (state[group] == 0) {
        state[group] = 1;
        for (const GroupRule& rule : groups[group].rules)
          for (GroupId operand : operands(rule))
            if (state[operand.index()] == 0) stack.push_back(operand.index());
        continue;
      }
      if (state[group] == 1) order.push_back(group);
      state[group] = 2;
      stack.pop_back();
    }
  }
  return order;
}

}  // namespace rch::policy
