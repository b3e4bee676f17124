// SPDX-License-Identifier: Apache-2.0
//
// The typed errors of the host side. Every message names the thing, the value, what was allowed and what to
// do; it is one line, so that a person can act on it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace petal {

/// The root of all errors PETAL throws.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A command line or a configuration that cannot be used.
class ConfigError : public Error {
 public:
  using Error::Error;
};

/// A kernel asked for something that cannot be issued. Nothing of the offending call has been issued.
class EmitError : public Error {
 public:
  /// `op` is the call (`composite`, `dot`, ...), `operand` the argument at fault (may be empty).
  EmitError(std::string op, std::string operand, const std::string& problem, const std::string& remedy);

  const std::string& op() const { return op_; }
  const std::string& operand() const { return operand_; }

 private:
  std::string op_;
  std::string operand_;
};

/// Bytes that are not a command.
class DecodeError : public Error {
 public:
  using Error::Error;
};

/// The simulated system failed: a bus error, an engine that is missing, commands left outstanding.
class SimulationError : public Error {
 public:
  using Error::Error;
};

/// An access to bytes that a memory does not have.
class AddressError : public SimulationError {
 public:
  /// `memory` names it as a person would ("pe0.hbm"); the others are bytes.
  AddressError(const std::string& memory, std::uint64_t address, std::uint64_t bytes, std::uint64_t capacity);

  std::uint64_t address() const { return address_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t capacity() const { return capacity_; }

 private:
  std::uint64_t address_;
  std::uint64_t bytes_;
  std::uint64_t capacity_;
};

}  // namespace petal
