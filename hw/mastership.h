#pragma once

// One subnet has one master (IBA 14.4). rch wins the mastership before it reads what it relies on, and looks
// again before every step that writes (docs/decisions/0016). `rch apply` is master for one pass. `rch run`
// stays: it stands by beside another master, hands over to a higher rank and takes over what is handed to it.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "hw/discovery.h"
#include "hw/exchange.h"
#include "hw/live_fabric.h"
#include "hw/sweep.h"

namespace rch::hw {

struct ManagerOptions {
  std::uint64_t sm_key = 1;
  std::uint8_t sm_priority = 0;
  std::uint8_t master_sm_priority = 0;  ///< while it is master, where that is higher
  bool takeover = false;                ///< go on although the fabric has a master
  bool stays = false;     ///< shows its priority from the beginning, and stands by when another SM is master
  bool inactive = false;  ///< of one that stays: it stands by as not active, until a master enables it
  Milliseconds poll_every{10000};   ///< a manager that stands by asks the master this often
  unsigned missed_polls = 4;        ///< answers as master that are missing before it is taken for gone
  std::vector<Guid> allowed_sms{};  ///< others are not handed over to and not obeyed, by port; empty: all are

  bool allows(Guid sm) const {
    return allowed_sms.empty() || std::ranges::find(allowed_sms, sm) != allowed_sms.end();
  }
};

/// Fails (fabric), naming GUID, LID and priority, when another SM is master of the fabric and `takeover` is
/// not set: one that says so, or one that does not answer, is not given up, and that our port knows as its
/// SM.
Result<void> check_no_master(const LiveFabric& live, const ManagerOptions& options);

/// What a manager does beside the polls while it stands by.
class StandbyWatch {
 public:
  virtual ~StandbyWatch() = default;
  /// The SM that our port names, and the SL of packets to it; LID 0: none, or us. Comes every second.
  virtual void on_master(Lid master, std::uint8_t service_level) = 0;
  /// The master says that it is one.
  virtual void on_alive() = 0;
  /// The master is to be asked at once.
  virtual bool is_silent() const = 0;
  /// The master, or another one in its place, answered lately.
  virtual bool is_heard() const = 0;
  /// The master did not answer so many polls in a row. 0: a master answers, the same or another one.
  virtual void on_missed(Lid master, unsigned polls) = 0;
  /// A handover may be taken.
  virtual bool may_take_over() const = 0;
};

/// Where a request of the fabric came from.
Address sender_of(const Datagram& request);

/// Our claim to be the one master, from win() to the end of the object. Our port shows a subnet manager all
/// the time, and Get(SMInfo) is answered while a machine runs.
///
/// Nobody but the master writes. Sets of all machines of the exchange, apart from those of SMInfo, are sent
/// only within kSetsFor after our own port and the other SMs were asked and did not object. Those that are
/// due later, because the process stood still, are withheld until that is asked again.
///
/// States of a manager that stays, as SMInfo shows them (IBA 14.4):
///   discovering  win(). Another master, or one of higher rank that comes up, moves it to standby.
///   master       win() has its result. A master of higher rank, hand_over(), lost questions and a master
///   that
///                had given it up move it to standby. A master of lower rank gives way: what that one wrote
///                is not known then.
///   standby      stand_by() polls the master. Its silence, or its handover, ends that; win() goes on. Who
///                was master beside it hands over to it first.
///   not_active   a master disabled us, or we begin so. Set(SMInfo, STANDBY) of a master moves it to standby.
class Mastership {
 public:
  /// No Set is sent later than this after the others were asked. A manager that gave the master up waits as
  /// long before it is master itself.
  static constexpr Milliseconds kSetsFor{500};

  /// `exchange` must outlive it. Requests that are not about SMInfo go to `others`.
  Mastership(Exchange& exchange, const ManagerOptions& options, Responder others = {});
  ~Mastership() {
    exchange_.resign();
    exchange_.allow_sets_until(TimePoint::max());
  }
  Mastership(const Mastership&) = delete;
  Mastership& operator=(const Mastership&) = delete;

  /// Becomes master, and discovers the fabric meanwhile: no other SM of the same rules wrote to it since.
  /// Fails (fabric) as discover() does, and when another SM is master, has the higher rank, or does not come
  /// to an end; the message names it.
  Task<Result<LiveFabric>> win(LookOptions how = {});

  /// Other SMs that answered last and that `allowed_sms` does not name.
  std::vector<SmInfo> not_allowed() const;
  /// Hands over to an SM of higher rank that the last look found and that may have it, by its port GUID, if
  /// there is one: true.
  Task<Result<bool>> hand_over(std::function<bool(Guid)> may_have);
  /// Waits until the master that we lost to does not say any more that it is one, or hands over to us.
  Task<Result<void>> stand_by(StandbyWatch& watch);
  SmState state() const { return shown_.state; }
  /// Why nothing may be written now; empty: nothing speaks against it.
  std::string objection() const;
  const ManagerOptions& options() const { return options_; }
  /// Polls in a row that the master did not answer.
  unsigned missed_polls() const { return missed_; }
  /// Priority and polls of a manager that stays are those of `options` from now on.
  void follow(const ManagerOptions& options);

  /// What to ask before anything is written: our own port, and the other SMs that answered last or asked us
  /// since. A silent one asks us when it wakes up, before it relies on anything.
  std::vector<SmpRequest> questions();
  /// The next questions go to silent SMs as well.
  void doubt_silence();
  /// Judges the answers to `questions`. False: another SM showed up meanwhile, so there are more questions.
  /// Fails (fabric) when the mastership is lost, which our port shows from then on, and when
  /// other_was_master(). Else Sets may be sent for a while.
  Result<bool> confirm(std::span<const SmpRequest> questions, std::span<const SmpAnswer> answers);
  /// Another master of lower rank was met, or handed over to us, since the last win(): what it wrote is not
  /// known. Until the next win() confirm() fails.
  bool other_was_master() const { return other_was_master_; }
  /// An SM asked us that was not met yet: two masters may meet so.
  bool was_asked_anew() const;
  /// Asks questions() and judges the answers, until there are no more questions or `wakes`.
  Task<Result<void>> meet(const std::function<bool()>& wakes);
  /// Makes other SMs of those that asked us since the last time.
  void meet_senders();
  /// Other SMs that were met are asked over the routes of this fabric from now on, which was looked at since.
  /// Those that are not there any more are not asked.
  void follow_routes(const LiveFabric& live);
  /// Our port is about to get this LID, and to name it as its SM.
  void announce_sm(Lid lid) { next_lid_ = lid; }
  /// From now on our port must name this LID as its SM.
  void expect_sm(Lid lid) {
    own_.lid = own_.master_sm_lid = lid;
    next_lid_ = kUnassignedLid;
  }

  /// A line about each master that was taken over.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  /// Another SM.
  struct Rival {
    Address at;
    std::string name;
    Guid guid{};                   ///< of its port; 0: not known
    Lid lid{};                     ///< likewise
    bool active = false;           ///< it asked us, or answered
    bool due = false;              ///< to be asked
    std::optional<SmInfo> info{};  ///< of its last answer; none if it does not answer

    bool is(SmState state) const { return info && info->state == state; }
    bool is_asked() const { return info || due; }  ///< before anything is written
  };
  /// Whom to poll.
  struct Polled {
    Address at;
    Lid lid{};  ///< 0: not known
  };
  /// The SM that our port names, asked by its LID.
  struct KnownManager {
    bool reached = true;  ///< false: the LID does not answer
    bool is_sm = false;
  };
  /// What a look at the fabric is worth.
  enum class Look : std::uint8_t { won, outdated };

  void enter(SmState state);
  bool answer(Datagram& datagram);
  bool accepts(const SmInfo& sender, std::uint32_t modifier);
  bool accepts_state(std::uint32_t modifier);
  /// Asks whether we are still master when Sets wait for that.
  class Renewal;

  Task<Result<void>> keep_sets_allowed();
  void begin_managing();
  std::optional<Polled> master_to_poll() const;
  void leave(const std::optional<Polled>& master);
  bool outranks_us(const SmInfo& other) const;
  bool stands_by_for(const SmInfo& sender);
  void note_other_master();
  void note_awake(const Rival& rival);
  bool outranks_all_masters(const LiveFabric& live) const;
  Task<Result<void>> find_master();
  Task<Result<void>> name_master(StandbyWatch& watch);
  Task<Result<bool>> is_there(std::optional<Polled> master, bool in_a_hurry);
  Task<Result<bool>> shows_manager(std::optional<Polled> master);
  Task<Result<void>> give_way(Address master);

  Task<Result<void>> look_at_own_port();
  Task<Result<KnownManager>> ask_known_manager();
  Task<Result<KnownManager>> ask_manager(Address at, Patience patience);
  Task<Result<void>> refuse_manager_in_sight();
  Task<Result<LiveFabric>> look();
  bool gives_way() const;
  Task<Result<Look>> settle(const LiveFabric& live);
  Task<Result<Look>> wait_for_handover(const LiveFabric& live);
  Task<Result<Look>> judge();
  SmpRequest question_for(const Rival& rival) const;
  Task<Result<void>> poll();
  Task<Result<void>> take_over(const LiveFabric& live);
  void note_early_handover(const LiveFabric& live, Lid named);
  SmpRequest tell(Address to, std::uint32_t modifier) const;
  Task<Result<void>> overrule(Address at, Patience patience);
  Task<Result<void>> overrule_silent_rivals();

  bool meets(const Address& sender) const;
  bool follow_route(Rival& rival, const LiveFabric& live) const;
  bool is_overruled(const Rival& rival) const;
  std::string name_of(const Rival& rival) const;
  tl::unexpected<Error> give_way();
  tl::unexpected<Error> lose(const std::string& why);

  Exchange& exchange_;
  ManagerOptions options_;
  Responder others_;
  SmInfo shown_;
  PortNum own_number_;
  PortInfo own_;                  ///< LID and SM LID as they must stay
  Lid next_lid_{};                ///< or are about to be; 0: they stay
  std::vector<Address> senders_;  ///< of Get(SMInfo); not yet met
  std::vector<Rival> rivals_;
  std::vector<Guid> overruled_guids_;  ///< their ports, where that is known
  std::vector<Address> overruled_;     ///< SMs that are told that we are master; they stop at their next step
  std::optional<SmInfo> told_off_by_;  ///< a master that told us to stand by
  bool heard_itself_ = false;          ///< what is sent to our port reaches us, not another SM there
  bool unsure_ = false;                ///< an SM that was there before us may have left unseen
  bool first_look_ = true;
  bool other_was_master_ = false;
  std::string why_lost_;
  TimePoint asked_at_{};       ///< questions()
  unsigned missed_ = 0;        ///< polls in a row
  bool tells_missed_ = false;  ///< what StandbyWatch::on_missed() told last; a master has answered none since
  bool hurried_ = false;       ///< looked before so many were missed as it takes, since the last answer
  Lid given_up_{};             ///< of the SM that missed them all; it counts as gone while it is silent
  TimePoint given_up_at_{};
  /// The last look saw nothing, and another SM asked. Until one succeeds our port shows that we stand by: one
  /// that sees the fabric must not give way to our rank.
  bool is_blind_ = false;
  bool owes_handover_ = false;    ///< the mastership was lost, and the master does not know that it was ours
  bool begins_inactive_ = false;  ///< and requests are not answered yet
  const StandbyWatch* watch_ = nullptr;  ///< while it stands by
  LookOptions look_options_;
  std::vector<std::string> remarks_;
  std::optional<Task<Result<void>>> renewal_;
};

}  // namespace rch::hw
