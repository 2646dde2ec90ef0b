#pragma once

// A host as a client of subnet administration: one request at a time, sent again until it is answered, as
// IPoIB and the kernel do. It registers again when its port comes up, has another LID or another subnet
// manager, and when it is told to (ClientReregister).

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "sa/mad.h"
#include "sa/rmpp.h"
#include "sim/actor.h"
#include "sim/host_requests.h"
#include "sim/simulated_fabric.h"

namespace rch::sim::test {

class Host : public Actor {
 public:
  /// `judge` is given all path records of an answer. Both references must outlive it.
  using Judge = std::function<void(const Host&, std::span<const std::uint8_t> records)>;
  /// `waits_to_be_told`: another subnet manager alone is no reason to register again.
  Host(SimulatedFabric& simulated, const fabric::Fabric& fabric, PortId at, Judge judge,
       bool waits_to_be_told = false);

  // What it wants.
  /// `join_state`: of groups.
  void add(Item item, std::uint8_t join_state = 1);
  void remove(Item item);
  void ask_path(PortId to) { questions_.push_back({.to = to}); }
  /// All paths from here.
  void ask_table() { questions_.push_back({.to = PortId::none()}); }
  /// Once nothing is lost any more: asks for the paths to these ports, and whether what it registered is
  /// known. No question is given up.
  void confirm(const std::vector<PortId>& to);
  void register_again();

  // What it has.
  struct Registration {
    enum class State : std::uint8_t { open, registered, ending };
    State state = State::open;
    std::uint8_t join_state = 0;
    Lid mlid{};                 ///< of a group that it has joined
    std::uint16_t manager = 0;  ///< LID of the subnet manager that registered it
  };
  const std::map<Item, Registration>& registrations() const { return registrations_; }
  PortId port() const { return at_; }
  bool waits_to_be_told() const { return waits_to_be_told_; }
  /// Its port is ACTIVE. If not, it registers again when it is.
  bool is_up() const { return seen_.active; }
  /// LID of the subnet manager that its port names.
  std::uint64_t manager() const { return seen_.manager; }
  /// Nothing is asked or to be registered.
  bool is_idle() const;
  /// What confirm() asked and was answered otherwise than it should.
  const std::vector<std::string>& refusals() const { return refusals_; }
  /// Where the paths lead that confirm() asked for: destination and its LID.
  const std::vector<std::pair<PortId, Lid>>& paths() const { return paths_; }

  /// Sees what became of its port.
  void prepare() override;
  bool nothing_arrived() const override { return way_.nothing_arrived(); }
  hw::TimePoint due() const override;
  /// Receives, and sends what is due.
  void go_on() override;

  struct Counters {
    std::size_t answered = 0, refused = 0, given_up = 0, tables = 0, reports = 0;

    Counters& operator+=(const Counters& other) {
      for (auto counter : {&Counters::answered, &Counters::refused, &Counters::given_up, &Counters::tables,
                           &Counters::reports})
        this->*counter += other.*counter;
      return *this;
    }
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Question {
    PortId to{};                 ///< of a path; none: all paths from here
    std::optional<Item> item{};  ///< whether it is registered
  };
  /// The request that is not answered yet.
  struct Open {
    hw::Datagram request;
    std::optional<Item> item{};  ///< to register, or to end
    std::optional<Question> question{};
    unsigned sent = 0;
    hw::TimePoint due{};
  };
  struct Sight {
    std::uint64_t lid = 0, manager = 0;
    bool active = false;
    friend bool operator==(const Sight&, const Sight&) = default;
  };

  void open_next();
  void send_open();
  void on_datagram(const hw::Datagram& datagram);
  void on_answer(const hw::Datagram& first, std::span<const std::uint8_t> records);
  void note_registration(const Item& item, const hw::Datagram& answer, bool good);
  void note_answer(const Question& question, sa::Status status, std::span<const std::uint8_t> records);
  void answer_report(hw::Datagram report);
  hw::Datagram request(sa::Method method, sa::Attribute attribute);
  hw::Datagram request_for(const Item& item, const Registration& registration);
  hw::Datagram request_for(const Question& question);
  void send(const hw::Datagram& datagram);
  Guid guid(PortId port) const { return fabric_.port(port).guid; }

  SimulatedFabric& simulated_;
  const fabric::Fabric& fabric_;
  PortId at_;
  Judge judge_;
  bool waits_to_be_told_;
  SimulatedPort way_;
  sa::Rmpp rmpp_;
  std::map<Item, Registration> registrations_;
  std::deque<Question> questions_;
  std::optional<Open> open_;
  hw::TimePoint rests_until_{};  ///< after a refusal
  bool confirms_ = false;
  std::vector<std::string> refusals_;
  std::vector<std::pair<PortId, Lid>> paths_;
  std::uint32_t transaction_ = 0;
  Sight seen_;
  Counters counters_;
};

}  // namespace rch::sim::test
