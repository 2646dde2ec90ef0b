#include "hw/write_pass.h"

#include <fmt/format.h>

namespace rch::hw {
namespace {

/// First compared field in which the two differ.
std::optional<Field> first_difference(const Image& image, const SmpData& seen) {
  for (const Field field : image.compared) {
    const auto wanted = get(image.data, field);
    const auto found = get(seen, field);
    const bool state = image.attribute == Attribute::port_info && field == port_info::kState;
    if (state ? found < wanted : found != wanted) return field;
  }
  return std::nullopt;
}

}  // namespace

bool Image::is_held_by(const SmpData& seen) const { return !first_difference(*this, seen); }

std::string describe_attribute(Attribute attribute, std::uint32_t modifier) {
  switch (attribute) {
    case Attribute::linear_table:
      return fmt::format("block {} of its forwarding table", modifier);
    case Attribute::sl2vl:
      return fmt::format("its SL2VL table {} to {}", modifier >> 8U & 0xFFU, modifier & 0xFFU);
    case Attribute::vl_arbitration:
      return fmt::format("block {} of its VL arbitration", modifier >> 16U);
    case Attribute::multicast_table:
      return fmt::format("block {} (ports from {}) of its multicast table", modifier & 0x1FFU,
                         (modifier >> 28U) * 16U);
    case Attribute::switch_info:
      return "its SwitchInfo";
    case Attribute::port_info:
      return fmt::format("its PortInfo of port {}", modifier & 0xFFU);
    default:
      return fmt::format("its attribute 0x{:02x}", static_cast<unsigned>(attribute));
  }
}

void WritePass::set(const Image& image) {
  if (error_) return;
  images_.push_back(image);
  send(Method::set, images_.back());
}

void WritePass::send(Method method, const Image& image) {
  SmpRequest request{.route = live_.routes[image.target.index()],
                     .method = method,
                     .attribute = image.attribute,
                     .modifier = image.modifier,
                     .node = live_.fabric.port(image.target).node.value};
  if (method == Method::set) request.data = image.data;
  client_.submit(request,
                 [this, at = &image, method](const SmpAnswer& answer) { check(method, *at, answer); });
}

void WritePass::check(Method method, const Image& image, const SmpAnswer& answer) {
  if (error_) return;
  const bool set = method == Method::set;
  const std::string_view verb = set ? "set" : "read back";
  const auto table = [&] { return describe_attribute(image.attribute, image.modifier); };
  if (!answer.answered) return give_up(image, fmt::format("does not answer when {} is {}", table(), verb));
  if (set && answer.status == kStatusInvalidValue && image.attribute == Attribute::port_info) {
    doubtful_.push_back(&image);
    return;
  }
  if (answer.status != 0) {
    return give_up(image,
                   fmt::format("answers with status 0x{:02x} when {} is {}", answer.status, table(), verb));
  }
  if (const auto field = first_difference(image, answer.data)) {
    give_up(image, fmt::format("shows 0x{:x} at byte {} of {} after 0x{:x} was written",
                               get(answer.data, *field), field->byte, table(), get(image.data, *field)));
  }
}

void WritePass::give_up(const Image& image, const std::string& what) {
  error_ = Error{ErrorKind::fabric, fmt::format("{} {}", describe_port(live_, image.target), what)};
  client_.abandon_queued();
}

Result<void> WritePass::settle() {
  auto waited = client_.wait_all();
  if (error_) return tl::unexpected(*error_);
  return waited;
}

Result<void> WritePass::finish() {
  if (auto settled = settle(); !settled) return settled;
  for (const Image* image : doubtful_) send(Method::get, *image);
  doubtful_.clear();
  return settle();
}

Result<void> WritePass::expect(std::span<const Image> images) {
  images_.assign(images.begin(), images.end());
  return read_back();
}

Result<void> WritePass::read_back() {
  for (const Image& image : images_) {
    if (!error_) send(Method::get, image);
  }
  return settle();
}

}  // namespace rch::hw
