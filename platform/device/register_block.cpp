// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_block.hpp"

namespace petal {

void RegisterBlock::reset() {
  for (const RegisterInfo& info : kRegisterMap)
    if (info.source != RegisterSource::configured) value_of(info.id) = info.reset;
}

std::uint32_t RegisterBlock::read(RegisterId id) const {
  return values_.at(static_cast<std::size_t>(id)) & info_of(id).readable_mask();
}

std::uint64_t RegisterBlock::read_pair(RegisterId low, RegisterId high) const {
  return std::uint64_t{read(high)} << 32U | read(low);
}

bool RegisterBlock::locked(const RegisterInfo& info) const {
  return info.lock == RegisterLock::while_enabled && (read(RegisterId::control) & control_bit::kEnable) != 0;
}

RegisterWrite RegisterBlock::write(RegisterId id, std::uint32_t value) {
  const RegisterInfo& info = info_of(id);
  std::uint32_t& stored = value_of(id);
  RegisterWrite result;
  result.before = result.after = stored;
  result.refused_by_lock = locked(info);
  if (result.refused_by_lock) return result;
  const std::uint32_t writable = info.mask_of(RegisterAccessKind::read_write);
  const std::uint32_t cleared = value & info.mask_of(RegisterAccessKind::write_one_to_clear);
  stored = ((stored & ~writable) | (value & writable)) & ~cleared;
  result.after = stored;
  result.started = value & info.mask_of(RegisterAccessKind::write_only);
  return result;
}

void RegisterBlock::set(RegisterId id, std::uint32_t value) {
  value_of(id) = value;
}

void RegisterBlock::set_pair(RegisterId low, RegisterId high, std::uint64_t value) {
  set(low, static_cast<std::uint32_t>(value));
  set(high, static_cast<std::uint32_t>(value >> 32U));
}

}  // namespace petal
