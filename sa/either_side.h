#pragma once

#include "hw/service.h"
#include "sa/follower.h"
#include "sa/server.h"

namespace rch::sa {

/// The service of subnet administration: answers of our master are for the follower, all else is for the
/// server. Both must outlive it.
class EitherSide : public hw::Service {
 public:
  EitherSide(Server& server, Follower& follower) : server_(server), follower_(follower) {}

  void on_datagram(const hw::Datagram& datagram, hw::TimePoint now) override;
  void on_time(hw::TimePoint now) override;
  hw::Keeping take_records() override { return server_.take_records(); }
  void on_not_kept() override { server_.on_not_kept(); }
  void take_datagrams(std::vector<hw::OutgoingDatagram>& out, hw::TimePoint now) override;
  hw::TimePoint deadline() const override { return std::min(server_.deadline(), follower_.deadline()); }

 private:
  Server& server_;
  Follower& follower_;
};

}  // namespace rch::sa
