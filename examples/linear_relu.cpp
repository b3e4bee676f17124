// SPDX-License-Identifier: Apache-2.0
//
// A kernel of one's own: y = relu(x . w + r) as one fused composite, on one default PE. Writes the op_log
// to the file named on the command line.
#include <cstdio>
#include <fstream>

#include "petal/config/effective_config.hpp"
#include "petal/host/tl_context.hpp"
#include "petal/observe/op_log.hpp"
#include "petal/platform/platform.hpp"

using namespace petal;

namespace {

void linear_relu(TlContext& tl, std::uint64_t rows, std::uint64_t in, std::uint64_t out) {
  const TensorHandle x = tl.ref(0x000000, {rows, in}, DType::f16);
  const TensorHandle w = tl.ref(0x100000, {in, out}, DType::f16);
  const TensorHandle y = tl.ref(0x200000, {rows, out}, DType::f16);
  const TensorHandle r = tl.load(tl.ref(0x300000, {rows, out}, DType::f32));

  CompositeRequest linear;  // x and w are streamed from HBM tile by tile
  linear.a = x;
  linear.b = w;
  linear.out = y;
  linear.epilogue = {CompositeEntry("add", {{"other", r}}), CompositeEntry("relu")};
  tl.composite(linear);
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  ScenarioConfig scenario;  // one PE, every value at its default
  Platform platform("platform", scenario.platform);
  OpLog op_log;
  platform.attach(op_log);
  platform.add_launch({[](CommandSink& sink) {
    TlContext tl(sink);
    linear_relu(tl, 128, 256, 64);
  }});
  sc_core::sc_start();
  platform.finish();
  std::printf("linear_relu: %lld ps, %zu events\n", static_cast<long long>(platform.end_time().count()),
              op_log.rows());
  if (argc < 2) return 0;
  std::ofstream file(argv[1]);
  op_log.write(file, {"linear_relu example", effective_json(scenario)});
  return file.flush() ? 0 : 1;
}
