#include "record/record.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include <xxhash.h>

#include "hw/causes.h"

namespace rch::record {
namespace {

/// Appends values. A text or a list follows its size.
class Packer {
 public:
  explicit Packer(std::string& bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void operator()(T value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  void operator()(hw::TimePoint time) { (*this)(std::chrono::nanoseconds(time.time_since_epoch()).count()); }
  void operator()(hw::JobId job) { (*this)(job.value); }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(static_cast<std::uint64_t>(list.size()));
    for (const T& value : list) (*this)(value);
  }
  void operator()(const hw::Datagram& datagram) {
    (*this)(datagram.status), (*this)(datagram.lid), (*this)(datagram.queue_pair),
        (*this)(datagram.service_level), (*this)(datagram.arrived);
    bytes_.append(reinterpret_cast<const char*>(datagram.mad.data()), datagram.mad.size());
    (*this)(datagram.global_route.has_value());
    if (!datagram.global_route) return;
    const hw::GlobalRoute& route = *datagram.global_route;
    bytes_.append(reinterpret_cast<const char*>(route.gid.data()), route.gid.size());
    (*this)(route.gid_index), (*this)(route.traffic_class), (*this)(route.flow_label);
  }
  void operator()(const Error& error) {
    (*this)(error.kind), (*this)(error.message), (*this)(std::string(error.cause));
  }
  template <class T>
  void operator()(const Result<T>& result) {
    (*this)(result.has_value());
    if (!result)
      (*this)(result.error());
    else if constexpr (!std::is_void_v<T>)
      (*this)(*result);
  }

 private:
  std::string& bytes_;
};

/// Causes are static text.
std::string_view known(std::string_view cause) {
  const auto causes = hw::all_causes();
  const auto found = std::ranges::find(causes, cause, &hw::Cause::name);
  return found == causes.end() ? std::string_view() : found->name;
}

/// Takes values as Packer put them. After a value that is not there, good() is false and all values are
/// empty.
class Unpacker {
 public:
  explicit Unpacker(std::string_view& bytes) : bytes_(bytes) {}

  bool good() const { return good_; }
  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void operator()(T& value) { get(&value, sizeof value); }
  void operator()(bool& value) {
    std::uint8_t byte = 0;
    get(&byte, 1);
    value = byte != 0;
  }
  void operator()(std::string& text) {
    std::uint64_t size = 0;
    (*this)(size);
    if (!(good_ = good_ && size <= bytes_.size())) return;
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  void operator()(hw::TimePoint& time) {
    std::int64_t count = 0;
    (*this)(count);
    time = hw::TimePoint(std::chrono::nanoseconds(count));
  }
  void operator()(hw::JobId& job) { (*this)(job.value); }
  template <class T>
  void operator()(std::vector<T>& list) {
    std::uint64_t size = 0;
    (*this)(size);
    if (!(good_ = good_ && size <= bytes_.size())) return;
    for (std::uint64_t i = 0; i < size && good_; ++i) (*this)(list.emplace_back());
  }
  void operator()(hw::Datagram& datagram) {
    (*this)(datagram.status), (*this)(datagram.lid), (*this)(datagram.queue_pair),
        (*this)(datagram.service_level), (*this)(datagram.arrived);
    get(datagram.mad.data(), datagram.mad.size());
    bool global = false;
    (*this)(global);
    if (!global) return;
    hw::GlobalRoute& route = datagram.global_route.emplace();
    get(route.gid.data(), route.gid.size());
    (*this)(route.gid_index), (*this)(route.traffic_class), (*this)(route.flow_label);
  }
  void operator()(Error& error) {
    std::string cause;
    (*this)(error.kind), (*this)(error.message), (*this)(cause);
    error.cause = known(cause);
    good_ = good_ && error.kind <= ErrorKind::fabric;
  }
  template <class T>
  void operator()(Result<T>& result) {
    bool has = false;
    (*this)(has);
    if (!has) return (*this)((result = tl::unexpected(Error())).error());
    if constexpr (!std::is_void_v<T>) (*this)(*result);
  }

 private:
  void get(void* to, std::size_t size) {
    if (!(good_ = good_ && size <= bytes_.size())) return;
    std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  std::string_view& bytes_;
  bool good_ = true;
};

// What is kept of each record, in this order.
template <class T>
constexpr auto kMembers = std::tuple();
template <>
constexpr auto kMembers<FileRead> = std::tuple(&FileRead::path, &FileRead::content);
template <>
constexpr auto kMembers<Started> = std::tuple(&Started::version, &Started::options, &Started::now);
template <>
constexpr auto kMembers<WallClock> = std::tuple(&WallClock::offset_ns);
template <>
constexpr auto kMembers<Arrived> = std::tuple(&Arrived::datagrams, &Arrived::now);
template <>
constexpr auto kMembers<JobDone> = std::tuple(&JobDone::job);
template <>
constexpr auto kMembers<Broken> = std::tuple(&Broken::error);
template <>
constexpr auto kMembers<Turn> = std::tuple(&Turn::now);
template <>
constexpr auto kMembers<Asked> = std::tuple(&Asked::request);
template <>
constexpr auto kMembers<FileKept> = std::tuple(&FileKept::result);
template <>
constexpr auto kMembers<Done> = std::tuple(&Done::show_sm, &Done::datagrams, &Done::jobs);

template <std::size_t Kind>
std::optional<Record> decode_as(std::string_view& bytes) {
  std::variant_alternative_t<Kind, Record> record{};
  Unpacker unpack(bytes);
  std::apply([&](auto... member) { (unpack(record.*member), ...); }, kMembers<decltype(record)>);
  if (!unpack.good()) return std::nullopt;
  return Record(std::move(record));
}

template <std::size_t... Kinds>
std::optional<Record> decode_any(std::uint8_t kind, std::string_view& bytes, std::index_sequence<Kinds...>) {
  std::optional<Record> record;
  ((kind == Kinds ? void(record = decode_as<Kinds>(bytes)) : void()), ...);
  return record;
}

}  // namespace

Done done_of(const hw::Effects& effects) {
  Done done;
  done.show_sm = effects.show_sm;
  for (const auto& [datagram, timeout] : effects.datagrams) {
    std::string bytes;
    Packer pack(bytes);
    pack(datagram), pack(timeout.count());
    done.datagrams.push_back(XXH3_64bits(bytes.data(), bytes.size()));
  }
  for (const hw::Job& job : effects.jobs) done.jobs.push_back(job.id);
  return done;
}

void encode(const Record& record, std::string& bytes) {
  Packer pack(bytes);
  pack(static_cast<std::uint8_t>(record.index()));
  const auto put = [&](const auto& of) {
    using Of = std::remove_cvref_t<decltype(of)>;
    std::apply([&](auto... member) { (pack(of.*member), ...); }, kMembers<Of>);
  };
  std::visit(put, record);
}

std::optional<Record> decode(std::string_view& bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto kind = static_cast<std::uint8_t>(bytes.front());
  bytes.remove_prefix(1);
  return decode_any(kind, bytes, std::make_index_sequence<std::variant_size_v<Record>>());
}

}  // namespace rch::record
