#include "parsers/opensm_conf/opensm_conf.h"
#include "policy/builder.h"

namespace rch::policy {

Result<Configuration> load(const std::filesystem::path& conf, SourceSet& sources, Diagnostics& diagnostics) {
  FileReader files(sources, diagnostics);
  const auto source = files.start(conf);
  if (!source) return tl::unexpected(source.error());
  Builder builder(files, diagnostics);
  builder.read_options(parsers::opensm_conf::parse(sources, *source, diagnostics));
  builder.follow_options();
  auto configuration = builder.build();
  diagnostics.sort_by_place();
  return configuration;
}

}  // namespace rch::policy
