#pragma once

#include "fabric/shapes.h"

namespace rch::engines::pqft {

using Structure = fabric::FatTreeShape;

}  // namespace rch::engines::pqft
