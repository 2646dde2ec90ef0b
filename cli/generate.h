#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/flags.h"
#include "fabric/fabric.h"
#include "fabric/formats.h"

namespace rch::cli {

/// `rch fabric generate`.
void add_generate(const Command& fabric);

/// The regular fabric that a text such as `torus:6x5` describes, with one host on each leaf switch. Nothing:
/// the text has another form.
std::optional<Result<fabric::Fabric>> generated_fabric(const std::string& text);

/// `rch fabric join`.
void add_join(const Command& fabric);

/// `--to` and `--output`: form and file of a fabric that is written.
void add_writing(const Command& command, std::string& to, std::string& file);
fabric::Format form_named(const std::string& to);

/// Writes a fabric in a form to a file; an empty name is standard output.
Result<void> write_fabric(const fabric::Fabric& fabric, fabric::Format form, const std::string& file);

}  // namespace rch::cli
