// The container of a plan: see plan_file.h for its layout.

#include "chains/plan_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <utility>

#include <xxhash.h>
#include <zstd.h>

#include "base/source.h"
#include "chains/plan_meta.h"
#include "fabric/formats.h"

namespace rch::chains {
namespace {

using fabric::ForwardingTables;

constexpr std::string_view kMagic = "rch-plan";
constexpr std::size_t kHead = 8 + sizeof kPlanVersion;
constexpr std::size_t kHash = sizeof(XXH128_canonical_t);
/// Tables are long runs of equal bytes: the fastest level already packs them to a few percent.
constexpr int kLevel = 1;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::array<char, kHash> hash(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  std::array<char, kHash> result;
  std::memcpy(result.data(), &canonical, kHash);
  return result;
}

/// Appends one zstd frame to a string, straight from where the values lie.
class Packer {
 public:
  explicit Packer(std::string& out) : context_(ZSTD_createCStream(), ZSTD_freeCStream), out_(out) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
  }

  void put(std::span<const std::uint8_t> bytes) { feed(bytes, ZSTD_e_continue); }
  void put_size(std::uint64_t size) { put({reinterpret_cast<const std::uint8_t*>(&size), sizeof size}); }
  void put_sized(std::span<const std::uint8_t> bytes) {
    put_size(bytes.size());
    put(bytes);
  }
  void finish() { feed({}, ZSTD_e_end); }

 private:
  void feed(std::span<const std::uint8_t> bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer chunk{buffer_.data(), buffer_.size(), 0};
      const std::size_t rest = ZSTD_compressStream2(context_.get(), &chunk, &in, directive);
      out_.append(buffer_.data(), chunk.pos);
      done = directive == ZSTD_e_end ? rest == 0 : in.pos == in.size;
    }
  }

  std::unique_ptr<ZSTD_CStream, std::size_t (*)(ZSTD_CStream*)> context_;
  std::vector<char> buffer_ = std::vector<char>(ZSTD_CStreamOutSize());
  std::string& out_;
};

/// Reads one zstd frame piece by piece. Every call says whether there was as much as asked for.
class Unpacker {
 public:
  explicit Unpacker(std::string_view frame)
      : context_(ZSTD_createDStream(), ZSTD_freeDStream), in_{frame.data(), frame.size(), 0} {}

  bool get(std::span<std::uint8_t> bytes) {
    ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
    while (out.pos < out.size) {
      const std::size_t before = out.pos + in_.pos;
      rest_ = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(rest_) != 0 || out.pos + in_.pos == before) return false;
    }
    return true;
  }

  /// Grows with what is there, so that a wrong size costs no memory.
  bool get_sized(std::string& text) {
    constexpr std::uint64_t kStep = std::uint64_t{1} << 20;
    std::uint64_t size = 0;
    if (!get({reinterpret_cast<std::uint8_t*>(&size), sizeof size})) return false;
    for (text.clear(); text.size() < size;) {
      const std::size_t at = text.size();
      text.resize(at + static_cast<std::size_t>(std::min(kStep, size - at)));
      if (!get({reinterpret_cast<std::uint8_t*>(text.data()) + at, text.size() - at})) return false;
    }
    return true;
  }

  /// Nothing is left but the frame's own end.
  bool at_end() {
    std::uint8_t extra = 0;
    ZSTD_outBuffer out{&extra, 1, 0};
    if (rest_ != 0) rest_ = ZSTD_decompressStream(context_.get(), &out, &in_);
    return rest_ == 0 && out.pos == 0 && in_.pos == in_.size;
  }

 private:
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> context_;
  ZSTD_inBuffer in_;
  std::size_t rest_ = 1;  ///< what zstd said last; 0: the frame is complete
};

void put_rows(Packer& packer, const ForwardingTables& lfts) {
  packer.put_size(lfts.byte_count());
  for (std::uint32_t s = 0; s < lfts.switch_count(); ++s) packer.put(lfts.row(SwitchId(s)));
}

bool get_rows(Unpacker& unpacker, ForwardingTables& lfts) {
  for (std::uint32_t s = 0; s < lfts.switch_count(); ++s)
    if (!unpacker.get(lfts.row(SwitchId(s)))) return false;
  return true;
}

tl::unexpected<Error> unusable(std::string_view why) {
  return fail(ErrorKind::usage, fmt::format("no usable plan: {}", why));
}

/// The zstd frame of a file that has the right ends.
Result<std::string_view> frame_of(std::string_view file) {
  if (!file.starts_with(kMagic)) return unusable("it does not begin like one");
  if (file.size() < kHead + kHash) return unusable("it is truncated");
  std::uint32_t version = 0;
  std::memcpy(&version, file.data() + kMagic.size(), sizeof version);
  const std::string_view body = file.substr(0, file.size() - kHash);
  const auto expected = hash(body);
  if (std::memcmp(expected.data(), file.data() + body.size(), kHash) != 0)
    return unusable("its checksum does not match, so it is truncated or damaged");
  if (version != kPlanVersion && version != kAdaptivePlanVersion)
    return unusable(fmt::format("it has version {}, this rch reads version {}", version, kPlanVersion));
  return body.substr(kHead);
}

}  // namespace

std::string encode_plan(const Plan& plan) {
  std::string file(kMagic);
  const std::uint32_t version = plan.tables->adaptive.empty() ? kPlanVersion : kAdaptivePlanVersion;
  file.append(reinterpret_cast<const char*>(&version), sizeof version);
  Packer packer(file);
  packer.put_sized(encode_meta(plan));
  packer.put_sized(bytes_of(fabric::write_snapshot(*plan.fabric)));
  put_rows(packer, plan.tables->lfts);
  packer.finish();
  const auto sum = hash(file);
  file.append(sum.data(), sum.size());
  return file;
}

Result<Plan> decode_plan(std::string_view bytes) {
  const auto frame = frame_of(bytes);
  if (!frame) return tl::unexpected(frame.error());
  Unpacker unpacker(*frame);
  std::string meta, snapshot;
  if (!unpacker.get_sized(meta) || !unpacker.get_sized(snapshot)) return unusable("its content is damaged");
  auto fabric = fabric::read_snapshot(snapshot);
  if (!fabric) return unusable(fabric.error().message);

  Plan plan;
  plan.fabric = std::make_shared<const fabric::Fabric>(std::move(*fabric));
  const auto tables = std::make_shared<fabric::RoutingTables>();
  if (const auto done = decode_meta(meta, plan, *tables); !done) return unusable(done.error().message);
  ForwardingTables& lfts = tables->lfts;
  lfts = ForwardingTables::uninitialised(plan.fabric->switch_count(), plan.fabric->max_lid());
  std::uint64_t size = 0;
  if (!unpacker.get({reinterpret_cast<std::uint8_t*>(&size), sizeof size}) || size != lfts.byte_count() ||
      !get_rows(unpacker, lfts) || !unpacker.at_end())
    return unusable("its content is damaged");
  plan.tables = tables;
  return plan;
}

Result<void> write_plan(const std::filesystem::path& path, const Plan& plan) {
  return write_file(path, encode_plan(plan));
}

bool is_plan(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string beginning(kMagic.size(), '\0');
  in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return in && beginning == kMagic;
}

Result<Plan> read_plan(const std::filesystem::path& path) {
  const auto content = read_file(path);
  if (!content) return tl::unexpected(content.error());
  auto plan = decode_plan(*content);
  if (!plan) return fail(plan.error().kind, fmt::format("`{}`: {}", path.string(), plan.error().message));
  return plan;
}

}  // namespace rch::chains
