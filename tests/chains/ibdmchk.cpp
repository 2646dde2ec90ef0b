#include "ibdmchk.h"

#include <cstdio>

namespace rch::test {

std::string ibdmchk(const ScratchFolder& folder, const std::string& arguments) {
  const std::string command = "cd '" + folder.path() +
                              "' && ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs " +
                              arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "cannot run ibdmchk";
  std::string text;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  pclose(pipe);
  return text;
}

}  // namespace rch::test
