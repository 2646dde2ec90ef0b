#include "hw/fdr10.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fabric/fabric_builder.h"
#include "hw/vendor_answers.h"

namespace rch::hw {
namespace {

namespace ext = extended_port_info;

/// Devices of a vendor from one id to another.
struct Devices {
  std::uint32_t vendor;
  std::uint16_t first, last;
};
constexpr std::uint32_t kMellanox = 0x0002C9, kBull = 0x00119F;
/// As OpenSM and infiniband-diags know them: SwitchX to Switch-IB 2, ConnectX-3 to ConnectX-5, Connect-IB.
constexpr Devices kKnown[] = {
    {kMellanox, 0xC738, 0xC73B}, {kMellanox, 0xCB20, 0xCB20}, {kMellanox, 0xCF08, 0xCF08},
    {kMellanox, 0x1003, 0x1017}, {kBull, 0x1B02, 0x1B02},     {kBull, 0x1B33, 0x1B33},
    {kBull, 0x1B40, 0x1B41},     {kBull, 0x1B50, 0x1B50},     {kBull, 0x1B60, 0x1B61},
    {kBull, 0x1B73, 0x1B73},     {kBull, 0x1B83, 0x1B83},     {kBull, 0x1B93, 0x1B94},
    {kBull, 0x1BA0, 0x1BA0},     {kBull, 0x1BB4, 0x1BB5},     {kBull, 0x1BC4, 0x1BC4},
    {kBull, 0x1BD0, 0x1BD5},
};

bool is_known(const fabric::Node& node) {
  return std::ranges::any_of(kKnown, [&](const Devices& known) {
    return node.vendor_id == known.vendor && node.device_id >= known.first && node.device_id <= known.last;
  });
}

constexpr std::array kCompared{ext::kSpeedEnabled};

}  // namespace

std::vector<Image> fdr10_questions(const LiveFabric& live, Fdr10 option) {
  std::vector<Image> questions;
  if (option != Fdr10::enable && option != Fdr10::disable) return questions;
  for (std::uint32_t p = 0; p < live.fabric.ports().size(); ++p) {
    const PortId id(p);
    const fabric::Port& port = live.fabric.port(id);
    if (port.number != PortNum(0) && live.info(id).state > PortState::down &&
        is_known(live.fabric.node(port.node)))
      questions.push_back({id, Attribute::extended_port_info, port.number.value, {}, kCompared});
  }
  return questions;
}

std::vector<Image> fdr10_writes(std::vector<Image>& said, Fdr10 option) {
  std::vector<Image> writes;
  for (Image& image : said) {
    const std::uint64_t enabled = option == Fdr10::enable ? ext::kFdr10 : 0;
    if ((get(image.data, ext::kSpeedSupported) & ext::kFdr10) == 0 ||
        get(image.data, ext::kSpeedEnabled) == enabled)
      continue;
    set(image.data, ext::kSpeedEnabled, enabled);
    writes.push_back(image);
    set(writes.back().data, ext::kStateChangeEnable, 1);
  }
  return writes;
}

Task<Result<void>> read_active_fdr10(Exchange& exchange, LiveFabric& live) {
  std::vector<Image> questions = fdr10_questions(live, Fdr10::enable);
  std::erase_if(questions, [&](const Image& question) {
    return live.fabric.port(question.port).speed != fabric::LinkSpeed::qdr;
  });
  const auto answers = co_await ask_vendor(exchange, live, std::move(questions), nullptr);
  if (!answers) co_return tl::unexpected(answers.error());
  std::vector<fabric::Port> ports(live.fabric.ports().begin(), live.fabric.ports().end());
  for (const Image& image : answers->said)
    if ((get(image.data, ext::kSpeedActive) & ext::kFdr10) != 0)
      ports[image.port.index()].speed = fabric::LinkSpeed::fdr10;
  auto fabric = fabric::with_ports(live.fabric, std::move(ports));
  if (!fabric) co_return tl::unexpected(fabric.error());
  live.fabric = std::move(*fabric);
  co_return {};
}

}  // namespace rch::hw
