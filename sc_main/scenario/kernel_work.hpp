// SPDX-License-Identifier: Apache-2.0
//
// KernelWork: what a family of kernels does with a workload: its arguments, the tensors they name, the
// kernel's call, and what should come out. A new family of kernels is a new class here.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "petal/config/scenario_config.hpp"
#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/scenario/scenario_tensor.hpp"
#include "petal/scenario/tensor_data.hpp"

namespace petal {

class KernelWork {
 public:
  using Results = std::map<std::string, std::vector<double>>;

  virtual ~KernelWork() = default;

  /// Issues the kernel of one program.
  virtual void run(TlContext& tl) const = 0;
  /// The tensors in HBM, in the order of their addresses.
  virtual std::vector<ScenarioTensor> tensors() const = 0;
  /// Each tensor that the kernel writes, worked out in double precision from what it reads. `now`: the
  /// present values of a tensor, an input's or what an earlier launch has left.
  virtual Results reference(const TensorData& data, const TensorValues& now) const = 0;
  /// Those of `files` that are tensors in HBM.
  virtual TensorFiles tensor_files(TensorFiles files) const { return files; }
  /// Products summed for one element of a result: what its tolerance grows with.
  virtual std::uint64_t terms() const = 0;
  /// Multiply-accumulates over all PEs.
  virtual std::uint64_t macs() const = 0;
  /// KV tiles over all PEs; 0 for a kernel without them.
  virtual std::uint64_t tiles() const { return 0; }
  /// The same work on one KV head and `tiles` tiles, to tell what a tile costs; null if tiles differ.
  virtual std::unique_ptr<KernelWork> shortened_to(std::uint64_t /*tiles*/) const { return nullptr; }
  /// True for a launch that reads what other PEs wrote in an earlier one.
  virtual bool shares_results() const { return false; }
  /// True if the kernel issues MATH ops.
  virtual bool needs_math() const { return true; }
};

/// The work of `kernel`. `inputs` are the files of data mode; attention takes its tensors' shapes from them.
/// Throws ConfigError if the tensors do not fit in `capacity` or the inputs do not go together; NpyError for
/// a file that cannot be read.
std::unique_ptr<const KernelWork> kernel_work(const KernelEntry& kernel, const WorkloadConfig& workload,
                                              Bytes capacity, const TensorFiles& inputs);

}  // namespace petal
