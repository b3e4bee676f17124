// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/sparse_memory.hpp"

#include <algorithm>
#include <cstring>

namespace petal {
namespace {

/// Calls part(page number, offset in the page, offset in the access, bytes) for each page the access touches.
template <typename Part>
void for_each_page(std::uint64_t address, std::uint64_t bytes, Part part) {
  constexpr std::uint64_t kPageBytes = SparseMemory::kPageBytes;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t offset = (address + done) % kPageBytes;
    const std::uint64_t here = std::min(bytes - done, kPageBytes - offset);
    part((address + done) / kPageBytes, offset, done, here);
    done += here;
  }
}

}  // namespace

SparseMemory::Page* SparseMemory::find_page(std::uint64_t number) const {
  if (last_page_ != nullptr && last_number_ == number) return last_page_;
  const auto found = pages_.find(number);
  if (found == pages_.end()) return nullptr;
  last_number_ = number;
  last_page_ = found->second.get();
  return last_page_;
}

SparseMemory::Page& SparseMemory::page_for_writing(std::uint64_t number) {
  if (Page* const page = find_page(number)) return *page;
  auto page = std::make_unique<Page>();
  const Page* const original = image_ ? image_->find_page_or_image(number) : nullptr;
  if (original == nullptr)
    page->fill(fill_);
  else
    *page = *original;
  return *pages_.emplace(number, std::move(page)).first->second;
}

const SparseMemory::Page* SparseMemory::find_page_or_image(std::uint64_t number) const {
  const Page* const page = find_page(number);
  return page != nullptr || !image_ ? page : image_->find_page_or_image(number);
}

void SparseMemory::read_within(std::uint64_t address, std::byte* to, std::uint64_t bytes) const {
  for_each_page(address, bytes,
                [&](std::uint64_t number, std::uint64_t offset, std::uint64_t done, std::uint64_t here) {
                  if (const Page* const page = find_page_or_image(number))
                    std::memcpy(to + done, page->data() + offset, here);
                  else
                    std::memset(to + done, static_cast<int>(fill_), here);
                });
}

void SparseMemory::write_within(std::uint64_t address, const std::byte* from, std::uint64_t bytes) {
  for_each_page(address, bytes,
                [&](std::uint64_t number, std::uint64_t offset, std::uint64_t done, std::uint64_t here) {
                  std::memcpy(page_for_writing(number).data() + offset, from + done, here);
                });
}

const std::byte* SparseMemory::view_within(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t offset = address % kPageBytes;
  if (bytes > kPageBytes - offset) return nullptr;
  const Page* const page = find_page_or_image(address / kPageBytes);
  return page == nullptr ? nullptr : page->data() + offset;
}

}  // namespace petal
