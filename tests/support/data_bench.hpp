// SPDX-License-Identifier: Apache-2.0
//
// DataBench: a kernel written in the test itself, in data mode, on tensors that the test puts into HBM before
// the simulation and reads after it. Build any number of them, call simulate(), then read.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "petal/config/platform_config.hpp"
#include "petal/memory/sparse_memory.hpp"
#include "petal/platform/platform.hpp"
#include "support/kernel_bench.hpp"

namespace petal::test {

using Values = std::vector<double>;

/// `values` as `dtype` holds them: rounded once.
Values rounded(const Values& values, DType dtype);

/// What HBM holds when the simulation starts. Several benches can start from one.
class HbmImage {
 public:
  explicit HbmImage(Bytes capacity = PlatformConfig().hbm.capacity);

  /// Places a tensor behind those before, each at a multiple of 4096 bytes. `values` are in row-major order;
  /// one alone is every element's.
  TensorHandle put(const Dims& shape, DType dtype, const Values& values, const Dims& strides = {});
  /// Every byte of HBM in [address, address + bytes) becomes `value`.
  void fill(std::uint64_t address, std::uint64_t bytes, std::byte value);

  const std::shared_ptr<SparseMemory>& memory() const { return memory_; }

 private:
  std::shared_ptr<SparseMemory> memory_;
  std::uint64_t next_ = 0;
};

class DataBench {
 public:
  explicit DataBench(const PlatformConfig& config = {});
  DataBench(const PlatformConfig& config, HbmImage image);
  DataBench(const DataBench&) = delete;
  DataBench& operator=(const DataBench&) = delete;

  /// Places a tensor; also after the launch, before the simulation.
  TensorHandle put(const Dims& shape, DType dtype, const Values& values, const Dims& strides = {}) {
    return image_.put(shape, dtype, values, strides);
  }
  HbmImage& image() { return image_; }
  /// Queues a launch of `kernel` on every PE.
  void launch(const Kernel& kernel) { platform_.add_launch(programs_of(kernel, config_, next_)); }
  /// Queues a launch on PE 0, the only one, of what writes to its command sink itself.
  void launch_program(const PeProgram& program) { platform_.add_launch({program}); }

  Platform& platform() { return platform_; }
  /// What the run has left in HBM, in row-major order. Throws what the kernel threw.
  Values read(const TensorHandle& tensor) const;
  double read_one(const TensorHandle& tensor) const { return read(tensor).at(0); }
  std::vector<std::byte> bytes(std::uint64_t address, std::uint64_t count) const;
  std::vector<std::byte> bytes(const TensorHandle& tensor) const;

 private:
  PlatformConfig config_;
  HbmImage image_;
  Platform platform_;
  NextCompletions next_;
};

/// Every address of `tensor`'s elements, in row-major order.
void for_each_element(const TensorHandle& tensor, const std::function<void(std::uint64_t address)>& visit);

/// Fails where `actual` is further than `tolerance` from `expected`, relative to the largest finite magnitude
/// of `expected`, or 1 if that is less. Infinities must be equal and NaNs in the same places.
void require_close(const Values& actual, const Values& expected, double tolerance, const std::string& what);

/// A [m, k] times b [k, n], k ascending, in double precision.
Values product(const Values& a, const Values& b, std::uint64_t m, std::uint64_t k, std::uint64_t n);

/// The default platform with `pes` PEs on one HBM.
PlatformConfig sharing(std::size_t pes);

}  // namespace petal::test
