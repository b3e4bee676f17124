// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/tensor_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "petal/command/error.hpp"
#include "petal/npy/npy_file.hpp"
#include "petal/numerics/element_codec.hpp"
#include "petal/scenario/generated_data.hpp"

namespace petal {
namespace {

std::vector<std::uint64_t> shape_of(const ScenarioTensor& tensor) {
  return {tensor.shape.begin(), tensor.shape.end()};
}

NpyArray array_of(const ScenarioTensor& tensor, const std::vector<std::byte>& stored) {
  return npy_of_elements(stored, tensor.dtype, shape_of(tensor));
}

std::vector<std::byte> generated(const ScenarioTensor& tensor, std::uint64_t seed) {
  const GeneratedData data(seed, tensor.name);
  const std::uint64_t element = size_of(tensor.dtype);
  std::vector<std::byte> stored(tensor.bytes());
  for (std::uint64_t index = 0; index < tensor.elements(); ++index) {
    const double value = data.value(index, tensor.dtype);
    encode_double(&value, tensor.dtype, stored.data() + index * element, 1);
  }
  return stored;
}

std::vector<std::byte> from_file(const ScenarioTensor& tensor, const std::string& path) {
  const NpyArray array = read_npy(path);
  if (array.shape != shape_of(tensor))
    throw ConfigError(fmt::format(
        "--in {}={}: the file's array is [{}], but the scenario's {} is {}; change the scenario (--set) or "
        "the file",
        tensor.name, path, fmt::join(array.shape, ", "), tensor.name, tensor.shape.to_string()));
  return as_elements(array, tensor.dtype);
}

}  // namespace

const ScenarioTensor& tensor_named(const std::vector<ScenarioTensor>& tensors, const std::string& name,
                                   TensorRole role) {
  std::vector<std::string> names;
  for (const ScenarioTensor& tensor : tensors) {
    if (tensor.role != role) continue;
    if (tensor.name == name) return tensor;
    names.push_back(tensor.name);
  }
  throw ConfigError(fmt::format("{} {}: the kernel has no such {}; it has {}",
                                role == TensorRole::input ? "--in" : "--out", name,
                                role == TensorRole::input ? "input" : "output", fmt::join(names, ", ")));
}

TensorData::TensorData(std::vector<ScenarioTensor> tensors, Bytes hbm_capacity, std::uint64_t seed,
                       const TensorFiles& files)
    : tensors_(std::move(tensors)) {
  for (const auto& [name, path] : files) tensor_named(tensors_, name, TensorRole::input);
  auto image = std::make_shared<SparseMemory>("HBM", hbm_capacity.count());
  for (const ScenarioTensor& tensor : tensors_) {
    if (tensor.role != TensorRole::input) continue;
    const auto file = files.find(tensor.name);
    const std::vector<std::byte> stored =
        file == files.end() ? generated(tensor, seed) : from_file(tensor, file->second);
    image->write(tensor.address, stored.data(), stored.size());
    inputs_.emplace(tensor.name, as_doubles(array_of(tensor, stored)));
  }
  image_ = std::move(image);
}

NpyArray read_result(const Platform& platform, const ScenarioTensor& tensor) {
  std::vector<std::byte> stored(tensor.bytes());
  platform.read_hbm(tensor.address, stored.data(), stored.size());
  return array_of(tensor, stored);
}

}  // namespace petal
