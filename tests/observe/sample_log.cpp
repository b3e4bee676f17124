// SPDX-License-Identifier: Apache-2.0
#include "observe/sample_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <tuple>

namespace petal::test {
namespace {

const std::string kColumns =
    "seq,pe,event,cmd,op,kind,engine,tile_m,tile_n,tile_k,bytes,elements,start_ps,end_ps,busy_end_ps,op_"
    "index,"
    "segment,logical_bytes,cycles,reads,writes,waits_on,macs";

const std::string kConfig =
    R"({"kernel":"sample","platform":{"pe":{"compute_slot":"separate","attrs":{"clock_freq_ghz":1.0,)"
    R"("pe_cost_model":{"fixed_per_cmd_cycles":40,"byte_cycles_recip":0.0625,)"
    R"("max_composite_logical_bytes":1024},)"
    R"("pe_cpu":{"queue_bytes":128},)"
    R"("pe_scheduler":{"max_in_flight":2,"tile_buffers":2,"plan_cycles_per_op":0},)"
    R"("pe_dma":{"setup_cycles":0,"outstanding":2,"interface":"closed_form"},)"
    R"("pe_fetch_store":{"read_gb_per_s":512,"write_gb_per_s":512,"setup_cycles":0},)"
    R"("pe_gemm":{"model":"throughput","macs_per_cycle_f32":1024,"macs_per_cycle_f16":4096,)"
    R"("macs_per_cycle_8bit":8192,"m_quantum":1},)"
    R"("pe_math":{"lanes":64,"startup_cycles":4,"fast_cycles":1,"slow_cycles":4},)"
    R"("tcm":{"arena_bytes":65536}}},"pes":2,)"
    R"("hbm":{"channels":8,"gb_per_s_per_channel":32,"efficiency":1.0,"latency_ns":100}}})";

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> fields(1);
  for (const char c : text)
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

std::size_t column_of(const std::string& name) {
  const std::vector<std::string> names = split(kColumns);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::logic_error("no column " + name);
  return static_cast<std::size_t>(found - names.begin());
}

std::size_t event_rank(const std::string& event) {
  const std::vector<std::string> events = {"dispatch", "queue_wait", "hazard_wait", "stage", "complete"};
  return static_cast<std::size_t>(std::find(events.begin(), events.end(), event) - events.begin());
}

/// 0 for what is no number: tests damage the columns that rows are sorted by, too.
long long number(const std::string& field) {
  return std::strtoll(field.c_str(), nullptr, 10);
}

// FIXED 40, R 1/16, 1 GHz; HBM 256 GB/s and 100 ns; TCM ports 512 GB/s; 4096 f16 MACs a cycle; MATH 4 +
// vectors.
void add_load_and_gemm(SampleLog& log) {
  // 24 bytes: 41.5 cycles. 8192 bytes / 256 GB/s = 32 ns, then 100 ns.
  log.add("load", "0,dispatch,1,dma_read,DmaReadCmd,,,,,24,,0,41500,,,,24,41.5,hbm:0x0+8192,tcm:0x0+8192,,");
  log.add(
      "load.dma",
      "0,stage,1,dma_read,DMA_READ,dma_read,,,,8192,0,41500,173500,73500,0,,,,hbm:0x0+8192,tcm:0x0+8192,,0");
  log.add("load.done", "0,complete,1,dma_read,DmaReadCmd,,,,,,,173500,173500,,,,,,,,,");
  log.add("cycles", "0,dispatch,0,cycles,OverheadCmd,,,,,,,41500,51500,,,,,10,,,,");
  // 17 bytes: 41.0625 cycles, 41062.5 ps. One vector: 5 cycles; 256 bytes / 512 GB/s = 0.5 ns.
  log.add("fill", "0,dispatch,2,fill,MathCmd,,,,,17,,51500,92563,,,,17,41.0625,,tcm:0x2000+256,,");
  log.add("fill.math", "0,stage,2,fill,MATH,math,,,,0,64,92563,97563,97563,0,,,,,,,0");
  log.add("fill.store", "0,stage,2,fill,STORE,store,,,,256,0,97563,98063,98063,0,,,,,tcm:0x2000+256,,0");
  log.add("fill.done", "0,complete,2,fill,MathCmd,,,,,,,98063,98063,,,,,,,,,");
  // 82 bytes: 45.125 cycles. Tiles of 4096 bytes: 16 ns of DMA, 8 ns of a port. 65536 MACs: 16 cycles.
  log.add("gemm",
          "0,dispatch,3,gemm,CompositeCmd,,,,,82,,92563,137688,,,,82,45.125,"
          "tcm:0x0+8192;hbm:0x10000+8192;tcm:0x4000+4096,tcm:0x4000+4096,,");
  log.add("gemm.wait", "0,hazard_wait,3,hazard,CompositeCmd,,,,,,,137688,173500,,,,,,,,1,");
  log.add("gemm.dma0",
          "0,stage,3,gemm,DMA_READ,dma_read,0,0,0,4096,0,173500,289500,189500,0,,,,hbm:0x10000+4096,"
          "tcm:0x10000+4096,,0");
  log.add("gemm.dma1",
          "0,stage,3,gemm,DMA_READ,dma_read,0,0,1,4096,0,189500,305500,205500,0,,,,hbm:0x11000+4096,"
          "tcm:0x11000+4096,,0");
  log.add("gemm.a0", "0,stage,3,gemm,FETCH,fetch,0,0,0,4096,0,173500,181500,181500,0,,,,tcm:0x0+8064,,,0");
  log.add("gemm.b0",
          "0,stage,3,gemm,FETCH,fetch,0,0,0,4096,0,289500,297500,297500,0,,,,tcm:0x10000+4096,,,0");
  log.add("gemm.gemm0", "0,stage,3,gemm,GEMM,gemm,0,0,0,0,0,297500,313500,313500,0,,,,,,,65536");
  log.add("gemm.a1", "0,stage,3,gemm,FETCH,fetch,0,0,1,4096,0,297500,305500,305500,0,,,,tcm:0x80+8064,,,0");
  log.add("gemm.b1",
          "0,stage,3,gemm,FETCH,fetch,0,0,1,4096,0,305500,313500,313500,0,,,,tcm:0x11000+4096,,,0");
  log.add("gemm.gemm1", "0,stage,3,gemm,GEMM,gemm,0,0,1,0,0,313500,329500,329500,0,,,,,,,65536");
  log.add("gemm.other",
          "0,stage,3,add,FETCH,fetch,0,0,1,4096,0,329500,337500,337500,1,,,,tcm:0x4000+4096,,,0");
  log.add("gemm.add", "0,stage,3,add,MATH,math,0,0,1,0,1024,337500,357500,357500,1,,,,,,,0");
  log.add("gemm.store",
          "0,stage,3,gemm,STORE,store,0,0,1,4096,0,357500,365500,365500,0,,,,,tcm:0x4000+4096,,0");
  log.add("gemm.done", "0,complete,3,gemm,CompositeCmd,,,,,,,365500,365500,,,,,,,,,");
}

void add_segments_and_waits(SampleLog& log) {
  // 64 and 32 bytes: 44 and 42 cycles.
  log.add("seg1",
          "0,dispatch,4,copy,CompositeCmd,,,,,64,,137688,181688,,,1/2,64,44,tcm:0x2000+256;tcm:0x2200+256,"
          "tcm:0x2100+256;tcm:0x2200+256,,");
  log.add("seg1.fetch",
          "0,stage,4,copy,FETCH,fetch,,,,256,0,181688,182188,182188,0,1/2,,,tcm:0x2000+256,,,0");
  log.add("seg1.math", "0,stage,4,copy,MATH,math,,,,0,64,182188,187188,187188,0,1/2,,,,,,0");
  log.add("seg1.store",
          "0,stage,4,copy,STORE,store,,,,256,0,187188,187688,187688,0,1/2,,,,tcm:0x2100+256,,0");
  log.add("seg1.done", "0,complete,4,copy,CompositeCmd,,,,,,,187688,187688,,,1/2,,,,,,");
  log.add("seg2",
          "0,dispatch,5,copy,CompositeCmd,,,,,32,,181688,223688,,,2/2,32,42,tcm:0x2100+256;tcm:0x2200+256,"
          "tcm:0x2200+256,,");
  log.add("seg2.fetch",
          "0,stage,5,copy,FETCH,fetch,,,,256,0,223688,224188,224188,1,2/2,,,tcm:0x2100+256,,,0");
  log.add("seg2.math", "0,stage,5,copy,MATH,math,,,,0,64,224188,229188,229188,1,2/2,,,,,,0");
  log.add("seg2.store",
          "0,stage,5,copy,STORE,store,,,,256,0,229188,229688,229688,1,2/2,,,,tcm:0x2200+256,,0");
  log.add("seg2.done", "0,complete,5,copy,CompositeCmd,,,,,,,229688,229688,,,2/2,,,,,,");
  log.add("write",
          "0,dispatch,6,dma_write,DmaWriteCmd,,,,,24,,223688,265188,,,,24,41.5,tcm:0x4000+4096,"
          "hbm:0x20000+4096,,");
  log.add("write.wait", "0,hazard_wait,6,hazard,DmaWriteCmd,,,,,,,265188,365500,,,,,,,,3,");
  log.add("write.dma",
          "0,stage,6,dma_write,DMA_WRITE,dma_write,,,,4096,0,365500,481500,381500,0,,,,tcm:0x4000+4096,"
          "hbm:0x20000+4096,,0");
  log.add("write.done", "0,complete,6,dma_write,DmaWriteCmd,,,,,,,481500,481500,,,,,,,,,");
  // 109 bytes: 46.8125 cycles, 46812.5 ps. 24 + 109 bytes do not fit a queue of 128.
  log.add("last", "0,dispatch,7,fill,MathCmd,,,,,109,,265188,312001,,,,109,46.8125,,tcm:0x2000+256,,");
  log.add("last.queue", "0,queue_wait,7,fill,MathCmd,,,,,,,312001,365500,,,,,,,,,");
  log.add("last.math", "0,stage,7,fill,MATH,math,,,,0,64,365500,370500,370500,0,,,,,,,0");
  log.add("last.store", "0,stage,7,fill,STORE,store,,,,256,0,370500,371000,371000,0,,,,,tcm:0x2000+256,,0");
  log.add("last.done", "0,complete,7,fill,MathCmd,,,,,,,371000,371000,,,,,,,,,");
}

void add_other_pe(SampleLog& log) {
  // PE 1. 54 bytes: 43.375 cycles. The 2048 bytes of the out: 4 ns of a port, 8 ns of DMA.
  log.add("other",
          "1,dispatch,1,gemm,CompositeCmd,,,,,54,,0,43375,,,,54,43.375,hbm:0x0+4096;hbm:0x1000+4096;"
          "hbm:0x8000+2048,hbm:0x8000+2048,,");
  log.add("other.dma_a",
          "1,stage,1,gemm,DMA_READ,dma_read,0,0,0,4096,0,43375,159375,59375,0,,,,hbm:0x0+4096,"
          "tcm:0x10000+4096,,0");
  log.add("other.dma_b",
          "1,stage,1,gemm,DMA_READ,dma_read,0,0,0,4096,0,59375,175375,75375,0,,,,hbm:0x1000+4096,"
          "tcm:0x11000+4096,,0");
  log.add("other.a",
          "1,stage,1,gemm,FETCH,fetch,0,0,0,4096,0,159375,167375,167375,0,,,,tcm:0x10000+4096,,,0");
  log.add("other.b",
          "1,stage,1,gemm,FETCH,fetch,0,0,0,4096,0,175375,183375,183375,0,,,,tcm:0x11000+4096,,,0");
  log.add("other.gemm", "1,stage,1,gemm,GEMM,gemm,0,0,0,0,0,183375,199375,199375,0,,,,,,,65536");
  log.add("other.store",
          "1,stage,1,gemm,STORE,store,0,0,0,2048,0,199375,203375,203375,0,,,,,tcm:0x18000+2048,,0");
  log.add("other.write",
          "1,stage,1,gemm,DMA_WRITE,dma_write,0,0,0,2048,0,203375,311375,211375,0,,,,tcm:0x18000+2048,"
          "hbm:0x8000+2048,,0");
  log.add("other.done", "1,complete,1,gemm,CompositeCmd,,,,,,,311375,311375,,,,,,,,,");
}

}  // namespace

void SampleLog::add(const std::string& label, const std::string& columns) {
  Row row{label, split("," + columns)};
  if (row.fields.size() != split(kColumns).size())
    throw std::logic_error("wrong number of columns: " + label);
  rows_.push_back(std::move(row));
}

SampleLog::Row& SampleLog::row(const std::string& label) {
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& one) { return one.label == label; });
  if (found == rows_.end()) throw std::logic_error("no row " + label);
  return *found;
}

void SampleLog::duplicate(const std::string& label) {
  rows_.push_back(Row(row(label)));
}

void SampleLog::remove(const std::string& label) {
  rows_.erase(rows_.begin() + (&row(label) - rows_.data()));
}

void SampleLog::set(const std::string& label, const std::string& column, const std::string& value) {
  row(label).fields[column_of(column)] = value;
}

std::string SampleLog::get(const std::string& label, const std::string& column) const {
  return const_cast<SampleLog*>(this)->row(label).fields[column_of(column)];
}

void SampleLog::shift(const std::string& label, long long by) {
  for (const char* const column : {"start_ps", "end_ps", "busy_end_ps"}) {
    std::string& field = row(label).fields[column_of(column)];
    if (!field.empty()) field = std::to_string(std::stoll(field) + by);
  }
}

void SampleLog::configure(const std::string& key, const std::string& value) {
  const std::string name = "\"" + key + "\":";
  const std::size_t at = config_.find(name);
  if (at == std::string::npos) throw std::logic_error("no key " + key);
  const std::size_t begin = at + name.size();
  config_.replace(begin, config_.find_first_of(",}", begin) - begin, value);
}

std::vector<SampleLog::Row> SampleLog::sorted() const {
  std::vector<Row> rows = rows_;
  const auto key = [](const Row& one) {
    return std::make_tuple(number(one.fields[column_of("start_ps")]), number(one.fields[column_of("pe")]),
                           event_rank(one.fields[column_of("event")]), number(one.fields[column_of("cmd")]));
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
  for (std::size_t index = 0; index < rows.size(); ++index) rows[index].fields[0] = std::to_string(index);
  return rows;
}

std::string SampleLog::seq_of(const std::string& label) const {
  for (const Row& one : sorted())
    if (one.label == label) return one.fields[0];
  throw std::logic_error("no row " + label);
}

std::string SampleLog::text() const {
  std::string text = fmt::format("# petal op_log 1\n# version: test\n# config: {}\n{}\n", config_, kColumns);
  for (const Row& one : sorted()) text += fmt::format("{}\n", fmt::join(one.fields, ","));
  return text;
}

SampleLog two_pe_log() {
  SampleLog log;
  log.set_config(kConfig);
  add_load_and_gemm(log);
  add_segments_and_waits(log);
  add_other_pe(log);
  return log;
}

namespace {

// Each FETCH of 512 bytes 1 ns, MATH 5 ns, STORE 1 ns; DMA_WRITE 2 ns and 100 ns.
SampleLog k_tile_log_with(const std::string& config, long long gemm_ps) {
  SampleLog log;
  log.set_config(config);
  log.add("command",
          "0,dispatch,1,gemm,CompositeCmd,,,,,72,,0,44500,,,,72,44.5,tcm:0x0+4096;tcm:0x1000+4096,"
          "hbm:0x0+1024,,");
  long long now = 44500;
  const auto stage = [&](const std::string& label, const std::string& op, const char* kind,
                         const char* engine, int m, int k, const char* sizes, long long duration,
                         int op_index, const std::string& ranges, int macs) {
    log.add(label, fmt::format("0,stage,1,{},{},{},{},0,{},{},{},{},{},{},,,,{},,{}", op, kind, engine, m, k,
                               sizes, now, now + duration, now + duration, op_index, ranges, macs));
    now += duration;
  };
  long long done = 0;
  for (int m = 0; m < 2; ++m) {
    for (int k = 0; k < 3; ++k) {
      const std::string step = fmt::format("m{}k{}.", m, k);
      stage(step + "a", "gemm", "FETCH", "fetch", m, k, "512,0", 1000, 0, "tcm:0x0+4096,", 0);
      stage(step + "b", "gemm", "FETCH", "fetch", m, k, "512,0", 1000, 0, "tcm:0x1000+4096,", 0);
      stage(step + "gemm", "gemm", "GEMM", "gemm", m, k, "0,0", gemm_ps, 0, ",", 4096);
      stage(step + "relu", "relu", "MATH", "math", m, k, "0,64", 5000, 1, ",", 0);
    }
    const std::string tile = fmt::format("m{}.", m);
    const std::string slot = fmt::format("tcm:{:#x}+512", 0x10000 + m * 512);
    const std::string out = fmt::format("hbm:{:#x}+512", m * 512);
    stage(tile + "store", "gemm", "STORE", "store", m, 2, "512,0", 1000, 0, "," + slot, 0);
    done = now + 102000;
    log.add(tile + "write",
            fmt::format("0,stage,1,gemm,DMA_WRITE,dma_write,{},0,2,512,0,{},{},{},0,,,,{},{},,0", m, now,
                        done, now + 2000, slot, out));
  }
  log.add("done", fmt::format("0,complete,1,gemm,CompositeCmd,,,,,,,{},{},,,,,,,,,", done, done));
  return log;
}

std::string systolic_config() {
  std::string config = kConfig;
  const std::size_t gemm = config.find("\"pe_gemm\"");
  config.replace(gemm, config.find('}', gemm) + 1 - gemm,
                 R"("pe_gemm":{"model":"systolic","rows":16,"cols":16,"dataflow":"os","preload":"exposed"})");
  config.insert(config.find("\"max_in_flight\""), R"("gemm_tile":{"m":16,"k":16,"n":16},)");
  return config;
}

}  // namespace

// 4096 MACs at 4096 a cycle.
SampleLog k_tile_log() {
  return k_tile_log_with(kConfig, 1000);
}

SampleLog systolic_log(long long gemm_ps) {
  return k_tile_log_with(systolic_config(), gemm_ps);
}

}  // namespace petal::test
