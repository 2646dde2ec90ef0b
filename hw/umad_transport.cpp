#include "hw/umad_transport.h"

#include <endian.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "hw/causes.h"
#include "hw/local_ports.h"

namespace rch::hw {
namespace {

/// How long one umad_recv() blocks: bounds how long closing takes.
constexpr int kReceiveSlice = 50;
/// While that many answers are awaited, the thread that receives sleeps so long after the first of them, and
/// hands over all that came meanwhile: at 100,000 answers a second most of the time would go into waking up
/// for each. A flood is told of in time.
constexpr unsigned kMany = 16, kMostUntold = 64;
constexpr std::chrono::microseconds kGathering{20};
/// Between clearing IsSM and unregistering: what the change sets off must still find us (ibsim's umad2sim.c).
constexpr Milliseconds kSettle{50};

struct FreeUmad {
  void operator()(void* umad) const { umad_free(umad); }
};
using UmadBuffer = std::unique_ptr<void, FreeUmad>;

UmadBuffer make_buffer() { return UmadBuffer(umad_alloc(1, umad_size() + sizeof(Mad))); }

std::string error_text(int code) { return std::generic_category().message(code); }

constexpr std::uint64_t method_bits(std::initializer_list<unsigned> methods) {
  std::uint64_t bits = 0;
  for (const unsigned method : methods) bits |= std::uint64_t{1} << method;
  return bits;
}

/// What to register, and for which requests when acting as a subnet manager. SA and performance answers must
/// find a registration even if nobody waits for them (ibsim's umad2sim.c).
struct Registration {
  MadClass mad_class;
  std::uint8_t version;
  std::uint8_t rmpp;
  std::uint64_t requests;  ///< methods, by bit
};
constexpr std::uint64_t kSmpRequests = method_bits({0x01, 0x02, 0x05, 0x07});  // Get, Set, Trap, TrapRepress
/// Get, Set, GetTable, GetTraceTable, GetMulti, Delete.
constexpr std::uint64_t kSaRequests = method_bits({0x01, 0x02, 0x12, 0x13, 0x14, 0x15});
constexpr std::uint64_t kReports = method_bits({0x06});
constexpr Registration kRegistrations[] = {
    {MadClass::directed_route, 1, 0, kSmpRequests},
    {MadClass::lid_routed, 1, 0, kSmpRequests},
    {MadClass::sa, 2, 1, kSaRequests},
    {MadClass::performance, 1, 0, 0},
};

std::string issm_path(const char* ca, int port) {
  char path[256] = {};
  return umad_get_issm_path(ca, port, path, sizeof path) == 0 ? path : "";
}

/// The device of a port when it exists and this process may not open it; empty otherwise. libibumad says
/// "Input/output error" for it, as for everything else.
std::string closed_device(const char* ca, int port) {
  return device_without_rights(issm_path(ca, port), [](const std::string& path) {
    return ::access(path.c_str(), R_OK | W_OK) == 0 ? 0 : errno;
  });
}

/// Agent number, or -1 with errno. Segments of RMPP are handed through to us: sa/rmpp.h puts them together.
/// Kernels and simulators without that get a registration that knows no RMPP, which hands them through, too.
int register_segments(int port_id, const Registration& r, std::uint64_t requests) {
  umad_reg_attr attributes{};
  attributes.mgmt_class = static_cast<std::uint8_t>(r.mad_class);
  attributes.mgmt_class_version = r.version;
  attributes.flags = UMAD_USER_RMPP;
  attributes.method_mask[0] = requests;
  attributes.rmpp_version = r.rmpp;
  std::uint32_t agent = 0;
  const int failed = umad_register2(umad_get_fd(port_id), &attributes, &agent);
  if (failed == 0) return static_cast<int>(agent);
  errno = failed;
  return -1;
}

int register_class(int port_id, const Registration& r, Serves serves) {
  const bool segments = serves != Serves::nothing && r.rmpp != 0;
  const std::uint64_t requests = serves == Serves::manager ? r.requests
                                 : segments                ? kReports
                                                           : std::uint64_t{0};
  if (segments) {
    int agent = register_segments(port_id, r, requests);
    if (agent < 0 && serves == Serves::reports) agent = register_segments(port_id, r, 0);
    if (agent >= 0 || errno == EPERM || errno == EBUSY) return agent;
  }
  std::array<long, 16 / sizeof(long)> methods{static_cast<long>(requests)};
  errno = 0;
  return umad_register(port_id, static_cast<std::uint8_t>(r.mad_class), r.version, segments ? 0 : r.rmpp,
                       requests != 0 ? methods.data() : nullptr);
}

Datagram unpack(void* umad) {
  Datagram datagram;
  std::memcpy(datagram.mad.data(), umad_get_mad(umad), datagram.mad.size());
  const ib_mad_addr_t* address = umad_get_mad_addr(umad);
  datagram.status = umad_status(umad);
  datagram.arrived = Clock::now();
  datagram.lid = be16toh(address->lid);
  datagram.queue_pair = be32toh(address->qpn);
  datagram.service_level = address->sl;
  if (address->grh_present != 0) {
    GlobalRoute& route = datagram.global_route.emplace();
    std::memcpy(route.gid.data(), address->gid, route.gid.size());
    route.gid_index = static_cast<std::uint8_t>(address->gid_index);
    route.traffic_class = address->traffic_class;
    route.flow_label = be32toh(address->flow_label);
  }
  return datagram;
}

/// The limit of hops is the highest one: the answer may go through routers.
void set_global_route(void* umad, const std::optional<GlobalRoute>& route) {
  if (!route) return;
  ib_mad_addr_t address{};
  std::memcpy(address.gid, route->gid.data(), route->gid.size());
  address.gid_index = route->gid_index;
  address.traffic_class = route->traffic_class;
  address.flow_label = route->flow_label;
  address.hop_limit = 255;
  umad_set_grh(umad, &address);
}

}  // namespace

/// The thread that does nothing but umad_recv(), and the queue it fills.
class UmadTransport::Receiver {
 public:
  explicit Receiver(int port_id) : port_id_(port_id), event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    thread_ = std::thread([this] { run(); });
  }
  ~Receiver() {
    stop_ = true;
    thread_.join();
    ::close(event_);
  }
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  int event() const { return event_; }
  /// A request is sent, and will have an answer.
  void await_answer() { awaited_.fetch_add(1, std::memory_order_relaxed); }
  void take(std::vector<Datagram>& arrived, Clock::time_point deadline) {
    if (drain(arrived) || !wait(deadline)) return;
    drain(arrived);
  }

 private:
  void run() {
    const UmadBuffer buffer = make_buffer();
    for (unsigned untold = 0; !stop_;) {
      int length = sizeof(Mad);
      const int agent = umad_recv(port_id_, buffer.get(), &length, untold > 0 ? 0 : kReceiveSlice);
      if (agent == -EIO || agent == -ENODEV || agent == -EBADF)
        return;  // the port is gone: requests time out
      if (agent >= 0) {
        const bool more = push(unpack(buffer.get()));
        if (untold == 0 && more) std::this_thread::sleep_for(kGathering);
        if (++untold < kMostUntold) continue;
      } else if (untold == 0) {
        awaited_.store(0, std::memory_order_relaxed);  // what was awaited is late or lost
      }
      if (std::exchange(untold, 0U) > 0) eventfd_write(event_, 1);
    }
  }

  /// True: it is an answer, and many others are awaited.
  bool push(const Datagram& datagram) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(datagram);
    }
    if (get(datagram.mad, mad_header::kResponse) == 0) return false;
    unsigned awaited = awaited_.load(std::memory_order_relaxed);
    while (awaited > 0 && !awaited_.compare_exchange_weak(awaited, awaited - 1, std::memory_order_relaxed)) {
    }
    return awaited > kMany;
  }

  bool drain(std::vector<Datagram>& arrived) {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) return false;
    eventfd_t ignored = 0;
    eventfd_read(event_, &ignored);
    if (arrived.empty())
      arrived.swap(queue_);
    else
      arrived.insert(arrived.end(), queue_.begin(), queue_.end());
    queue_.clear();
    return true;
  }

  /// The event may be of what was taken already: then it is read here.
  bool wait(Clock::time_point deadline) const {
    constexpr Milliseconds kLongest{1000};
    const Clock::time_point now = Clock::now();
    const auto left = std::chrono::ceil<Milliseconds>(std::clamp(deadline, now, now + kLongest) - now);
    pollfd descriptor{event_, POLLIN, 0};
    if (poll(&descriptor, 1, static_cast<int>(left.count())) <= 0) return false;
    eventfd_t ignored = 0;
    eventfd_read(event_, &ignored);
    return true;
  }

  int port_id_;
  int event_;
  std::atomic<bool> stop_ = false;
  std::atomic<unsigned> awaited_ = 0;  ///< answers, about
  std::mutex mutex_;
  std::vector<Datagram> queue_;
  std::thread thread_;
};

Result<PortName> parse_live(std::string_view text) {
  constexpr std::string_view kLive = "live";
  PortName name;
  if (text == kLive) return name;
  const auto bad = [&] {
    return fail(ErrorKind::usage,
                fmt::format("`{}` does not name a port: expected `live[:ca[:port]]` or `live:GUID`", text));
  };
  if (!text.starts_with("live:")) return bad();
  const std::string_view rest = text.substr(kLive.size() + 1);
  if (rest.starts_with("0x")) {
    const auto guid = parse_integer(rest);
    if (!guid || *guid == 0) return bad();
    name.guid = Guid(*guid);
    return name;
  }
  const std::size_t colon = rest.find(':');
  name.ca = rest.substr(0, colon);
  if (colon == std::string_view::npos) return name;
  const auto port = parse_integer(rest.substr(colon + 1));
  if (!port || *port > 254) return bad();
  name.port = static_cast<int>(*port);
  return name;
}

std::string device_without_rights(const std::string& issm,
                                  const std::function<int(const std::string&)>& access) {
  const std::size_t at = issm.rfind("issm");
  if (at == std::string::npos) return {};
  const std::string device = issm.substr(0, at) + "umad" + issm.substr(at + 4);
  return access(device) == EACCES ? device : std::string();
}

Result<std::unique_ptr<UmadTransport>> UmadTransport::open(const PortName& name, Serves serves) {
  std::unique_ptr<UmadTransport> transport(new UmadTransport);
  if (auto opened = transport->open_port(name); !opened) return tl::unexpected(opened.error());
  if (auto registered = transport->register_classes(serves); !registered) {
    return tl::unexpected(registered.error());
  }
  transport->receiver_ = std::make_unique<Receiver>(transport->port_id_);
  return transport;
}

namespace {

/// The CA and the number of the port with that GUID.
std::optional<PortName> find_port(Guid guid) {
  std::array<char[UMAD_CA_NAME_LEN], UMAD_MAX_DEVICES> names{};
  const int count = umad_get_cas_names(names.data(), static_cast<int>(names.size()));
  for (int i = 0; i < count; ++i) {
    std::array<__be64, UMAD_CA_MAX_PORTS> guids{};
    char* ca = names[static_cast<std::size_t>(i)];
    const int ports = umad_get_ca_portguids(ca, guids.data(), static_cast<int>(guids.size()));
    for (int port = 0; port < ports; ++port)
      if (be64toh(guids[static_cast<std::size_t>(port)]) == guid.value)
        return PortName{.ca = ca, .port = port};
  }
  return std::nullopt;
}

}  // namespace

Result<void> UmadTransport::open_port(const PortName& name) {
  if (name.guid) {
    umad_init();
    const auto found = find_port(*name.guid);
    if (found) return open_named(*found);
    return fail(causes::kNoDevice, fmt::format("no port of this machine has the GUID {}", *name.guid));
  }
  umad_init();
  if (!name.ca.empty() && name.port != 0) return open_named(name);
  const std::vector<LocalPort> ports = local_ports(name.ca);
  if (ports.empty() && !name.ca.empty()) return open_named(name);  // the library says why there is none
  const auto chosen = choose_port(ports);
  if (!chosen) return tl::unexpected(chosen.error());
  if (ports.size() > 1) choice_ = fmt::format("{} of {} ports", name_of(*chosen), ports.size());
  return open_named({.ca = chosen->ca, .port = chosen->number});
}

Result<void> UmadTransport::open_named(const PortName& name) {
  const char* ca = name.ca.c_str();
  label_ = fmt::format("`{}` port {}", name.ca, name.port);
  std::fill(std::begin(agents_), std::end(agents_), -1);
  port_id_ = umad_open_port(ca, name.port);
  if (port_id_ < 0) {
    const std::string device = closed_device(ca, name.port);
    if (device.empty())
      return fail(causes::kNoDevice, fmt::format("cannot open {}: {}", label_, error_text(-port_id_)));
    return fail(causes::kNoPermission,
                fmt::format("cannot open {}: no right to read and write `{}` (run as root, or as a user who "
                            "may open the devices of management datagrams)",
                            label_, device));
  }
  issm_path_ = issm_path(ca, name.port);
  umad_port_t port{};
  if (umad_get_port(ca, name.port, &port) == 0) {
    guid_ = Guid(be64toh(port.port_guid));
    umad_release_port(&port);
  }
  return {};
}

Result<void> UmadTransport::register_classes(Serves serves) {
  for (const Registration& r : kRegistrations) {
    const auto mad_class = static_cast<std::uint8_t>(r.mad_class);
    const int agent = register_class(port_id_, r, serves);
    if (agent < 0) {
      return fail(
          causes::kPortBusy,
          fmt::format("cannot register class 0x{:02x} on {}: {} (another subnet manager may hold the port)",
                      mad_class, label_, error_text(errno != 0 ? errno : -agent)));
    }
    agents_[mad_class] = agent;
  }
  return {};
}

Result<void> UmadTransport::set_is_sm() {
  // Plain open(2): simulators wrap it, and closing it is what clears the bit (ibsim's umad2sim.c).
  if (issm_ < 0) issm_ = ::open(issm_path_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (issm_ >= 0) return {};
  return fail(errno == EACCES || errno == EPERM ? causes::kNoPermission : causes::kPortBusy,
              fmt::format("cannot set IsSM on {} through `{}`: {}", label_, issm_path_, error_text(errno)));
}

UmadTransport::~UmadTransport() {
  const bool was_manager = issm_ >= 0;
  if (was_manager) ::close(issm_);
  const Clock::time_point settled = Clock::now() + kSettle;
  receiver_.reset();
  if (was_manager) std::this_thread::sleep_until(settled);
  for (int agent : agents_) {
    if (agent >= 0) umad_unregister(port_id_, agent);
  }
  if (port_id_ >= 0) umad_close_port(port_id_);
  umad_done();
}

Result<void> UmadTransport::send(const Datagram& datagram, Milliseconds timeout) {
  thread_local const UmadBuffer buffer = make_buffer();
  void* umad = buffer.get();
  // Queue pair 0 has no Q_Key (IBA 13.6).
  umad_set_addr(umad, datagram.lid, static_cast<int>(datagram.queue_pair), datagram.service_level,
                datagram.queue_pair == 0 ? 0 : static_cast<int>(datagram.queue_key));
  umad_set_pkey(umad, datagram.pkey_index);
  umad_set_grh(umad, nullptr);
  set_global_route(umad, datagram.global_route);
  std::memcpy(umad_get_mad(umad), datagram.mad.data(), datagram.mad.size());
  const int agent = agents_[get(datagram.mad, mad_header::kClass)];
  if (timeout.count() > 0) receiver_->await_answer();
  const int sent = umad_send(port_id_, agent, umad, sizeof(Mad), static_cast<int>(timeout.count()), 0);
  // An answer that repeats one still being sent is refused (EINVAL): the client gets the first.
  if (sent == 0 || (timeout.count() == 0 && errno == EINVAL)) return {};
  return fail(causes::kCannotSend, fmt::format("cannot send through {}: {}", label_, error_text(errno)));
}

int UmadTransport::arrival_event() const { return receiver_->event(); }

void UmadTransport::receive(std::vector<Datagram>& arrived, Clock::time_point deadline) {
  receiver_->take(arrived, deadline);
}

}  // namespace rch::hw
