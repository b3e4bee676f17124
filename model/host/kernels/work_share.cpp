// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/work_share.hpp"

#include <algorithm>

#include "petal/command/integer_math.hpp"

namespace petal {

IndexRange share_of(std::uint64_t total, std::uint64_t block, std::uint64_t share, std::uint64_t shares) {
  const std::uint64_t blocks = divide_up(total, block);
  const std::uint64_t even = blocks / shares;
  const std::uint64_t with_one_more = blocks % shares;
  const std::uint64_t first = share * even + std::min(share, with_one_more);
  const std::uint64_t count = even + (share < with_one_more ? 1 : 0);
  return {std::min(first * block, total), std::min((first + count) * block, total)};
}

}  // namespace petal
