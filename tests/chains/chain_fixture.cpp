#include "chain_fixture.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "policy/build/front_end.h"

namespace rch::test {

using chains::StepStatus;
using fabric::Fabric;

Chain::Chain(const Fabric& fabric) : fabric_(&fabric) { policy_.options.qos.enabled = true; }

policy::Step& Chain::step(std::uint32_t id, std::string engine, std::uint32_t topology) {
  policy::Step step{};
  step.id = StepId(id);
  step.engine = std::move(engine);
  step.topology = TopologyId(topology);
  if (!policy_.steps.empty()) step.path_bit = 0;
  return policy_.steps.emplace_back(std::move(step));
}

policy::Step& Chain::fallback(std::uint32_t id, std::uint32_t target, std::string engine,
                              std::uint32_t topology) {
  policy::Step& made = step(id, std::move(engine), topology);
  made.fallback_to = StepId(target);
  return made;
}

void Chain::topology(std::uint32_t id, IdSet<PortId> ports) {
  policy::Topology made{};
  made.id = TopologyId(id);
  policy_.topologies.push_back(made);
  topologies_.push_back(std::move(ports));
}

policy::BoundPolicy Chain::bound() const {
  policy::BoundPolicy bound{};
  bound.policy = std::make_shared<const policy::Policy>(policy_);
  bound.fabric = {std::shared_ptr<const void>(), fabric_};  // owned by the test
  bound.topologies = topologies_;
  for (const policy::Step& step : policy_.steps) bound.files.push_back(step.files);
  return bound;
}

chains::ChainRun Chain::good_run() const {
  auto result = run();
  if (!result) throw std::runtime_error("the chain failed: " + outline(result.error().steps));
  return std::move(*result);
}

IdSet<PortId> ports_of(const Fabric& fabric, const std::vector<std::uint32_t>& switches) {
  IdSet<PortId> ports(fabric.ports().size());
  for (std::uint32_t s : switches) {
    const fabric::Node& node = fabric.node(SwitchId(s));
    for (std::uint32_t p = 0; p <= node.num_ports; ++p) ports.insert(PortId(node.first_port.value + p));
    for (const fabric::EndPort& host : fabric.end_ports_of(SwitchId(s))) ports.insert(host.port);
  }
  return ports;
}

fabric::TorusShape torus_options(const std::string& conf) {
  fabric::TorusShape options;
  options.seeds.emplace_back();
  std::istringstream lines(conf);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, from, to;
    words >> word;
    if (word == "torus" || word == "mesh") {
      for (std::size_t d = 0; d < 3 && words >> options.radix[d]; ++d) options.wraps[d] = word == "torus";
    } else if (word.ends_with("_link") && words >> from >> to) {
      const auto dimension = static_cast<std::size_t>(word[0] - 'x');
      auto& links = word[1] == 'p' ? options.seeds[0].plus : options.seeds[0].minus;
      links[dimension] = {Guid(std::stoull(from, nullptr, 16)), Guid(std::stoull(to, nullptr, 16))};
    }
  }
  return options;
}

std::string outline(const std::vector<chains::StepReport>& steps) {
  std::string text;
  for (const chains::StepReport& report : steps) {
    const char* status = report.status == StepStatus::routed   ? "routed"
                         : report.status == StepStatus::failed ? "failed"
                                                               : "not-needed";
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", report.id, status);
  }
  return text;
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "rch-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a scratch folder");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> ScratchFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::shared_ptr<const policy::Policy> policy_of(const std::string& conf) {
  const ScratchFolder folder;
  const auto sources = std::make_shared<SourceSet>();
  Diagnostics diagnostics;
  if (!write_file(folder.file("opensm.conf"), conf)) throw std::runtime_error("cannot write opensm.conf");
  auto read = policy::load(folder.file("opensm.conf"), *sources, diagnostics);
  if (!read || !read->policy) throw std::runtime_error("no policy in: " + conf);
  read->policy->texts = sources;
  return std::make_shared<const policy::Policy>(std::move(*read->policy));
}

Result<chains::Plan> plan_on(const fabric::Fabric& fabric, const std::string& conf,
                             const chains::PlanRequest& request, const chains::Observer& observe) {
  Diagnostics diagnostics;
  return chains::plan(policy_of(conf), fabric, request, diagnostics, observe);
}

}  // namespace rch::test
