#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rch::dumps {

/// What a file tells about the tables of a fabric.
enum class Kind : std::uint8_t {
  unicast,     ///< read_unicast()
  multicast,   ///< read_multicast()
  sl2vl,       ///< read_sl2vl()
  path_sls,    ///< read_path_sls()
  pkeys,       ///< read_pkeys()
  adaptive,    ///< read_adaptive()
  settings,    ///< read_settings(): a db_csv
  sm_records,  ///< read_sm_records(): opensm-smdb.dump of NVIDIA SM
  lids,        ///< OpenSM's guid2lid (fabric/lid_records.h)
  other,       ///< a fabric, hop counts, or anything else
};

/// The bytes at the beginning of a file that tell what it is: headings stand before the first entry.
inline constexpr std::size_t kRecognised = 4096;

/// `text`: that many bytes or more. `name` counts for an empty file, since opensm.mcfdbs is empty where no
/// group has a member, and for tables of P_Keys by port, which stand in a `.pkey` file.
Kind recognise(std::string_view name, std::string_view text);
std::string_view to_string(Kind kind);

}  // namespace rch::dumps
