#include "cli/fabric_folder.h"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>

#include "base/source.h"
#include "fabric/db_csv_file.h"
#include "fabric/folder_rules.h"

namespace rch::cli {
namespace {

using Form = fabric::Format;

/// The one that says most first.
constexpr std::array<Form, 6> kForms{Form::db_csv,     Form::ibnetdiscover, Form::ibdiagnet_lst,
                                     Form::subnet_lst, Form::smdb,          Form::net_dump};

std::size_t rank_of(Form format) {
  return static_cast<std::size_t>(std::find(kForms.begin(), kForms.end(), format) - kForms.begin());
}

/// Signs that outputs of other tools, which begin alike, do not have in their heads.
bool is_confirmed(Form format, std::string_view head) {
  if (format == Form::ibnetdiscover) return head.find("guid=") != std::string_view::npos;
  const bool is_list = format == Form::ibdiagnet_lst || format == Form::subnet_lst;
  return !is_list || head.find("NodeGUID:") != std::string_view::npos;
}

/// Form and date. Logs and dumps of tables are large; the first bytes tell what a file is.
fabric::Glance glance_at_head(const std::filesystem::path& path) {
  std::string head(std::size_t{1} << 16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  fabric::Glance seen = fabric::glance(head);
  seen.switches.reset();  // there may be more behind the head
  seen.others.reset();
  if (!is_confirmed(seen.format, head)) seen.format = Form::unknown;
  return seen;
}

/// What a file that is not used says.
void glance_at_all(FabricFile& file) {
  SourceSet sources;
  const auto source = fabric::load_fabric_text(sources, file.path);
  if (source) file.glance = fabric::glance(sources.at(*source).text());
}

/// `…_agg` joins ports of several planes, which are ports of their own.
bool joins_planes(const std::filesystem::path& path) { return path.native().ends_with("_agg"); }

std::string nodes_of(const fabric::Glance& glance) {
  if (!glance.others) return fmt::format("{} switches", glance.switches.value_or(0));
  return fmt::format("{} switches and {} other nodes", *glance.switches, *glance.others);
}

/// How the file contradicts the fabric that was read; empty if it does not.
std::string contradiction(const FabricFile& file, const FabricFile& used, const fabric::Fabric& read) {
  const std::size_t switches = read.switch_count(), others = read.nodes().size() - switches;
  const bool differs = (file.glance.switches && *file.glance.switches != switches) ||
                       (file.glance.others && *file.glance.others != others);
  if (differs)
    return fmt::format("`{}` has {}, `{}` has {} switches and {} other nodes", file.path.filename().string(),
                       nodes_of(file.glance), used.path.filename().string(), switches, others);
  if (!file.glance.date.empty() && !used.glance.date.empty() && file.glance.date != used.glance.date)
    return fmt::format("`{}` is of {}, `{}` is of {}", file.path.filename().string(), file.glance.date,
                       used.path.filename().string(), used.glance.date);
  return "";
}

}  // namespace

Result<std::vector<FabricFile>> fabric_files(const std::filesystem::path& folder) {
  std::vector<FabricFile> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    std::error_code ignored;
    if (!entry.is_regular_file(ignored) || joins_planes(entry.path())) continue;
    const fabric::Glance seen = glance_at_head(entry.path());
    if (rank_of(seen.format) < kForms.size()) files.push_back({entry.path(), seen});
  }
  if (failed)
    return fail(ErrorKind::usage,
                fmt::format("cannot read the folder `{}`: {}", folder.string(), failed.message()));
  std::sort(files.begin(), files.end(), [](const FabricFile& a, const FabricFile& b) {
    return std::pair(rank_of(a.glance.format), a.path) < std::pair(rank_of(b.glance.format), b.path);
  });
  if (files.empty())
    return fail(
        ErrorKind::usage,
        fmt::format("no file of the folder `{}` holds a fabric: a db_csv, net_dump or list of links of "
                    "ibdiagnet, ibnetdiscover text, opensm-subnet.lst or opensm-smdb.dump",
                    folder.string()));
  if (files.size() > 1 && files[0].glance.format == files[1].glance.format)
    return fail(ErrorKind::usage,
                fmt::format("the folder `{}` has two files of the form {}, `{}` and `{}`; name one of them",
                            folder.string(), fabric::to_string(files[0].glance.format),
                            files[0].path.filename().string(), files[1].path.filename().string()));
  std::for_each(files.begin() + 1, files.end(), glance_at_all);
  return files;
}

void report_folder(const std::filesystem::path& folder, const std::vector<FabricFile>& files,
                   const fabric::Fabric& read, Diagnostics& diagnostics) {
  const FabricFile& used = files.front();
  std::string left;
  for (const FabricFile& file : files)
    if (&file != &used)
      left += fmt::format("{}`{}`", left.empty() ? "; left: " : ", ", file.path.filename().string());
  diagnostics.add(fabric::kFolderFile, {},
                  fmt::format("the fabric of `{}` is read from `{}` ({}){}", folder.string(),
                              used.path.filename().string(), fabric::to_string(used.glance.format), left));
  for (const FabricFile& file : files) {
    if (&file == &used) continue;
    const std::string how = contradiction(file, used, read);
    if (how.empty()) continue;
    diagnostics.add(fabric::kMixedFolder, {}, how).hint =
        "the files may be of two days; write the folder again";
  }
}

}  // namespace rch::cli
