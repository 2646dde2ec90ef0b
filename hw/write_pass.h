#pragma once

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "hw/live_fabric.h"
#include "hw/smp_client.h"

namespace rch::hw {

/// One attribute of one port, what it should hold, and which fields of it are compared.
struct Image {
  PortId target;
  Attribute attribute = Attribute::port_info;
  std::uint32_t modifier = 0;
  SmpData data{};
  std::span<const Field> compared;  ///< static storage

  /// True if a port that shows `seen` needs no Set.
  bool is_held_by(const SmpData& seen) const;
};

/// All fields of an attribute that is one block of a table.
inline constexpr std::array kWholeBlock{Field{0, 0, 64},  Field{8, 0, 64},  Field{16, 0, 64},
                                        Field{24, 0, 64}, Field{32, 0, 64}, Field{40, 0, 64},
                                        Field{48, 0, 64}, Field{56, 0, 64}};

/// A pass of Sets over the fabric: everything is on its way at once, each answer is compared with what was
/// sent, and the first thing that goes wrong ends the pass.
///
/// PortState compares as "at least": a neighbour may have pulled the port further already. A Set(PortInfo)
/// refused as invalid is looked at once more with a Get, for a Set whose answer was lost is refused the
/// second time (sm-sa 3.2).
class WritePass {
 public:
  WritePass(SmpClient& client, const LiveFabric& live) : client_(client), live_(live) {}

  void set(const Image& image);
  /// Waits for all answers. Fails (fabric) naming the port, its route and the table.
  Result<void> finish();
  /// Gets everything that was set and compares again.
  Result<void> read_back();
  /// Gets what each image names and compares, without having set it.
  Result<void> expect(std::span<const Image> images);

 private:
  void send(Method method, const Image& image);
  void check(Method method, const Image& image, const SmpAnswer& answer);
  void give_up(const Image& image, const std::string& what);
  Result<void> settle();

  SmpClient& client_;
  const LiveFabric& live_;
  std::deque<Image> images_;
  std::deque<const Image*> doubtful_;
  std::optional<Error> error_;
};

/// "block 3 of its forwarding table": what an image is, for messages.
std::string describe_attribute(Attribute attribute, std::uint32_t modifier);

}  // namespace rch::hw
