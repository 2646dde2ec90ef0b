#pragma once

// A manager that stands by follows its master (docs/decisions/0023). An event machine as Rmpp is.
//
// States, and what moves it:
//   idle       nobody is followed.
//   asking     follow(). Asks once a second: who is master may be no rch.
//   following  an answer brought the whole state. Asks ten times a second for what changed.

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "chains/plan.h"
#include "hw/transport.h"
#include "sa/manager_state.h"
#include "sa/rmpp.h"

namespace rch::sa {

/// What is known of a master.
struct Followed {
  Lid master{};
  StateVersions versions{};
  std::uint64_t configuration = 0;
  bool counts = false;  ///< the master answers hosts when we have what they registered
  std::optional<chains::Plan> plan{};
  std::vector<chains::Plan>
      targets{};          ///< what the master was about to install since, the last one at the end
  std::string lids{};     ///< a guid2lid file
  std::string records{};  ///< of the journal, without the heading
  hw::TimePoint asked{};  ///< when the last question that was answered was sent
};

class Follower {
 public:
  enum class News : std::uint8_t {
    follows,     ///< the whole state is here
    unreadable,  ///< an answer cannot be read
  };
  /// Calls `tell` with what happens, and why.
  explicit Follower(std::function<void(News, const std::string& why)> tell) : tell_(std::move(tell)) {}

  /// Asks this master from now on. What is known of another one is forgotten; what is known of this one, from
  /// before stop(), stays. LID 0: nobody.
  void follow(Lid master, std::uint8_t service_level, std::uint64_t key, hw::TimePoint now);
  /// Hash of our own configuration, which the master is told; 0: any one of the master is taken over.
  void set_configuration(std::uint64_t configuration) { configuration_ = configuration; }
  /// Asks no more. What is known stays.
  void stop() { asks_ = false; }
  /// Nothing is known any more.
  void forget();
  /// Null: the whole state has not come yet.
  const Followed* followed() const { return whole_ ? &known_ : nullptr; }
  /// The master answered before, and does not for a while.
  bool is_silent(hw::TimePoint now) const;

  void on_datagram(const hw::Datagram& datagram, hw::TimePoint now);
  void on_time(hw::TimePoint now);
  void take_datagrams(std::vector<hw::OutgoingDatagram>& out);
  hw::TimePoint deadline() const;

 private:
  struct Question {
    std::uint32_t transaction = 0;
    hw::TimePoint sent{};
  };
  void ask(hw::TimePoint now);
  void on_answer(const hw::Datagram& first, std::span<const std::uint8_t> records, hw::TimePoint now);
  Result<void> take(ManagerState state);

  std::function<void(News, const std::string&)> tell_;
  bool asks_ = false, whole_ = false, told_unreadable_ = false;
  Followed known_;
  std::uint8_t service_level_ = 0;
  std::uint64_t key_ = 0, configuration_ = 0;
  std::uint32_t transaction_ = 0;
  std::deque<Question> questions_;  ///< the last ones
  hw::TimePoint due_{};             ///< of the next question
  hw::TimePoint heard_{};           ///< of the master
  Rmpp rmpp_;
  std::vector<hw::OutgoingDatagram> out_;
};

}  // namespace rch::sa
