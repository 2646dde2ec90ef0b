/* Preloaded into rch: kills the process, as `kill -9` does, once it has carried out RCH_KILL_AT writes. A write is a
 * Set of a subnet management datagram that was handed to libibumad, or a file that was brought to the disk (fsync)
 * or put in place (rename). With RCH_KILL_LOG the number of writes goes into that file when the process ends.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kMadOffset = 64, kClassLid = 0x01, kClassDirected = 0x81, kSet = 0x02 };

static atomic_long writes;

static void note_write(void) {
  const char* at = getenv("RCH_KILL_AT");
  const long count = atomic_fetch_add(&writes, 1) + 1;
  if (at && count == atol(at)) kill(getpid(), SIGKILL);
}

int umad_send(int fd, int agent, void* umad, int length, int timeout_ms, int retries) {
  static int (*next)(int, int, void*, int, int, int);
  if (!next) next = (int (*)(int, int, void*, int, int, int))dlsym(RTLD_NEXT, "umad_send");
  const uint8_t* mad = (const uint8_t*)umad + kMadOffset;
  const int is_write = (mad[1] == kClassLid || mad[1] == kClassDirected) && mad[3] == kSet;
  const int result = next(fd, agent, umad, length, timeout_ms, retries);
  if (is_write) note_write();
  return result;
}

int fsync(int fd) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  const int result = next(fd);
  note_write();
  return result;
}

int rename(const char* from, const char* to) {
  static int (*next)(const char*, const char*);
  if (!next) next = (int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename");
  const int result = next(from, to);
  note_write();
  return result;
}

__attribute__((destructor)) static void tell(void) {
  const char* name = getenv("RCH_KILL_LOG");
  FILE* log = name ? fopen(name, "w") : NULL;
  if (!log) return;
  fprintf(log, "%ld\n", (long)writes);
  fclose(log);
}
