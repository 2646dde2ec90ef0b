#pragma once

#include "engines/common/failure.h"

namespace rch::engines::torus_2qos {

using common::Attempt;
using common::list_some;
using common::refuse;
using common::title;

}  // namespace rch::engines::torus_2qos
