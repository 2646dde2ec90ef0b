#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <vector>

#include "conformance/protocol.h"
#include "hw/smp.h"
#include "hw/transport.h"

namespace rch::conformance {

struct Request {
  std::uint8_t method = method::kGet;
  std::uint16_t attribute = 0;
  std::uint64_t mask = 0;
  std::vector<std::uint8_t> data{};
  std::uint32_t modifier = 0;
  std::uint64_t key = 0;
};

/// An answer, its segments put together.
struct Reply {
  bool answered = false;
  std::uint16_t status = 0;
  hw::Mad first{};                 ///< of the first segment
  std::vector<std::uint8_t> data;  ///< of all
  std::size_t record_size = 0;     ///< as AttributeOffset tells

  bool good() const { return answered && status == status::kGood; }
  std::size_t count() const { return record_size == 0 ? 0 : data.size() / record_size; }
  std::span<const std::uint8_t> record(std::size_t i) const {
    return std::span(data).subspan(i * record_size, record_size);
  }
  /// "0x0300 no records", "3 records" or "no answer".
  std::string text() const;
};

/// A client of subnet administration that waits. Requests are sent again when no answer comes; long answers
/// are acknowledged segment by segment. Reports that arrive meanwhile are answered and kept.
class Client {
 public:
  /// Both must outlive the client. Once `stop` is true, nothing is asked any more.
  Client(hw::Transport& transport, const std::atomic<bool>& stop) : transport_(transport), stop_(stop) {}

  void set_server(Lid lid, std::uint8_t service_level) { server_ = lid, service_level_ = service_level; }
  bool stopped() const { return stop_ && !cleaning_; }
  /// While `cleaning` is true, `stop` does not count: what was registered has to be removed.
  void set_cleaning(bool cleaning) { cleaning_ = cleaning; }

  Reply ask(const Request& request, int attempts = kAttempts);
  /// Asks the agent of our own port, or that of a LID. Returns nothing if there is no answer.
  std::optional<hw::SmpData> ask_agent(const hw::SmpRequest& request, std::uint64_t m_key,
                                       int attempts = kAttempts);
  /// Requests that were sent, repetitions included.
  std::size_t sent() const { return sent_; }

  // The parts of ask(), for those who break the rules of a transfer.

  hw::Datagram datagram_of(const Request& request);
  void send(const hw::Datagram& datagram, bool answer = false);
  /// The next datagram of the transaction, or nothing within `wait`.
  std::optional<hw::Datagram> next(std::uint32_t transaction, hw::Milliseconds wait);
  /// ACK up to `segment`; further ones are welcome up to `window_last`.
  void acknowledge(const hw::Datagram& received, std::uint32_t segment, std::uint32_t window_last);
  void abort(const hw::Datagram& received);
  /// Waits for Reports that are not there yet. Returns all since the last call.
  std::vector<hw::Mad> reports(hw::Milliseconds wait, std::size_t enough);

  static constexpr int kAttempts = 4;
  static constexpr hw::Milliseconds kWait{1000};

 private:
  std::optional<Reply> receive(std::uint32_t transaction);
  std::optional<Reply> receive_segments(const hw::Datagram& first);
  std::optional<hw::Datagram> send_segments(const Request& request, hw::Datagram datagram);
  void take(const hw::Datagram& datagram);

  hw::Transport& transport_;
  const std::atomic<bool>& stop_;
  bool cleaning_ = false;
  Lid server_;
  std::uint8_t service_level_ = 0;
  std::uint32_t transaction_ = 0x5000;
  std::size_t sent_ = 0;
  std::vector<hw::Datagram> arrived_;
  std::vector<hw::Mad> reports_;
};

}  // namespace rch::conformance
