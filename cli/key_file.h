#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/model/options.h"

namespace rch::cli {

/// The M_Keys in a text: the last word of each line, each once, in their order. So `0xKEY` of our own file
/// and `0xGUID 0xKEY` of OpenSM's `guid2mkey` are read alike. Lines without a key, and keys beyond the first
/// eight, count for nothing.
std::vector<std::uint64_t> keys_in(std::string_view text);

/// Where former M_Keys are kept: `rch-m-keys`, beside the guid2lid file.
std::string key_file(const std::string& lid_file);

/// What a file holds; nothing if there is none.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// M_Keys that ports may hold of an earlier configuration (`m_key_lookup`), newest first: those of our own
/// file, then those of OpenSM's.
std::vector<std::uint64_t> former_keys(const policy::ManagerOptions& options, const std::string& lid_file,
                                       const ReadFile& read);

/// Writes our own file, readable by the user alone: the key of the configuration, then former ones. To be
/// called before a port gets a key: a manager that stops half-way knows both. Without keys nothing is written
/// if there is no file.
Result<void> keep_keys(const std::string& lid_file, std::uint64_t own,
                       const std::vector<std::uint64_t>& former);

}  // namespace rch::cli
