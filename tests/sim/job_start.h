#pragma once

// The start of a job: every host asks for the paths to all others at once, while datagrams are lost and
// cables are pulled. Nobody may be kept waiting by the manager.

#include <cstdint>

#include "hw/transport.h"

namespace rch::sim::test {

struct JobStart {
  std::uint64_t seed = 1;
  std::uint32_t hosts = 1000;  ///< rounded up to whole switches
  std::uint64_t loss = 50;     ///< of 1,000 requests and of 1,000 answers
  std::size_t window = 32;     ///< queries that a host has open at once
  // As Linux asks since 5.15: send_mad() of drivers/infiniband/core/sa_query.c waits a tenth of the whole
  // time for an answer and asks ten times again (commit 5f5a650999d5, "RDMA/core/sa_query: Retry SA
  // queries"). The whole time is here that of an rdma_cm whose caller gives 2 s. IPoIB (path_rec_start() of
  // ipoib_main.c) and SRP (SRP_PATH_REC_TIMEOUT_MS) give 1 s.
  hw::Milliseconds patience{200};
  unsigned tries = 11;
};

struct JobStartOutcome {
  std::size_t hosts = 0;
  std::size_t queries = 0;
  std::size_t answered = 0;  ///< with a path
  std::size_t refused = 0;
  std::size_t given_up = 0;    ///< queries that were not answered in any try
  std::size_t arrived = 0;     ///< requests at the manager, repeated ones included
  std::size_t answers = 0;     ///< of the manager
  std::size_t repeated = 0;    ///< requests that came before the answer to the same one was sent
  std::size_t late = 0;        ///< answers to what was given up
  std::size_t sweeps = 0;      ///< of the whole fabric, while hosts asked
  hw::Milliseconds longest{};  ///< from the first try of a query to its answer
  hw::Milliseconds all{};      ///< until the last one

  /// Every query was answered, and the manager answered whatever came to it in time.
  bool good() const {
    return answered == queries && late == 0 && arrived == answers + repeated && sweeps > 0;
  }
};

JobStartOutcome run(const JobStart& job);

}  // namespace rch::sim::test
