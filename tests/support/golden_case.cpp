#include "support/golden_case.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "base/text.h"
#include "fabric/fabric_builder.h"
#include "fabric/formats.h"

namespace rch::test {
namespace {

[[noreturn]] void stop(const std::string& message) { throw std::runtime_error(message); }

std::uint64_t number(std::string_view text, int base, std::string_view line) {
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) stop("no number in: " + std::string(line));
  return value;
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t", begin), line.size());
    found.push_back(line.substr(begin, at - begin));
  }
  return found;
}

template <class F>
void for_each_line(const std::string& text, F&& f) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) f(std::string_view(line));
}

/// The word after `key`, as a GUID.
Guid guid_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) stop("no GUID in: " + std::string(line));
  return Guid(number(words(line.substr(at + key.size())).front(), 16, line));
}

SwitchId switch_of(const fabric::Fabric& fabric, Guid guid) {
  const auto sw = fabric.find_switch(guid);
  return sw ? *sw : throw std::runtime_error(fmt::format("no switch {}", guid));
}

template <class T>
T good(Result<T> result) {
  if (!result) stop(result.error().message);
  return std::move(*result);
}

bool exists(const std::string& path) {
  return std::filesystem::exists(path) || std::filesystem::exists(path + ".gz");
}

std::vector<fabric::LidAssignment> guid2lid(const std::string& text, const fabric::Fabric& fabric) {
  std::vector<fabric::LidAssignment> lids;
  for_each_line(text, [&](std::string_view line) {
    const auto w = words(line);
    if (w.size() != 3) return;
    const auto port = fabric.find_port(Guid(number(w[0], 16, line)));
    const std::uint64_t first = number(w[1], 16, line), last = number(w[2], 16, line);
    std::uint8_t lmc = 0;
    while ((std::uint64_t{1} << lmc) < last - first + 1) ++lmc;
    if (port) lids.push_back({*port, Lid(static_cast<std::uint16_t>(first)), lmc});
  });
  return lids;
}

}  // namespace

std::string text_of(const std::string& path) {
  if (!exists(path)) stop("no file " + path);
  const std::string file = std::filesystem::exists(path) ? path : path + ".gz";
  // gzip passes plain files through with -f.
  FILE* pipe = popen(("gzip -dcf '" + file + "'").c_str(), "r");
  if (pipe == nullptr) stop("cannot run gzip");
  std::string text;
  std::array<char, 65536> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), n);
  if (pclose(pipe) != 0) stop("gzip failed on " + file);
  return text;
}

std::string golden_text(const std::string& relative) { return text_of(RCH_GOLDEN "/" + relative); }

std::string golden_folder(const std::string& case_name) { return RCH_GOLDEN "/cases/" + case_name; }

std::vector<std::string> golden_cases(std::string_view engine) {
  std::vector<std::string> names;
  for_each_line(golden_text("cases.tsv"), [&](std::string_view line) {
    const auto w = words(line);
    if (w.size() > 2 && w[2] == engine) names.emplace_back(w[0]);
  });
  return names;
}

fabric::Fabric fabric_of(const std::string& path) {
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add(path, text_of(path));
  auto fabric = fabric::read_fabric(sources, source, diagnostics);
  if (!fabric) {
    std::string why = "cannot read " + path;
    for (const Diagnostic& d : diagnostics.all()) why.append("\n").append(render(d, sources));
    stop(why);
  }
  return std::move(*fabric);
}

fabric::Fabric golden_net(const std::string& name) { return fabric_of(RCH_GOLDEN "/net/" + name + ".net"); }

fabric::Fabric opensm_fabric(const std::string& folder) {
  const fabric::Fabric fabric = fabric_of(folder + "/opensm-subnet.lst");
  return good(fabric::with_lids(fabric, guid2lid(text_of(folder + "/guid2lid"), fabric)));
}

fabric::Fabric golden_fabric(const std::string& case_name) { return opensm_fabric(golden_folder(case_name)); }

fabric::ForwardingTables opensm_lfts(const std::string& folder, const fabric::Fabric& fabric) {
  fabric::ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  SwitchId sw = SwitchId::none();
  for_each_line(text_of(folder + "/opensm-lfts.dump"), [&](std::string_view line) {
    if (line.starts_with("Unicast lids")) sw = switch_of(fabric, guid_after(line, " guid "));
    if (!line.starts_with("0x")) return;
    const auto w = words(line);
    const std::uint64_t lid = number(w[0], 16, line);
    if (sw.is_none() || lid > fabric.max_lid().value) stop("entry out of place: " + std::string(line));
    tables.row(sw)[lid] = static_cast<std::uint8_t>(number(w[1], 10, line));
  });
  return tables;
}

LidMatrix opensm_lid_matrix(const std::string& folder, const fabric::Fabric& fabric) {
  LidMatrix matrix;
  SwitchId sw = SwitchId::none();
  for_each_line(text_of(folder + "/opensm-lid-matrix.dump"), [&](std::string_view line) {
    if (line.starts_with("Switch:")) {
      sw = switch_of(fabric, guid_after(line, "guid "));
      return;
    }
    const std::size_t colon = line.find(':');
    const Lid lid(static_cast<std::uint16_t>(number(line.substr(0, colon), 16, line)));
    auto& row = matrix[{sw, lid}];
    for (std::string_view w : words(line.substr(colon + 1, line.find('#') - colon - 1)))
      row.push_back(static_cast<std::uint8_t>(number(w, 16, line)));
  });
  return matrix;
}

std::vector<Sl2VlRow> opensm_sl2vl(const std::string& folder, const fabric::Fabric& fabric) {
  std::vector<Sl2VlRow> rows;
  PortId port = PortId::none();
  for_each_line(text_of(folder + "/opensm-sl2vl.dump"), [&](std::string_view line) {
    if (line.empty() || line.starts_with("#")) return;
    const std::size_t guid = line.find(" 0x");
    if (guid != std::string_view::npos) {
      const auto found = fabric.find_port(Guid(number(line.substr(guid + 1, 18), 16, line)));
      port = found ? *found : throw std::runtime_error("unknown port: " + std::string(line));
      return;
    }
    const auto w = words(line);
    if (w.size() != 19) stop("malformed SL2VL line: " + std::string(line));
    Sl2VlRow row{port,
                 PortNum(static_cast<std::uint8_t>(number(w[0], 10, line))),
                 PortNum(static_cast<std::uint8_t>(number(w[1], 10, line))),
                 {}};
    for (std::size_t sl = 0; sl < 16; ++sl)
      row.map[sl] = static_cast<std::uint8_t>(number(w[3 + sl], 10, line));
    rows.push_back(row);
  });
  return rows;
}

std::vector<PathSlRow> opensm_path_sls(const std::string& folder) {
  std::vector<PathSlRow> rows;
  for_each_line(text_of(folder + "/path-sl.txt"), [&](std::string_view line) {
    const auto w = words(line);
    if (w.size() != 3 || w[0].starts_with("#")) return;
    const int base = w[0].starts_with("0x") ? 16 : 10;
    rows.push_back({Lid(static_cast<std::uint16_t>(number(w[0], base, line))),
                    Lid(static_cast<std::uint16_t>(number(w[1], base, line))),
                    static_cast<std::uint8_t>(number(w[2], 10, line))});
  });
  return rows;
}

std::string difference(const fabric::Fabric& fabric, const fabric::ForwardingTables& ours,
                       const fabric::ForwardingTables& theirs) {
  std::size_t count = 0;
  std::string first;
  const std::uint16_t top = std::max(ours.max_lid(), theirs.max_lid()).value;
  const auto entry = [](const fabric::ForwardingTables& tables, SwitchId sw, std::uint16_t lid) {
    return lid <= tables.max_lid().value ? tables.at(sw, Lid(lid)) : kNoPath;
  };
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (std::uint16_t lid = 0; lid <= top; ++lid) {
      const SwitchId sw(s);
      if (entry(ours, sw, lid) == entry(theirs, sw, lid) || ++count > 5) continue;
      first += fmt::format("\n  {} LID {}: port {} against {}", fabric.node(sw).description, lid,
                           entry(ours, sw, lid), entry(theirs, sw, lid));
    }
  return count == 0 ? "" : fmt::format("{} entries differ:{}", count, first);
}

}  // namespace rch::test
