#include "cli/context.h"

#include <algorithm>

#include "chains/plan_file.h"
#include "cli/live.h"
#include "cli/target.h"
#include "cli/threads.h"

namespace rch::cli {
bool Context::report() {
  policy::regrade(diagnostics, output.reported(), settings);
  output.diagnostics(diagnostics, *sources);
  return diagnostics.has_errors();
}

Exit Context::stop(const Error& error) {
  const bool told =
      error.kind == ErrorKind::forbidden || (error.kind == ErrorKind::invalid && diagnostics.has_errors());
  if (!told) output.error(error);
  return exit_of(error.kind);
}

Exit Context::end(Exit code, const std::string& timings_file) {
  if (timings_file == "-" && output.format() == Format::json) {
    output.json("timings", timings.document());
  } else if (const auto written = timings.write(timings_file); !written) {
    output.error(written.error());
    if (code == Exit::good) code = exit_of(written.error().kind);
  }
  return output.finish(code);
}

Result<policy::Configuration> read_configuration(Context& context, const ConfFlags& conf) {
  auto read = context.timings.measure("read", [&] {
    return conf.rch_file.empty() ? policy::load(conf.opensm_conf, *context.sources, context.diagnostics,
                                                context.settings.compat, context.presentation)
                                 : policy::load_rch_file(conf.rch_file, *context.sources, context.diagnostics,
                                                         context.settings.compat, context.presentation);
  });
  if (read) context.settings = read->settings;
  if (read && read->policy && read->policy->options.chain.routing_threads_num > 0)
    limit_threads(read->policy->options.chain.routing_threads_num);
  return read;
}

Stage<std::shared_ptr<const policy::Policy>> read_policy(Context& context, const ConfFlags& conf) {
  auto read = read_configuration(context, conf);
  const bool errors = context.report();
  if (!read) return tl::unexpected(context.stop(read.error()));
  if (errors || !read->policy) return tl::unexpected(Exit::findings);
  read->policy->texts = context.sources;
  return std::make_shared<const policy::Policy>(std::move(*read->policy));
}

Stage<fabric::Fabric> read_fabric(Context& context, const std::string& target, const policy::Options& options,
                                  const std::shared_ptr<const fabric::CablePolicy>& cables) {
  const auto port = live_port(target);
  if (!port) return tl::unexpected(context.stop(port.error()));
  if (*port) {
    auto live = context.timings.measure(
        "discover", [&] { return discover_live(**port, options, context.strict, cables); });
    if (!live) return tl::unexpected(context.stop(live.error()));
    context.output.quarantine(live->quarantine, live->own_cable, live->absent);
    return std::move(live->fabric);
  }
  auto fabric = context.timings.measure(
      "read", [&] { return read_fabric_file(target, *context.sources, context.diagnostics); });
  const bool errors = context.report();
  if (!fabric) return tl::unexpected(context.stop(fabric.error()));
  if (errors || !*fabric) return tl::unexpected(Exit::usage);
  if (!cables) return std::move(**fabric);
  auto admitted = fabric::admit(**fabric, *cables);
  if (!admitted) return tl::unexpected(context.stop(admitted.error()));
  context.output.quarantine(admitted->left_out, admitted->own_cable, admitted->absent);
  return std::move(admitted->fabric);
}

Stage<chains::Plan> read_plan(Context& context, const std::string& file) {
  auto plan = context.timings.measure("read", [&] { return chains::read_plan(file); });
  if (!plan) return tl::unexpected(context.stop(plan.error()));
  return std::move(*plan);
}

bool accepts(const PlanFlags& flags, std::string_view finding) {
  return std::ranges::find(flags.accept, finding) != flags.accept.end();
}

Stage<chains::PlanRequest> plan_request(Context& context, const PlanFlags& flags,
                                        std::optional<chains::Plan>& installed) {
  if (!flags.previous.empty()) {
    auto plan = read_plan(context, flags.previous);
    if (!plan) return tl::unexpected(plan.error());
    installed = std::move(*plan);
  }
  chains::PlanRequest request{.installed = installed ? &*installed : nullptr, .settings = context.settings};
  request.settings.accept.insert(request.settings.accept.end(), flags.accept.begin(), flags.accept.end());
  request.may_change_sls = accepts(flags, verify::kStaticChange);
  request.for_dumps = !flags.dump_dir.empty();
  return request;
}

Exit judge(const chains::Plan& plan) { return plan.verdict.clean() ? Exit::good : Exit::forbidden; }

}  // namespace rch::cli
