#pragma once

#include "cli/flags.h"

namespace rch::cli {

// One function per command: declares its flags, and what it does when it is chosen.
void add_lint(const Command& rch);
void add_plan(const Command& rch);
void add_apply(const Command& rch);
void add_run(const Command& rch);
void add_lab(const Command& rch);
void add_replay(const Command& rch);
void add_status(const Command& rch);
void add_reload(const Command& rch);
void add_confirm(const Command& rch);
void add_sweep(const Command& rch);
void add_partition(const Command& rch);
void add_quarantine(const Command& rch);
void add_drain(const Command& rch);
void add_undrain(const Command& rch);
void add_watch(const Command& rch);
void add_trace(const Command& rch);
void add_certify(const Command& rch);
void add_test(const Command& rch);
void add_verify(const Command& rch);
void add_whatif(const Command& rch);
void add_diff(const Command& rch);
void add_explain(const Command& rch);
void add_report(const Command& rch);
void add_export(const Command& rch);
void add_export_slurm(const Command& exports);
void add_export_graphs(const Command& exports);
void add_history(const Command& rch);
void add_blame(const Command& rch);
void add_fabric(const Command& rch);
void add_sa(const Command& rch);
void add_show(const Command& rch);
void add_completion(const Command& rch);
/// After all others: it offers their names.
void add_help(const Command& rch);

}  // namespace rch::cli
