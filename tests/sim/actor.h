#pragma once

#include "hw/transport.h"

namespace rch::sim::test {

/// What runs at a host of the fabric, an event at a time.
class Actor {
 public:
  virtual ~Actor() = default;

  /// Before each choice of who goes on.
  virtual void prepare() = 0;
  virtual bool nothing_arrived() const = 0;
  /// When it goes on although nothing arrived; TimePoint::max() if never.
  virtual hw::TimePoint due() const = 0;
  virtual void go_on() = 0;
};

}  // namespace rch::sim::test
