#include "support.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "fabric/link_rate.h"
#include "parsers/ibdm/topo_fabric.h"

namespace rch::test {
namespace {

/// IBDM's name of a node: `HOST/U1` for an adapter that is described as `HOST HCA-1`.
std::string ibdm_name(const fabric::Node& node) {
  const std::size_t adapter = node.description.find(" HCA-");
  if (adapter == std::string::npos) return node.description;
  return node.description.substr(0, adapter) + "/U" + node.description.substr(adapter + 5);
}

std::string link_line(const fabric::Fabric& fabric, const fabric::Port& port) {
  const fabric::Port& peer = fabric.port(port.peer);
  std::pair a{ibdm_name(fabric.node(port.node)), port.number},
      b{ibdm_name(fabric.node(peer.node)), peer.number};
  if (b < a) std::swap(a, b);
  return fmt::format("link {} {} {} {} {} {}", a.first, a.second, b.first, b.second,
                     fabric::to_string(port.width), fabric::subnet_lst_word(port.speed));
}

}  // namespace

ScratchFolder::ScratchFolder() {
  char name[] = "/tmp/rch-ibdm-XXXXXX";
  path_ = mkdtemp(name);
}
ScratchFolder::~ScratchFolder() { std::filesystem::remove_all(path_); }

std::filesystem::path ScratchFolder::write(const std::string& name, std::string_view text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return path_ / name;
}

TopoReading read_topo_text(std::string_view topo, const std::vector<std::string>& ibnl) {
  SourceSet sources;
  Diagnostics diagnostics;
  parsers::ibdm::Library library;
  for (std::size_t i = 0; i < ibnl.size(); ++i)
    library.add(sources, sources.add(fmt::format("types{}.ibnl", i), ibnl[i]));
  TopoReading reading;
  reading.fabric =
      parsers::ibdm::read_topo(sources, sources.add("cluster.topo", std::string(topo)), library, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    reading.rules.emplace_back(d.rule->name);
    reading.report += render(d, sources);
  }
  return reading;
}

std::vector<std::string> lint_ibnl_text(std::string_view text) {
  SourceSet sources;
  const parsers::ibdm::SystemFile file(sources, sources.add("types.ibnl", std::string(text)));
  std::vector<std::string> rules;
  for (const Diagnostic& d : file.findings().all()) rules.emplace_back(d.rule->name);
  return rules;
}

std::vector<std::string> lines_of(const fabric::Fabric& fabric) {
  std::vector<std::string> lines;
  for (const fabric::Node& node : fabric.nodes())
    lines.push_back(fmt::format("node {} {} {} {}", ibdm_name(node),
                                node.type == fabric::NodeType::ca ? "CA" : "SW", node.num_ports,
                                node.device_id));
  for (const fabric::Port& port : fabric.ports())
    if (!port.peer.is_none()) lines.push_back(link_line(fabric, port));
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());  // each link was met from both ends
  return lines;
}

std::map<std::string, IbdmReading> ask_ibdm(const std::vector<std::filesystem::path>& topos,
                                            const std::filesystem::path& ibnl) {
  std::string command =
      fmt::format("IBDM_IBNL_PATH='{}' ibdmsh '{}/ibdm_fabric.tcl'", ibnl.string(), RCH_LAB);
  for (const auto& topo : topos) command += fmt::format(" '{}'", topo.string());
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  pclose(pipe);

  std::map<std::string, IbdmReading> all;
  IbdmReading reading;
  std::string name, line;
  for (std::istringstream lines(text); std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "topo") {
      words >> name >> reading.status;
    } else if (word == "node" || word == "link") {
      reading.lines.push_back(line);
    } else if (word == "end") {
      std::sort(reading.lines.begin(), reading.lines.end());
      all[name] = std::move(reading);
      reading = {};
    } else {
      reading.messages += line + "\n";
    }
  }
  return all;
}

}  // namespace rch::test
