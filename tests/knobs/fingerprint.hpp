// SPDX-License-Identifier: Apache-2.0
//
// Fingerprint: what can be seen of a run, as named quantities that are independent of each other as far as
// the model is. Two runs are compared quantity by quantity.
#pragma once

#include <map>
#include <set>
#include <string>

#include "petal/observe/summary.hpp"
#include "support/event_log.hpp"

namespace petal::test {

/// A text for each quantity. Equal texts: the quantity is the same.
using Fingerprint = std::map<std::string, std::string>;
using Quantities = std::set<std::string>;

/// The quantities of a simulated run:
///
///   pes            names of the PEs
///   macs, tiles    the work
///   commands       kind, opcode and logical bytes of each command (a segment is one), in order
///   issue_cycles   what each cost, in cycles
///   dispatch_time  how long each kept PE_CPU, in ps
///   stages         how many there were of each kind
///   addresses      what each stage read and wrote
///   dma_bytes, dma_time, dma_latency      of all DMA stages: bytes, ps of occupancy, ps beyond it
///   fetch_time, store_time, gemm_time, math_time   ps of all these stages
///   plan_delay     from taking the first command to its first stage
///   in_flight      most commands taken and not completed
///   transfers      most DMA stages under way
///   queue_peak     most bytes in the command queue
///   waits          of PE_CPU for data and room, of commands at the queue's head
///   overlap        ps in which GEMM and MATH were both busy
///   staging        bytes of TCM that PE_SCHEDULER reserves
///   time           of the run
Fingerprint fingerprint_of(const EventLog& log, const Summary& summary);

/// The quantities in which two fingerprints differ; one that only one of them has counts.
Quantities differences(const Fingerprint& a, const Fingerprint& b);

}  // namespace petal::test
