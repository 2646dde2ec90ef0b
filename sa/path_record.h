#pragma once

#include <memory>

#include "sa/path_request.h"
#include "sa/path_walk.h"

namespace rch::sa {

/// A PathRecord query (IBA 15.2.5) that is answered piece by piece: a table of all paths takes longer than
/// others should wait. All of it is from one snapshot.
class PathListing {
 public:
  PathListing(std::shared_ptr<const Snapshot> snapshot, const Requester& requester, const Query& query);

  /// Goes on with so many pairs of ports. True once the answer is complete.
  bool go_on(std::size_t pairs);
  Answer take() { return std::move(answer_); }

 private:
  void refuse(Status status);
  void look_ahead();

  std::shared_ptr<const Snapshot> snapshot_;
  PathRequest request_;
  bool one_;  ///< Get: the first path will do
  Answer answer_;
  std::size_t next_ = 0;            ///< pair
  std::unique_ptr<ManyWays> ways_;  ///< of the source, if it has many destinations
};

/// The whole at once.
Answer answer_path_record(const Snapshot& snapshot, const Requester& requester, const Query& query);

}  // namespace rch::sa
