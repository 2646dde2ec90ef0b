#pragma once

#include <string>

#include "certificate/certificate.h"
#include "cli/context.h"
#include "dumps/observed.h"

namespace rch::cli {

certificate::Tables tables_of(const chains::Plan& plan);
/// Keeps a reference to `observed`. Service levels are known only where they are known of all pairs.
certificate::Tables tables_of(const dumps::Observed& observed);

/// Makes a certificate of tables, and checks it by the checker that shares no code with the proof.
Result<certificate::Certificate> certify(const certificate::Tables& tables);

/// The same, and writes it to a file. Says what it is for. `file` empty: does nothing.
Exit write_certificate(Context& context, const certificate::Tables& tables, const std::string& file);

/// Reads the certificate of a file and checks it. Fails (usage) when it cannot be read or is none,
/// (forbidden) when it does not hold.
Result<certificate::Certificate> check_certificate(const certificate::Tables& tables,
                                                   const std::string& file);

/// Flag `--certify`.
void add_certificate(const Command& command, std::string& file);

}  // namespace rch::cli
