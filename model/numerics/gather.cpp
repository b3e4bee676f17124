// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "petal/numerics/element_codec.hpp"

namespace petal {
namespace {

constexpr std::size_t kBufferElements = 512;
constexpr std::size_t kMaxElementBytes = 4;
using StoredBuffer = std::array<std::byte, kBufferElements * kMaxElementBytes>;
template <typename T>
using ValueBuffer = std::array<T, kBufferElements>;

/// One axis of the rectangle: elements between neighbours in memory and in the tile.
struct Axis {
  std::uint64_t count;
  std::uint64_t memory_step;
  std::uint64_t tile_step;
};

/// The rectangle as runs of elements that lie side by side in memory, `run.count` each, one for every pair of
/// an `outer` and an `inner` index.
struct RunWalk {
  std::uint64_t address;
  std::uint64_t element_bytes;
  Axis outer;
  Axis inner;
  Axis run;
};

void require_within(const TensorHandle& view, const TileRect& rect) {
  if (view.shape.rank() != 2 || view.strides.rank() != 2)
    throw std::invalid_argument(
        fmt::format("a tile is part of a tensor of two axes, not of {}", view.to_string()));
  const auto within = [](std::uint64_t first, std::uint64_t count, std::uint64_t size) {
    return first <= size && count <= size - first;
  };
  if (!within(rect.row, rect.rows, view.shape[0]) || !within(rect.column, rect.columns, view.shape[1]))
    throw std::out_of_range(fmt::format("{} x {} elements from [{}, {}] are not all within {}", rect.rows,
                                        rect.columns, rect.row, rect.column, view.to_string()));
}

/// The tile's size along an axis: a repeated value is held once.
std::uint64_t tile_size(std::uint64_t count, std::uint64_t stride) {
  return stride == 0 ? std::min<std::uint64_t>(count, 1) : count;
}

struct TileShape {
  std::uint64_t rows;
  std::uint64_t columns;
};

// Where there are no elements there is none to repeat; a dense tensor of no columns has rows of stride 0.
TileShape shape_of(const TensorHandle& view, const TileRect& rect) {
  if (rect.rows == 0 || rect.columns == 0) return {rect.rows, rect.columns};
  return {tile_size(rect.rows, view.strides[0]), tile_size(rect.columns, view.strides[1])};
}

RunWalk walk_of(const TensorHandle& view, const TileRect& rect) {
  constexpr Axis kOnce{1, 0, 0};
  const TileShape shape = shape_of(view, rect);
  const Axis rows{shape.rows, view.strides[0], shape.columns};
  const Axis columns{shape.columns, view.strides[1], 1};
  const auto is_run = [](const Axis& axis) { return axis.count == 1 || axis.memory_step == 1; };

  const std::uint64_t bytes = size_of(view.dtype);
  const std::uint64_t address =
      view.address + (rect.row * view.strides[0] + rect.column * view.strides[1]) * bytes;
  if (is_run(columns) && rows.memory_step == columns.count)
    return {address, bytes, kOnce, kOnce, {rows.count * columns.count, 1, 1}};
  if (is_run(columns) && columns.count > 1) return {address, bytes, rows, kOnce, columns};
  if (is_run(rows)) return {address, bytes, columns, kOnce, rows};
  return {address, bytes, rows, columns, kOnce};
}

/// Calls part(address, offset in the tile, elements) for each run, a long one in parts that fit the buffers.
template <typename Part>
void for_each_part(const RunWalk& walk, Part part) {
  for (std::uint64_t outer = 0; outer < walk.outer.count; ++outer)
    for (std::uint64_t inner = 0; inner < walk.inner.count; ++inner)
      for (std::uint64_t done = 0; done < walk.run.count; done += kBufferElements) {
        const std::uint64_t distance = outer * walk.outer.memory_step + inner * walk.inner.memory_step + done;
        const std::uint64_t offset =
            outer * walk.outer.tile_step + inner * walk.inner.tile_step + done * walk.run.tile_step;
        part(walk.address + distance * walk.element_bytes, offset,
             std::min<std::uint64_t>(walk.run.count - done, kBufferElements));
      }
}

template <typename T, typename Decode>
void load_runs(const ByteMemory& memory, const RunWalk& walk, T* tile, Decode decode_elements) {
  StoredBuffer stored;
  ValueBuffer<T> values;
  for_each_part(walk, [&](std::uint64_t address, std::uint64_t offset, std::uint64_t count) {
    const std::byte* from = memory.view(address, count * walk.element_bytes);
    if (from == nullptr) {
      memory.read(address, stored.data(), count * walk.element_bytes);
      from = stored.data();
    }
    if (walk.run.tile_step == 1) return decode_elements(from, tile + offset, count);
    decode_elements(from, values.data(), count);
    for (std::uint64_t index = 0; index < count; ++index)
      tile[offset + index * walk.run.tile_step] = values[index];
  });
}

template <typename T, typename Encode>
void store_runs(const T* tile, ByteMemory& memory, const RunWalk& walk, Encode encode_elements) {
  StoredBuffer stored;
  ValueBuffer<T> values;
  for_each_part(walk, [&](std::uint64_t address, std::uint64_t offset, std::uint64_t count) {
    const T* from = tile + offset;
    if (walk.run.tile_step != 1) {
      for (std::uint64_t index = 0; index < count; ++index)
        values[index] = tile[offset + index * walk.run.tile_step];
      from = values.data();
    }
    encode_elements(from, stored.data(), count);
    memory.write(address, stored.data(), count * walk.element_bytes);
  });
}

}  // namespace

void load_tile(const ByteMemory& memory, const TensorHandle& view, const TileRect& rect, TileElement element,
               Tile& tile) {
  require_within(view, rect);
  const TileShape shape = shape_of(view, rect);
  tile.resize(shape.rows, shape.columns, element);
  const RunWalk walk = walk_of(view, rect);
  if (element == TileElement::f32)
    load_runs(memory, walk, tile.f32(), [&](const std::byte* from, float* to, std::size_t count) {
      decode(from, view.dtype, to, count);
    });
  else
    load_runs(memory, walk, tile.i32(), [&](const std::byte* from, std::int32_t* to, std::size_t count) {
      decode_int(from, view.dtype, to, count);
    });
}

void store_tile(const Tile& tile, ByteMemory& memory, const TensorHandle& view, const TileRect& rect) {
  require_within(view, rect);
  const TileShape shape = shape_of(view, rect);
  if (tile.rows() != shape.rows || tile.columns() != shape.columns)
    throw std::invalid_argument(fmt::format("a tile of [{}, {}] is stored to a rectangle of [{}, {}]",
                                            tile.rows(), tile.columns(), shape.rows, shape.columns));
  const RunWalk walk = walk_of(view, rect);
  if (tile.element() == TileElement::f32)
    store_runs(tile.f32(), memory, walk, [&](const float* from, std::byte* to, std::size_t count) {
      encode(from, view.dtype, to, count);
    });
  else
    store_runs(tile.i32(), memory, walk, [&](const std::int32_t* from, std::byte* to, std::size_t count) {
      encode_int(from, view.dtype, to, count);
    });
}

}  // namespace petal
