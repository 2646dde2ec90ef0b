#include "fabrics.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "fabric/fabric_builder.h"
#include "fabric/formats.h"
#include "fabric/generator.h"
#include "fabric/lids.h"

namespace rch::bench {
namespace {

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(1);
}

enum class Order { shuffled, generated };

template <class Shape>
BenchFabric make(Shape shape, std::uint32_t hosts = 1, Order order = Order::shuffled,
                 const fabric::Equipment& equipment = {}) {
  fabric::GeneratorOptions options;
  options.shape = std::move(shape);
  options.hosts = hosts;
  options.equipment = equipment;
  if (order == Order::shuffled) options.shuffle = 1;
  const fabric::Generated generated = must(fabric::generate(options));
  const auto lids = must(fabric::plan_lids(generated.fabric, {}));
  BenchFabric made{must(fabric::with_lids(generated.fabric, lids.lids)), {}};
  std::ostringstream text;
  fabric::write_ibnetdiscover(made.fabric, text);
  made.text = text.str();
  return made;
}

const fabric::Grid kTorus16{{{16, true}, {16, true}, {16, true}}};

}  // namespace

const BenchFabric& torus16() {
  static const BenchFabric made = make(kTorus16, 4);
  return made;
}

const BenchFabric& torus16_ordered() {
  static const BenchFabric made = make(kTorus16, 4, Order::generated);
  return made;
}

const BenchFabric& torus32() {
  static const BenchFabric made = make(fabric::Grid{{{32, true}, {32, true}, {16, true}}});
  return made;
}

const BenchFabric& fat_tree24() {
  static const BenchFabric made = make(fabric::FatTree{24});
  return made;
}

const BenchFabric& fat_tree24_equipped() {
  // Aggregation nodes need more ports than a switch of this tree has.
  fabric::Equipment equipment = fabric::Equipment::all();
  equipment.aggregation_nodes = false;
  static const BenchFabric made = make(fabric::FatTree{24}, 1, Order::shuffled, equipment);
  return made;
}

const BenchFabric& fat_tree36() {
  static const BenchFabric made = make(fabric::FatTree{36});
  return made;
}

const BenchFabric& fat_tree36_ordered() {
  static const BenchFabric made = make(fabric::FatTree{36}, 1, Order::generated);
  return made;
}

const BenchFabric& fat_tree56() {
  static const BenchFabric made = make(fabric::FatTree{56});
  return made;
}

const BenchFabric& fat_tree56_ordered() {
  static const BenchFabric made = make(fabric::FatTree{56}, 1, Order::generated);
  return made;
}

}  // namespace rch::bench
