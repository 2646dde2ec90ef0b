#include "hw/read_pass.h"

#include <fmt/format.h>

#include "hw/write_pass.h"

namespace rch::hw {

void ReadPass::get(PortId target, Attribute attribute, std::uint32_t modifier,
                   std::function<void(const SmpData&)> store) {
  if (error_) return;
  client_.submit({.route = live_.routes[target.index()],
                  .attribute = attribute,
                  .modifier = modifier,
                  .node = live_.fabric.port(target).node.value},
                 [this, target, attribute, modifier, store = std::move(store)](const SmpAnswer& answer) {
                   if (answer.good()) return store(answer.data);
                   if (!error_) give_up(target, describe_attribute(attribute, modifier), answer);
                 });
}

Result<void> ReadPass::finish() {
  auto waited = client_.wait_all();
  if (error_) return tl::unexpected(*error_);
  return waited;
}

void ReadPass::give_up(PortId target, const std::string& what, const SmpAnswer& answer) {
  const std::string how = answer.answered ? fmt::format("answers with status 0x{:02x}", answer.status)
                                          : std::string("does not answer");
  error_ =
      Error{ErrorKind::fabric, fmt::format("{} {} when {} is read", describe_port(live_, target), how, what)};
  client_.abandon_queued();
}

}  // namespace rch::hw
