// SPDX-License-Identifier: Apache-2.0
#include "support/attention_cases.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "petal/command/integer_math.hpp"
#include "petal/npy/npy_file.hpp"

namespace petal::test {
namespace {

const std::string kFolder = std::string(PETAL_TEST_DATA) + "/onnx_attention/";

DType dtype_of(const NpyArray& file) {
  if (file.descr == "<f4") return DType::f32;
  if (file.descr == "<f2") return DType::f16;
  return DType::boolean;
}

void set_attribute(AttentionAttributes& attributes, const std::string& name, const YAML::Node& value) {
  if (name == "is_causal")
    attributes.is_causal = value.as<int>() != 0;
  else if (name == "scale")
    attributes.scale = value.as<double>();
  else if (name == "softcap")
    attributes.softcap = value.as<double>();
  else if (name == "q_num_heads")
    attributes.q_num_heads = value.as<std::uint64_t>();
  else if (name == "kv_num_heads")
    attributes.kv_num_heads = value.as<std::uint64_t>();
  else if (name == "left_window_size")
    attributes.left_window_size = value.as<std::int64_t>();
  else if (name == "right_window_size")
    attributes.right_window_size = value.as<std::int64_t>();
  else if (name == "qk_matmul_output_mode")
    attributes.qk_matmul_output_mode = value.as<std::uint64_t>();
  else if (name == "softmax_precision")
    attributes.softmax_precision = value.as<std::uint64_t>();
  else
    throw std::runtime_error("unknown attribute " + name);
}

AttentionCase read_case(const YAML::Node& node) {
  AttentionCase entry;
  entry.name = node["name"].as<std::string>();
  for (const auto& attribute : node["attrs"])
    set_attribute(entry.attributes, attribute.first.as<std::string>(), attribute.second);
  for (const auto& input : node["inputs"]) {
    const std::string name = input.first.as<std::string>();
    entry.inputs[name] = read_npy(kFolder + entry.name + "/" + name + ".npy");
  }
  entry.y = read_npy(kFolder + entry.name + "/Y.npy");
  return entry;
}

}  // namespace

Dims AttentionCase::dims_of(const NpyArray& array) {
  Dims shape;
  for (const std::uint64_t size : array.shape) shape.push_back(size);
  return shape;
}

std::string folder_of(const AttentionCase& entry) {
  return kFolder + entry.name + "/";
}

double AttentionCase::tolerance() const {
  double largest = 0.0;
  for (const double value : y_values()) largest = std::max(largest, std::abs(value));
  return largest * (y.descr == "<f2" ? 2e-3 : 1e-5);
}

AttentionTensors AttentionCase::tensors() const {
  std::map<std::string, TensorHandle> handles;
  std::optional<std::vector<std::int64_t>> nonpad_kv_seqlen;
  std::uint64_t address = 0x1000;
  for (const auto& [input, file] : inputs) {
    if (input == "nonpad_kv_seqlen") {
      const std::vector<double> lengths = as_doubles(file);
      nonpad_kv_seqlen.emplace(lengths.begin(), lengths.end());
      continue;
    }
    handles[input] = dense_tensor(Space::hbm, address, dims_of(file), dtype_of(file));
    address = round_up(address + handles[input].bytes().count(), 256);
  }
  return attention_tensors(handles, nonpad_kv_seqlen);
}

AttentionValues AttentionCase::values() const {
  const auto of = [&](const char* input) {
    const auto found = inputs.find(input);
    return found == inputs.end() ? std::vector<double>{} : as_doubles(found->second);
  };
  return {of("Q"), of("K"), of("V"), of("past_key"), of("past_value"), of("attn_mask")};
}

std::vector<AttentionCase> read_attention_cases() {
  std::vector<AttentionCase> cases;
  for (const YAML::Node& node : YAML::LoadFile(kFolder + "cases.yaml")) cases.push_back(read_case(node));
  return cases;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (a.size() != b.size()) return kInfinity;
  double largest = 0.0;
  for (std::size_t index = 0; index < a.size(); ++index) {
    const double difference = std::abs(a[index] - b[index]);
    largest = std::isnan(difference) ? kInfinity : std::max(largest, difference);
  }
  return largest;
}

}  // namespace petal::test
