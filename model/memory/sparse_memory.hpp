// SPDX-License-Identifier: Apache-2.0
//
// SparseMemory: a large memory of which a run touches little, such as HBM. Only pages that were written take
// host memory; bytes never written read as one value.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>

#include "petal/memory/byte_memory.hpp"

namespace petal {

class SparseMemory final : public ByteMemory {
 public:
  static constexpr std::uint64_t kPageBytes = std::uint64_t{64} << 10U;

  /// Bytes never written read as `fill`.
  SparseMemory(std::string name, std::uint64_t capacity, std::byte fill = std::byte{0})
      : ByteMemory(std::move(name), capacity), fill_(fill) {}
  /// As above, but pages never written here are those of `image`, which stays as it is: several memories can
  /// start from one. `image` has the same capacity.
  SparseMemory(std::string name, std::uint64_t capacity, std::shared_ptr<const SparseMemory> image)
      : ByteMemory(std::move(name), capacity), image_(std::move(image)) {}

  /// Pages that were written, each of kPageBytes of host memory.
  std::uint64_t pages() const { return pages_.size(); }

 protected:
  void read_within(std::uint64_t address, std::byte* to, std::uint64_t bytes) const override;
  void write_within(std::uint64_t address, const std::byte* from, std::uint64_t bytes) override;
  const std::byte* view_within(std::uint64_t address, std::uint64_t bytes) const override;

 private:
  using Page = std::array<std::byte, kPageBytes>;

  /// Nothing if it was never written.
  Page* find_page(std::uint64_t number) const;
  const Page* find_page_or_image(std::uint64_t number) const;
  Page& page_for_writing(std::uint64_t number);

  const std::byte fill_{0};
  std::shared_ptr<const SparseMemory> image_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  // Neighbouring rows of a tile mostly lie in one page. Pages are never freed.
  mutable std::uint64_t last_number_ = 0;
  mutable Page* last_page_ = nullptr;
};

}  // namespace petal
