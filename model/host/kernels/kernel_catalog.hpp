// SPDX-License-Identifier: Apache-2.0
//
// The kernels that come with PETAL, by name.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "petal/host/kernels/attention.hpp"
#include "petal/host/kernels/decoder_layer.hpp"
#include "petal/host/kernels/gemm.hpp"
#include "petal/host/kernels/gqa_decode.hpp"
#include "petal/host/kernels/gqa_decode_split.hpp"

namespace petal {

/// A kernel's function; which alternative it is says which arguments it takes, and so its family.
using KernelBody =
    std::variant<void (*)(TlContext&, const GqaDecodeArguments&), void (*)(TlContext&, const GemmArguments&),
                 void (*)(TlContext&, const AttentionArguments&),
                 void (*)(TlContext&, const GqaSplitArguments&), LayerKernel>;

/// The alternatives of KernelBody, in order.
enum class KernelFamily { decode, gemm, attention, split_decode, decoder_layer };

struct KernelEntry {
  std::string_view name;
  std::string_view description;  ///< one line
  KernelBody body;

  KernelFamily family() const { return static_cast<KernelFamily>(body.index()); }
};

/// All kernels, in the order they are listed to people.
const std::vector<KernelEntry>& kernel_catalog();

/// The kernel of that name, or the only one whose name ends in `_` and it ("opt2"). Throws ConfigError if
/// there is none, with the names closest to it, or more than one, with all of them.
const KernelEntry& find_kernel(std::string_view name);

}  // namespace petal
