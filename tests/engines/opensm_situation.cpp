#include "opensm_situation.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <stdexcept>

#include "base/source.h"
#include "drawn_options.h"
#include "fabric/random.h"
#include "support/golden_case.h"

namespace rch::test {
namespace {

using engines::common::PortOptions;
using fabric::Random;

void must_run(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

/// Draws what the fabric is like: arguments of lab_fabric.py.
class DrawnFabric {
 public:
  explicit DrawnFabric(Random& random) : random_(random) {}

  std::string arguments() {
    std::string text = shape();
    text += fmt::format(" --links {} --seed {}", between(1, 3), between(1, 1000000));
    if (one_in(2)) text += " --shuffle-ports";
    if (one_in(3)) text += " --host-ports-first";
    if (one_in(3)) text += fmt::format(" --fail-links {}", between(1, 5));
    if (one_in(4)) text += " --ca-ports 2 --second-port next";
    if (one_in(3)) text += " --switch-guid-base 0x7fff01f8";  // the byte-reversed order is another one
    return text;
  }
  std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + random_.below(high - low + 1); }
  bool one_in(std::uint64_t n) { return random_.below(n) == 0; }

 private:
  std::string shape() {
    switch (between(0, 5)) {
      case 0:
        return fmt::format("random {} {} --hosts {}", between(6, 24), between(3, 6), between(1, 3));
      case 1:
        return fmt::format("clos2 {} {} --hosts {}", between(3, 8), between(2, 5), between(1, 6));
      case 2:
        return fmt::format("ftree3 {},{},{},{} --hosts {}", between(2, 4), between(2, 3), between(2, 3),
                           between(1, 3), between(1, 4));
      case 3:
        return fmt::format("torus {}x{} --hosts {}", between(3, 6), between(3, 6), between(1, 2));
      case 4:
        return fmt::format("mesh {}x{}x{} --hosts 1", between(2, 4), between(2, 4), between(1, 3));
      default:
        return fmt::format("hypercube {} --hosts {}", between(3, 5), between(1, 2));
    }
  }

  Random& random_;
};

/// Lines of a control file.
template <class Line, class Text>
std::string lines(const std::vector<Line>& values, Text&& text) {
  std::string all;
  for (const Line& value : values) all += text(value) + "\n";
  return all;
}
std::string guid_text(Guid guid) { return fmt::format("{}", guid); }
std::string port_text(const engines::common::PortName& name) {
  return fmt::format("{} {}", name.sw, name.port);
}
std::string order_text(const engines::common::PortOrder& order) {
  std::string text = guid_text(order.sw);
  for (PortNum port : order.ports) text += fmt::format(" {}", port);
  return text;
}

}  // namespace

OpenSmLab::OpenSmLab(const std::string& folder) : folder_(folder) {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
}

OpenSmSituation OpenSmLab::draw(std::string_view engine, std::uint64_t seed) {
  Random random(seed);
  DrawnFabric draw(random);
  OpenSmSituation made{.fabric = draw.arguments()};
  made.system_size = static_cast<unsigned>(draw.between(1, 3));
  if (draw.one_in(2)) made.lmc = static_cast<unsigned>(draw.between(1, draw.one_in(8) ? 7 : 3));
  made.lmc_of_switches = draw.one_in(4);
  make_net(made);
  const fabric::Fabric fabric = fabric_of(folder_ + "/fabric.net");
  DrawnNames names(random, fabric);
  made.options.ports = names.port_options();
  made.options.ports.compat = true;
  made.options.connect_roots = draw.one_in(3);
  if (engine == "updn" && !draw.one_in(4)) made.options.roots = names.roots();
  if (engine == "updn" && draw.one_in(3)) made.options.ids = names.ids();
  return made;
}

void OpenSmLab::make_net(const OpenSmSituation& situation) {
  const std::string share_systems = fmt::format(
      "awk '/^switchguid/ {{ printf \"sysimgguid=0x%x\\n\", 117440512 + int(n / {}); n++ }} {{ print }}'",
      situation.system_size);
  must_run(fmt::format(RCH_LAB "/lab_fabric.py {} {} 2>/dev/null | {} > '{}/fabric.net'", situation.fabric,
                       situation.lmc_of_switches ? "--esp0" : "", share_systems, folder_));
}

std::string OpenSmLab::write(const std::string& name, const std::string& text) const {
  if (!write_file(folder_ + "/" + name, text)) throw std::runtime_error("cannot write " + name);
  return folder_ + "/" + name;
}

void OpenSmLab::run(std::string_view engine, const OpenSmSituation& situation, const std::string& more) {
  make_net(situation);
  const PortOptions& ports = situation.options.ports;
  const auto word = [](bool value) { return value ? "TRUE" : "FALSE"; };
  std::string conf = fmt::format(
      "lmc {}\nlmc_esp0 {}\nguid_routing_order_no_scatter {}\nscatter_ports {}\nport_shifting {}\n"
      "port_profile_switch_nodes {}\nconnect_roots {}\n",
      situation.lmc, word(situation.lmc_of_switches), word(ports.guid_routing_order_no_scatter),
      ports.scatter_ports, word(ports.port_shifting), word(ports.port_profile_switch_nodes),
      word(situation.options.connect_roots));
  const auto add_file = [&](const char* option, const std::string& text) {
    if (!text.empty()) conf += fmt::format("{} {}\n", option, write(option, text));
  };
  add_file("hop_weights_file", lines(ports.hop_weights, [](const auto& line) {
             return fmt::format("{} {}", port_text(line.leaving), line.weight);
           }));
  add_file("port_search_ordering_file", lines(ports.port_search_ordering, order_text));
  add_file("port_prof_ignore_file", lines(ports.port_prof_ignore, port_text));
  add_file("guid_routing_order_file", lines(ports.guid_routing_order, guid_text));
  add_file("root_guid_file",
           lines(situation.options.roots, [](const auto& root) { return guid_text(root.guid); }));
  add_file("ids_guid_file", lines(situation.options.ids, [](const auto& line) {
             return fmt::format("{} {}", line.sw, line.number);
           }));
  must_run(fmt::format(RCH_LAB
                       "/opensm_tables '{0}/fabric.net' '{0}' --engine {1} -- -F '{2}' > '{0}/out' 2>&1",
                       folder_, engine, write("opensm.conf", conf + more)));
}

fabric::Fabric OpenSmLab::fabric() const { return opensm_fabric(folder_); }
fabric::ForwardingTables OpenSmLab::tables(const fabric::Fabric& fabric) const {
  return opensm_lfts(folder_, fabric);
}

std::string to_string(const OpenSmSituation& situation) {
  const PortOptions& ports = situation.options.ports;
  return fmt::format(
      "{} | systems of {}, lmc {}{}, {} weights, {} orders, {} ignored, {} first{}, scatter {}, shift {}, "
      "count switches {}, {} roots, {} ids, connect roots {}",
      situation.fabric, situation.system_size, situation.lmc,
      situation.lmc_of_switches ? " of switches too" : "", ports.hop_weights.size(),
      ports.port_search_ordering.size(), ports.port_prof_ignore.size(), ports.guid_routing_order.size(),
      ports.guid_routing_order_no_scatter ? " unscattered" : "", ports.scatter_ports, ports.port_shifting,
      ports.port_profile_switch_nodes, situation.options.roots.size(), situation.options.ids.size(),
      situation.options.connect_roots);
}

}  // namespace rch::test
