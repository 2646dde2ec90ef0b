#pragma once

// Changes of a partitions.conf that leave all other bytes as they are: comments, order and blanks stay.

#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/result.h"
#include "parsers/partitions/partitions.h"

namespace rch::policy::partitions {

/// The text with a port as one more member of a partition, which stands in it already by name or number.
/// `Name=0xPKEY` makes one that does not. Fails (invalid) when there is none, when the name or the number is
/// that of another one, or the port is a member that the file names.
Result<std::string> with_member(std::string_view text, const parsers::partitions::Syntax& syntax,
                                std::string_view partition, Guid port,
                                parsers::partitions::Membership membership);

/// The text without a port as a member of a partition. Fails (invalid) when the file does not name it there:
/// a member of a group, or one by `ALL`, is not taken away.
Result<std::string> without_member(std::string_view text, const parsers::partitions::Syntax& syntax,
                                   std::string_view partition, Guid port);

}  // namespace rch::policy::partitions
