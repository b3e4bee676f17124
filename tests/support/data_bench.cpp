// SPDX-License-Identifier: Apache-2.0
#include "support/data_bench.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "petal/command/integer_math.hpp"
#include "petal/numerics/element_codec.hpp"

namespace petal::test {
namespace {

constexpr std::uint64_t kAlignment = 4096;

double decoded(const std::byte* stored, DType dtype) {
  if (is_floating(dtype)) {
    float value = 0.0F;
    decode(stored, dtype, &value, 1);
    return static_cast<double>(value);
  }
  std::int32_t value = 0;
  decode_int(stored, dtype, &value, 1);
  return value;
}

PlatformOptions from_image(const HbmImage& image) {
  PlatformOptions options;
  options.hbm_image = image.memory();
  return options;
}

}  // namespace

Values rounded(const Values& values, DType dtype) {
  Values result;
  std::byte stored[4];
  for (const double value : values) {
    encode_double(&value, dtype, stored, 1);
    result.push_back(decoded(stored, dtype));
  }
  return result;
}

void for_each_element(const TensorHandle& tensor, const std::function<void(std::uint64_t address)>& visit) {
  for (std::uint64_t flat = 0; flat < tensor.elements(); ++flat) {
    std::uint64_t rest = flat;
    std::uint64_t offset = 0;
    for (std::size_t axis = tensor.shape.rank(); axis-- > 0;) {
      offset += rest % tensor.shape[axis] * tensor.strides[axis];
      rest /= tensor.shape[axis];
    }
    visit(tensor.address + offset * size_of(tensor.dtype));
  }
}

HbmImage::HbmImage(Bytes capacity) : memory_(std::make_shared<SparseMemory>("HBM", capacity.count())) {}

TensorHandle HbmImage::put(const Dims& shape, DType dtype, const Values& values, const Dims& strides) {
  TensorHandle tensor = dense_tensor(Space::hbm, next_, shape, dtype);
  if (strides.rank() != 0) tensor.strides = strides;
  next_ = round_up(std::max(tensor.range().end, next_ + 1), kAlignment);
  const std::uint64_t element = size_of(dtype);
  const bool is_dense = strides.rank() == 0 && values.size() == tensor.elements();
  if (is_dense) {
    std::vector<std::byte> stored(values.size() * element);
    encode_double(values.data(), dtype, stored.data(), values.size());
    memory_->write(tensor.address, stored.data(), stored.size());
    return tensor;
  }
  std::size_t index = 0;
  for_each_element(tensor, [&](std::uint64_t address) {
    std::byte stored[4];
    encode_double(&values.at(values.size() == 1 ? 0 : index++), dtype, stored, 1);
    memory_->write(address, stored, element);
  });
  return tensor;
}

void HbmImage::fill(std::uint64_t address, std::uint64_t bytes, std::byte value) {
  const std::vector<std::byte> values(bytes, value);
  memory_->write(address, values.data(), bytes);
}

DataBench::DataBench(const PlatformConfig& config) : DataBench(config, HbmImage(config.hbm.capacity)) {}

DataBench::DataBench(const PlatformConfig& config, HbmImage image)
    : config_(config),
      image_(std::move(image)),
      platform_(sc_core::sc_gen_unique_name("platform"), config, from_image(image_)),
      next_(first_completions(config.pes.size())) {}

Values DataBench::read(const TensorHandle& tensor) const {
  const ByteRange range = tensor.range();
  const std::vector<std::byte> stored = bytes(range.begin, range.end - range.begin);
  Values values;
  for_each_element(tensor, [&](std::uint64_t address) {
    values.push_back(decoded(stored.data() + (address - range.begin), tensor.dtype));
  });
  return values;
}

std::vector<std::byte> DataBench::bytes(std::uint64_t address, std::uint64_t count) const {
  platform_.finish();
  std::vector<std::byte> result(count);
  platform_.read_hbm(address, result.data(), count);
  return result;
}

std::vector<std::byte> DataBench::bytes(const TensorHandle& tensor) const {
  return bytes(tensor.address, tensor.bytes().count());
}

void require_close(const Values& actual, const Values& expected, double tolerance, const std::string& what) {
  BOOST_TEST_REQUIRE(actual.size() == expected.size());
  double largest = 1.0;
  for (const double value : expected)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  for (std::size_t index = 0; index < actual.size(); ++index) {
    const double a = actual[index];
    const double e = expected[index];
    if (a == e || (std::isnan(a) && std::isnan(e))) continue;
    if (!(std::abs(a - e) <= tolerance * largest))
      BOOST_FAIL(what << ": element " << index << " is " << a << ", not " << e << " within "
                      << tolerance * largest);
  }
}

Values product(const Values& a, const Values& b, std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  Values c(m * n, 0.0);
  for (std::uint64_t i = 0; i < m; ++i)
    for (std::uint64_t t = 0; t < k; ++t)
      for (std::uint64_t j = 0; j < n; ++j) c[i * n + j] += a[i * k + t] * b[t * n + j];
  return c;
}

PlatformConfig sharing(std::size_t pes) {
  PlatformConfig config;
  config.hbm.scope = HbmScope::shared;
  for (std::size_t pe = 1; pe < pes; ++pe) {
    config.pes.push_back(config.pes.front());
    config.pes.back().name = "pe" + std::to_string(pe);
  }
  return config;
}

}  // namespace petal::test
