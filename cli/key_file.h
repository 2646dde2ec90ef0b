#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "hw/key_ring.h"
#include "policy/model/options.h"

namespace rch::cli {

/// The M_Keys in a text, each once, in their order. A line is `0xKEY`, or `per-port 0xKEY 0xSEED` where each
/// port has its own. Of other lines the last word counts: so OpenSM's `guid2mkey` is read as well. Lines
/// without a key, and keys beyond the first eight, count for nothing.
std::vector<hw::KeySource> keys_in(std::string_view text);

/// What requests have and ports get by these options.
hw::KeySource key_source(const policy::ManagerOptions& options);

/// Where former M_Keys are kept: `rch-m-keys`, beside the guid2lid file.
std::string key_file(const std::string& lid_file);
/// Where cables are kept: OpenSM's `neighbors`, beside the guid2lid file.
std::string cable_file(const std::string& lid_file);

/// A recording has the GUID of the port by this name.
inline constexpr const char* kPortGuid = "port GUID";

/// What a file holds; nothing if there is none.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// The M_Keys of the configuration and those that ports may hold of an earlier one (`m_key_lookup`), newest
/// first: those of our own file, then those of OpenSM's. With keys per port the cables, too.
hw::KeyOptions known_keys(const policy::ManagerOptions& options, const std::string& lid_file,
                          const ReadFile& read, SourceSet& sources, Diagnostics& diagnostics);

/// Writes our own file, readable by the user alone: the keys of the configuration, then former ones. To be
/// called before a port gets a key: a manager that stops half-way knows both. Without keys nothing is written
/// if there is no file.
Result<void> keep_keys(const std::string& lid_file, const hw::KeySource& own,
                       const std::vector<hw::KeySource>& former);

/// Writes the file of cables, and its folder if there is none.
Result<void> keep_cables(const std::string& lid_file, const fabric::CableMap& cables);

}  // namespace rch::cli
