// SPDX-License-Identifier: Apache-2.0
//
// CommandRing: reads the commands that software has put into a ring in memory, one entry after the other.
//
//     header of the slot -> command bytes -> (last slice) the tensor table's entries -> steps for PE_CPU
//
// Each arrow is an access to memory, begun when the one before has been answered; the table's entries are
// read together, each once for a command. An entry is read before PE_CPU has need of it, but no more than
// `prefetch` steps ahead. Entries come from software that is not trusted: whatever they hold ends as a
// status.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "petal/bus/bus_initiator.hpp"
#include "petal/command/command_assembler.hpp"
#include "petal/command/command_limits.hpp"
#include "petal/command/fetched_tensors.hpp"
#include "petal/command/ring_entry.hpp"
#include "petal/device/memory_request.hpp"
#include "petal/pe_cpu/completion.hpp"
#include "petal/pe_cpu/program_step.hpp"

namespace petal {

/// Where the ring and the tensor table lie: the registers, as they were when the ring was enabled.
struct CommandRingLayout {
  std::uint64_t base = 0;        ///< byte address of slot 0
  std::uint32_t size = 0;        ///< slots
  std::uint32_t stride = 0;      ///< bytes of a slot
  std::uint32_t start = 0;       ///< number of the first entry, which lies in slot 0
  std::uint64_t table_base = 0;  ///< byte address of the tensor table
  std::uint32_t table_size = 0;  ///< its entries
};

/// What makes such a layout unusable, as one line, or nothing.
std::optional<std::string> find_layout_error(const CommandRingLayout& layout);

struct CommandRingConfig {
  Bytes cap{1024};             ///< the most bytes of an entry's slice
  std::uint32_t prefetch = 2;  ///< steps that PE_CPU has not begun
  CommandLimits limits;
};

/// An entry that ends without having been given to PE_CPU, or stops the ring.
struct EntryFailure {
  std::uint32_t tag = 0;
  CompletionStatus status = CompletionStatus::descriptor_malformed;
  std::uint64_t address = 0;  ///< of a fetch_error, in bytes
};

class CommandRing {
 public:
  /// What the ring tells the device.
  class Client {
   public:
    virtual ~Client() = default;
    /// Steps that PE_CPU has been given and has not begun.
    virtual std::size_t steps_ahead() const = 0;
    virtual void entry_fetched() = 0;
    /// A step of the entry with `tag`.
    virtual void issue(ProgramStep step, std::uint32_t tag) = 0;
    virtual void entry_failed(const EntryFailure& failure) = 0;
    /// The entry at head() cannot be read: the ring stands still until `resume`.
    virtual void ring_stopped(const EntryFailure& failure) = 0;
    /// The ring has nothing to do at present.
    virtual void ring_idle() = 0;
  };

  CommandRing(BusInitiator& bus, const CommandRingConfig& config, Client& client);

  /// Precondition: find_layout_error finds nothing.
  void enable(const CommandRingLayout& layout);
  /// No further entry is begun. A command whose last entry has not been read fails.
  void disable();
  /// Entries up to `tail` are there. One that is behind changes nothing. Precondition: enabled, and `tail`
  /// was accepted by may_advance_to.
  void advance_to(std::uint32_t tail);
  /// True if `tail` is neither behind the tail nor beyond what the ring holds.
  bool may_advance_to(std::uint32_t announced_tail, std::uint32_t tail) const;
  /// Tries the entry at head() again, after the ring has stopped.
  void resume();
  /// The ring stands still until `resume`, for a reason of the device's.
  void stop_here() { stopped_ = true; }
  /// PE_CPU has begun a step, or the completion ring has room again.
  void continue_fetching() { fetch_next(); }
  /// No entry is begun while it is held.
  void set_held(bool held);
  /// Forgets everything but what numbers have been given. The bus has been reset.
  void reset();

  std::uint32_t head() const { return head_; }
  bool is_enabled() const { return enabled_; }
  bool is_stopped() const { return stopped_; }
  /// An entry is being read, or is there to be read.
  bool is_busy() const { return activity_ != Activity::none || (enabled_ && !stopped_ && head_ != tail_); }
  /// The last completion id that was given to a slice.
  CompletionId latest_completion() const { return latest_; }

 private:
  enum class Activity : std::uint8_t { none, header, bytes, tensors };

  void fetch_next();
  void read(MemoryRequest& request, std::uint64_t address, std::uint64_t bytes);
  void header_read(const MemoryRequest& request);
  void bytes_read(const MemoryRequest& request);
  void fetch_tensors();
  void tensor_read(std::size_t index, const MemoryRequest& request);
  void tensors_read();
  void issue(AssembledCommand command);
  void fail(const CommandFault& fault, std::uint64_t address);
  void give_up_unfinished();
  void stop(CompletionStatus status, std::uint64_t address);
  void consume_entry();
  void activity_ended();

  BusInitiator& bus_;
  const CommandRingConfig config_;
  Client& client_;
  CommandRingLayout layout_;
  CommandAssembler assembler_;
  bool enabled_ = false;
  bool stopped_ = false;
  bool held_ = false;
  std::uint32_t head_ = 0;
  std::uint32_t tail_ = 0;
  std::uint32_t slot_ = 0;
  CompletionId latest_ = kNoCompletion;
  CompletionId entries_ = 0;
  RingEntry entry_;
  Activity activity_ = Activity::none;
  MemoryRequest slot_request_;
  std::deque<MemoryRequest> tensor_requests_;
  std::size_t tensors_to_come_ = 0;
  EntryFailure tensor_failure_;
  FetchedTensors tensors_;
};

}  // namespace petal
