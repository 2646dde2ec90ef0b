#include "support.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include <gtest/gtest.h>

#include "fabric/formats.h"
#include "fabric/link_rate.h"

namespace rch::fabric::test {
namespace {

Reading read_source(SourceSet& sources, SourceId source) {
  Reading reading;
  Diagnostics diagnostics;
  reading.fabric = read_fabric(sources, source, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    reading.findings += render(d, sources);
    reading.rules.emplace_back(d.rule->name);
  }
  EXPECT_EQ(reading.fabric.has_value(), !diagnostics.has_errors()) << reading.findings;
  return reading;
}

}  // namespace

Reading read_text(std::string text) {
  SourceSet sources;
  const SourceId source = sources.add("net", std::move(text));
  return read_source(sources, source);
}

Reading read_path(const std::filesystem::path& path) {
  SourceSet sources;
  const auto source = sources.load(path);
  if (!source) {
    ADD_FAILURE() << source.error().message;
    return {};
  }
  return read_source(sources, *source);
}

std::filesystem::path golden(std::string_view path) { return std::filesystem::path(RCH_GOLDEN) / path; }

std::vector<std::filesystem::path> golden_cases() {
  std::vector<std::filesystem::path> cases;
  for (const auto& fabric : std::filesystem::directory_iterator(golden("cases")))
    for (const auto& run : std::filesystem::directory_iterator(fabric.path())) cases.push_back(run.path());
  std::sort(cases.begin(), cases.end());
  return cases;
}

std::string dump(const Fabric& fabric, const DumpOptions& options) {
  std::string out;
  for (const Node& node : fabric.nodes()) {
    out += fmt::format("node {} system {} type {} ports {} vendor {:x} device {:x} `{}`", node.guid,
                       node.system_guid, static_cast<int>(node.type), node.num_ports, node.vendor_id,
                       node.device_id, node.description);
    if (options.capabilities) out += fmt::format(" rev {:x} esp0 {}", node.revision, node.enhanced_port0);
    out += "\n";
    for (std::uint32_t p = 0; p <= node.num_ports; ++p) {
      const Port& port = fabric.port(PortId(node.first_port.value + p));
      out += fmt::format("  {} guid {} state {}", port.number, port.guid, static_cast<int>(port.state));
      if (options.lids) out += fmt::format(" lid {} lmc {}", port.lid, port.lmc);
      if (options.rates) out += fmt::format(" {}{}", to_string(port.width), to_string(port.speed));
      if (options.capabilities) out += fmt::format(" mtu {} vl {}", port.mtu_cap, port.vl_cap);
      if (!port.peer.is_none()) out += fmt::format(" -> {}", port.peer);
      out += "\n";
    }
  }
  if (options.origin && fabric.origin()) out += fmt::format("origin {}\n", *fabric.origin());
  return out;
}

std::string difference(const Fabric& a, const Fabric& b, const DumpOptions& options) {
  std::istringstream left(dump(a, options)), right(dump(b, options));
  std::string out, x, y;
  for (int shown = 0; shown < 5;) {
    const bool more = static_cast<bool>(std::getline(left, x));
    if (!std::getline(right, y) && !more) break;
    if (x != y) {
      out += "- " + x + "\n+ " + y + "\n";
      ++shown;
    }
    if (!more) break;
  }
  return out;
}

std::string to_net(const Fabric& fabric) {
  std::ostringstream out;
  write_ibnetdiscover(fabric, out);
  return out.str();
}

std::string run(const std::string& command, int* status) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "cannot run " << command;
    return output;
  }
  std::array<char, 65536> buffer;
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), n);
  const int code = ::pclose(pipe);
  if (status != nullptr) *status = WIFEXITED(code) ? WEXITSTATUS(code) : 128;
  return output;
}

}  // namespace rch::fabric::test
