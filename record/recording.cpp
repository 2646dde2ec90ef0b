#include "record/recording.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <xxhash.h>
#include <zstd.h>

#include "record/file_ring.h"
#include "record/recorder.h"

namespace rch::record {
namespace {

constexpr std::size_t kHead = kRecordingMagic.size() + 4 + 8 + 4;
/// Chunks are small; what says that it is larger is damaged.
constexpr std::size_t kMostChunk = std::size_t{1} << 30;

template <class T>
T value_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Up to `size` bytes. Grows with what is there, so that a wrong size costs no memory.
std::string read_up_to(std::istream& in, std::size_t size) {
  constexpr std::size_t kStep = std::size_t{1} << 20;
  std::string bytes;
  while (bytes.size() < size) {
    const std::size_t have = bytes.size();
    bytes.resize(have + std::min(kStep, size - have));
    in.read(bytes.data() + have, static_cast<std::streamsize>(bytes.size() - have));
    bytes.resize(have + static_cast<std::size_t>(in.gcount()));
    if (!in) break;
  }
  return bytes;
}

tl::unexpected<Error> no_recording(std::string_view why) {
  return fail(ErrorKind::usage, fmt::format("no usable recording: {}", why));
}

}  // namespace

RecordReader::RecordReader(std::unique_ptr<std::istream> in)
    : in_(std::move(in)), unpacker_(ZSTD_createDCtx(), ZSTD_freeDCtx) {}

Result<RecordReader> RecordReader::open(std::unique_ptr<std::istream> in) {
  RecordReader reader(std::move(in));
  const std::string head = read_up_to(*reader.in_, kHead + 8);
  if (!head.starts_with(kRecordingMagic)) return no_recording("it does not begin like one");
  if (head.size() < kHead + 8) return no_recording("it is truncated");
  if (value_at<std::uint64_t>(head, kHead) != XXH3_64bits(head.data(), kHead))
    return no_recording("its beginning is damaged");
  const auto version = value_at<std::uint32_t>(head, kRecordingMagic.size());
  if (version != kRecordingVersion)
    return no_recording(
        fmt::format("it has version {}, this rch reads version {}", version, kRecordingVersion));
  reader.session_ = value_at<std::uint64_t>(head, kRecordingMagic.size() + 4);
  reader.number_ = value_at<std::uint32_t>(head, kRecordingMagic.size() + 12);
  return reader;
}

std::optional<Record> RecordReader::next() {
  if (left_.empty() && !read_chunk()) return std::nullopt;
  auto record = decode(left_);
  if (!record) damage_ = "what it holds is no record";
  return record;
}

/// False: there is none, or it is damaged.
bool RecordReader::read_chunk() {
  if (!damage_.empty()) return false;
  const std::string head = read_up_to(*in_, 12);
  if (head.empty()) return false;
  const std::size_t size = head.size() < 12 ? 0 : value_at<std::uint32_t>(head, 0);
  const std::string chunk = read_up_to(*in_, std::min(size, kMostChunk));
  if (head.size() < 12 || chunk.size() < size) {
    damage_ = "it is torn: the last chunk is not whole";
    return false;
  }
  if (value_at<std::uint64_t>(head, 4) != XXH3_64bits_withSeed(chunk.data(), chunk.size(), chunks_++)) {
    damage_ = fmt::format("chunk {} is damaged", chunks_);
    return false;
  }
  if (!unpack(chunk)) damage_ = fmt::format("chunk {} cannot be unpacked", chunks_);
  left_ = records_;
  return damage_.empty() && !left_.empty();
}

bool RecordReader::unpack(const std::string& chunk) {
  records_.clear();
  ZSTD_inBuffer in{chunk.data(), chunk.size(), 0};
  while (true) {
    const std::size_t have = records_.size();
    records_.resize(have + ZSTD_DStreamOutSize());
    ZSTD_outBuffer out{records_.data(), records_.size(), have};
    const std::size_t rest = ZSTD_decompressStream(unpacker_.get(), &out, &in);
    const bool room = out.pos < out.size;
    records_.resize(out.pos);
    if (ZSTD_isError(rest) != 0 || records_.size() > kMostChunk) return false;
    if (in.pos == in.size && room) return true;
  }
}

namespace {

/// FILE of FILE.3.
std::filesystem::path ring_of(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  const bool numbered = extension.size() > 1 &&
                        std::all_of(extension.begin() + 1, extension.end(),
                                    [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  std::filesystem::path ring = file;
  if (numbered) ring.replace_extension();
  return ring;
}

Result<RecordReader> open_file(const std::filesystem::path& file) {
  auto in = std::make_unique<std::ifstream>(file, std::ios::binary);
  if (!*in) return fail(ErrorKind::usage, fmt::format("cannot read `{}`", file.string()));
  auto reader = RecordReader::open(std::move(in));
  if (!reader) return fail(ErrorKind::usage, fmt::format("`{}`: {}", file.string(), reader.error().message));
  return reader;
}

}  // namespace

Result<Recording> Recording::open(const std::filesystem::path& file) {
  const auto asked = open_file(file);
  if (!asked) return tl::unexpected(asked.error());
  std::map<std::uint32_t, std::filesystem::path> of_session{{asked->number(), file}};
  std::error_code ignored;
  const std::filesystem::path ring = ring_of(file);
  for (unsigned i = 0; i == 0 || std::filesystem::exists(ring_file(ring, i), ignored); ++i)
    if (const auto other = open_file(ring_file(ring, i)); other && other->session() == asked->session())
      of_session.emplace(other->number(), ring_file(ring, i));
  if (const auto& [number, oldest] = *of_session.begin(); number != 0)
    return fail(ErrorKind::usage,
                fmt::format("`{}`: the recording of this session begins with a file that is gone: `{}` is "
                            "number {} of it",
                            file.string(), oldest.string(), number));
  std::vector<std::filesystem::path> files;
  for (const auto& [number, path] : of_session) {
    if (number != files.size()) break;  // the end is missing; next() says so
    files.push_back(path);
  }
  return Recording(std::move(files));
}

std::string Recording::ends_early(const std::string& why) const {
  return fmt::format("`{}`: {}; what followed is not known", files_[opened_ - 1].string(), why);
}

std::optional<Record> Recording::next() {
  while (true) {
    if (!reader_) {
      auto reader = open_file(files_[opened_++]);
      if (!reader) return missing_ = reader.error().message, std::nullopt;
      reader_ = std::move(*reader);
    }
    auto record = reader_->next();
    if (!record) {
      missing_ = ends_early(reader_->damage().empty() ? "the manager was killed" : reader_->damage());
      return std::nullopt;
    }
    if (std::holds_alternative<Ended>(*record)) return std::nullopt;
    if (!std::holds_alternative<Continued>(*record)) return record;
    reader_.reset();
    if (opened_ == files_.size()) return missing_ = ends_early("the next file is missing"), std::nullopt;
  }
}

}  // namespace rch::record
