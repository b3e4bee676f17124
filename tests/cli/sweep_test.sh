# SPDX-License-Identifier: Apache-2.0
#
# petal sweep: the whole program, with its processes.
# shellcheck shell=bash

# A scenario that takes milliseconds, and 200 points of it.
tiny() { scenario tiny.yaml </dev/null; }
grid=(--set fixed_per_cmd_cycles=0:49:1 byte_cycles_recip=0.0625,0.25 --kernel opt2,opt3 --no-plot)

# rows FILE: the table without what stands before it.
rows() { grep -v '^#' "$1"; }

# column FILE NAME: a column's values. Only for tables without quotes.
column() {
  rows "$1" | awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) c = i; next } { print $c }'
}

# value FILE COLUMN "KEY=VALUE ..." : the column's value in the one row that has these values.
value() {
  rows "$1" | awk -F, -v name="$2" -v wanted="$3" '
    NR == 1 { for (i = 1; i <= NF; ++i) index_of[$i] = i; n = split(wanted, pairs, " "); next }
    { for (i = 1; i <= n; ++i) { split(pairs[i], pair, "="); if ($index_of[pair[1]] != pair[2]) next }
      print $index_of[name]; ++found }
    END { exit found != 1 }' || fail "$1 has no single row with $3"
}

# Each of the 200 points once, in the grid's order.
require_all_points() {
  same <(column "$1" point) <(seq 0 199)
  [[ $(column "$1" status | sort -u) == ok ]] || fail "$1 has points that are not ok"
}

test_a_sweep_has_every_point_once_whatever_j_is() {
  tiny
  expect 0 sweep tiny.yaml "${grid[@]}" -j 1 --out one
  require_all_points one/sweep.csv
  expect 0 sweep tiny.yaml "${grid[@]}" -j 5 --out five
  same one/sweep.csv five/sweep.csv
  has out '200 points: 200 done' 'five/sweep.csv'
  [[ ! -s err ]] || fail "in a pipe there is something on standard error"
}

# A point is what petal run says of it.
test_a_row_is_the_summary_of_a_run() {
  tiny
  expect 0 sweep tiny.yaml --set fixed_per_cmd_cycles=7,9 tile=4,8 --kernel opt1,opt2 --no-plot
  expect 0 run tiny.yaml --set fixed_per_cmd_cycles=9 tile=4 --kernel opt1 --json
  local time cycles
  time=$(sed -n 's/^  "time_ps": \(.*\),/\1/p' out)
  cycles=$(sed -n '/"total"/,$s/.*"cycles": \([0-9.]*\).*/\1/p' out)
  local where='fixed_per_cmd_cycles=9 tile=4 kernel=gqa_decode_opt1'
  [[ $(value tiny.sweep/sweep.csv time_ps "$where") == "$time" ]] || fail "time is not $time"
  [[ $(value tiny.sweep/sweep.csv dispatch_cycles "$where") == "${cycles%.0}" ]] || fail "cycles are not $cycles"
  has tiny.sweep/sweep.csv '# version: ' '# config: {"kernel":"gqa_decode_opt2"' 'dma_read_bytes' 'cpu_queue_full' verdict
}

# alive PID: there is such a process, and it has not ended.
alive() { kill -0 "$1" 2>/dev/null; }

# kill_at COUNT: starts the sweep in a process group of its own and kills the group with SIGKILL when COUNT points are
# there, or at once if it is 0.
kill_at() {
  setsid "$petal" sweep tiny.yaml "${grid[@]}" -j 2 --out killed >/dev/null 2>>killed.err &
  local sweep=$!
  while alive "$sweep" && (($(find killed/points -name '*.json' 2>/dev/null | wc -l) < $1)); do sleep 0.005; done
  sleep "0.0$((RANDOM % 10))"
  kill -KILL -- "-$sweep" 2>/dev/null || true
  wait "$sweep" 2>/dev/null && return
  kills=$((kills + 1))
}

# What there is of points: names, inodes, times of writing.
points_there() { find . -path './killed/points/*.json' -printf '%f %i %T@\n' | sort; }

# Ten times killed in the middle, the sweep has lost no point and run none again that was there.
test_a_sweep_that_is_killed_ten_times_loses_and_repeats_nothing() {
  local seed=${PETAL_TEST_SEED:-$RANDOM} kills=0 i
  printf 'seed %s (PETAL_TEST_SEED=%s repeats it)\n' "$seed" "$seed"
  RANDOM=$seed
  tiny
  for i in 0 1 2 3 4 5 6 7 8 9; do
    points_there >before
    kill_at $((i == 0 ? 0 : 16 * i + RANDOM % 16))
    points_there >after
    [[ -z $(comm -23 before after) ]] || fail "points of before are gone or written again: $(comm -23 before after)"
  done
  [[ ! -s killed.err ]] || fail "a sweep that goes on complains: $(cat killed.err)"
  ((kills == 10)) || fail "only $kills of ten kills met a sweep that ran"
  points_there >before
  (($(wc -l <before) < 200)) || fail "the kills left nothing to do"
  expect 0 sweep tiny.yaml "${grid[@]}" -j 2 --out killed
  points_there >after
  [[ -z $(comm -23 before after) ]] || fail "the last sweep ran points again"
  require_all_points killed/sweep.csv
  [[ $(find killed -name '*.tmp' | wc -l) -eq 0 ]] || fail "killed processes left files behind"
  expect 0 sweep tiny.yaml "${grid[@]}" -j 2 --out whole
  same killed/sweep.csv whole/sweep.csv
}

# The GEMM of opt2's second composite and its add are 68 bytes: at a cap of 64 it cannot be issued.
test_a_point_that_fails_is_told_and_the_rest_goes_on() {
  tiny
  local cap=(--set max_composite_logical_bytes=64,68,1024 --no-plot)
  expect 4 sweep tiny.yaml "${cap[@]}" --out caps
  has err 'petal: point 0 (max_composite_logical_bytes 64): composite' 'the cap'
  [[ $(wc -l <err) -eq 1 ]] || fail "a failed point is not one line"
  has out '3 points: 2 done, 1 failed'
  has caps/sweep.csv '0,64,,failed,' '1,68,gqa_decode_opt2,ok,' '2,1024,gqa_decode_opt2,ok,' ',"composite'
  # It would fail again, so it is not run again.
  stat -c %i-%Y caps/points/* >before
  expect 4 sweep tiny.yaml "${cap[@]}" --out caps
  stat -c %i-%Y caps/points/* >after
  same before after
  has err 'petal: point 0 ('
  # Values that do not go together are a failed point too.
  expect 4 sweep tiny.yaml --set q_heads=3,4 kv_heads=1,2 --no-plot --out heads
  has err 'point 1 (q_heads 3, kv_heads 2)' 'q_heads must be a multiple of kv_heads'
  has out '4 points: 3 done, 1 failed'
}

test_another_grid_or_scenario_in_the_folder_is_refused() {
  tiny
  expect 0 sweep tiny.yaml --set tile=4,8 --no-plot --out there
  expect_error 2 "'there' holds another sweep|tile has the values 4, 16 and had 4, 8|another --out" \
    sweep tiny.yaml --set tile=4,16 --out there
  expect_error 2 'kernel is swept and was not' sweep tiny.yaml --set tile=4,8 --kernel opt2,opt3 --out there
  sed -i 's/kv_len: 24/kv_len: 32/' tiny.yaml
  expect_error 2 "line 5 of the scenario is 'kv_len: 32' and was 'kv_len: 24'" sweep tiny.yaml --set tile=4,8 --out there
  mkdir other && touch other/thesis.tex
  expect_error 2 "thesis.tex|empty or new" sweep tiny.yaml --set tile=4,8 --out other
}

test_what_cannot_be_swept_exits_2() {
  tiny
  expect_error 2 'nothing to sweep' sweep tiny.yaml
  expect_error 2 "nearest valid key 'tile'" sweep tiny.yaml --set tyle=4,8
  expect_error 2 'must be a whole number' sweep tiny.yaml --set tile=4,many
  expect_error 2 "value '4' comes twice" sweep tiny.yaml --set tile=4,8,4
  expect_error 2 'opt9' sweep tiny.yaml --kernel opt9
  expect_error 2 'needs one of a scenario' sweep
  expect_error 2 'no such file' sweep nothing.yaml --set tile=4,8
  expect_error 2 'holds no sweep' sweep --gather nothing
  expect_error 2 'jobs|1' sweep tiny.yaml --set tile=4,8 -j 0
  [[ ! -e tiny.sweep ]] || fail "a refused sweep made a folder"
}

# A bar and the time left, on a terminal alone.
test_a_terminal_shows_progress() {
  tiny
  script -qec "'$petal' sweep tiny.yaml ${grid[*]} -j 1" typescript >/dev/null || fail "the sweep failed"
  grep -qE '\[#*\.*\] +[0-9]+ %  [0-9]+ of 200 points, ([0-9]+ min )?[0-9]+ s left' typescript ||
    fail "no progress bar: $(head -c 500 typescript)"
}

# SPEC 9: opt3 issues 10 commands and 372 bytes a tile, opt2 2 and 380. So they cost the same where 8 FIXED = 8 R, and
# opt3 twice as much where 6 FIXED = 388 R: 4.04 cycles at R = 1/16. Steps of 1/32 and of 0.1 cycles.
test_the_crossovers_are_where_algebra_has_them() {
  expect 0 sweep "$configs/studies/fixed_and_r.yaml" --no-plot --out study --set kv_len=512 byte_cycles_recip=0.0625 \
    fixed_per_cmd_cycles=0,0.03125,0.0625,0.09375,3.8:4.3:0.1
  local csv=study/sweep.csv fixed
  ratio() {
    echo "$(value $csv dispatch_cycles_per_tile "fixed_per_cmd_cycles=$1 kernel=gqa_decode_opt3")" \
      "$(value $csv dispatch_cycles_per_tile "fixed_per_cmd_cycles=$1 kernel=gqa_decode_opt2")" |
      awk '{ printf "%.9f\n", $1 / $2 }'
  }
  [[ $(ratio 0.0625) == 1.000000000 ]] || fail "at FIXED = R the ratio is $(ratio 0.0625)"
  awk -v below="$(ratio 0.03125)" -v above="$(ratio 0.09375)" 'BEGIN { exit !(below < 1 && above > 1) }' ||
    fail "opt2 and opt3 do not change places at FIXED = R"
  awk -v below="$(ratio 4)" -v above="$(ratio 4.1)" 'BEGIN { exit !(below < 2 && above > 2) }' ||
    fail "the ratio does not pass 2 between 4.0 and 4.1 cycles"
  # What is drawn is the same: 388 / 96 = 4.04166667.
  has study/dispatch_crossover.crossover.csv 'ratio,byte_cycles_recip,fixed_per_cmd_cycles' '1,0.0625,0.0625' \
    '2,0.0625,4.04166667'
  has out 'gqa_decode_opt3 = 2 x gqa_decode_opt2 at byte_cycles_recip 0.0625: fixed_per_cmd_cycles 4.04167'
}

# 2.1: at a cap of 128, opt2's composite of 322 bytes is three commands: 4 x 40 + 380 / 16 cycles a tile.
test_the_cap_study_shows_the_segments() {
  expect 0 sweep "$configs/studies/cap.yaml" --no-plot --out study --set kv_len=512
  local at_128='max_composite_logical_bytes=128 kernel=gqa_decode_opt2'
  [[ $(value study/sweep.csv dispatch_cycles_per_tile "$at_128") == 183.75 ]] || fail "a tile does not cost 183.75"
  [[ $(value study/sweep.csv dispatch_commands_per_tile "$at_128") == 4 ]] || fail "a tile is not 4 commands"
}

# A tile of T keys moves T x 512 bytes: at 256 GB/s that takes opt3's 423.25 ns of dispatch at 211.6 keys.
test_dispatch_and_memory_cross_where_algebra_has_it() {
  expect 0 sweep "$configs/studies/tile_and_bandwidth.yaml" --no-plot --out study --set kv_len=4096 \
    gb_per_s_per_channel=32 tile=192,256 --kernel opt3
  awk -F, 'NR == 2 { exit !($3 > 192 && $3 < 256) }' study/dispatch_memory_crossover.crossover.csv ||
    fail "they cross elsewhere: $(cat study/dispatch_memory_crossover.crossover.csv)"
}

# The script's tasks, run here one by one, and their points gathered, are the sweep.
test_tasks_and_gather_make_the_same_sweep() {
  tiny
  local sets=(--set tile=2,4,8 --kernel opt2,opt3)
  expect 0 sweep tiny.yaml "${sets[@]}" --no-plot --out here
  expect 0 sweep tiny.yaml "${sets[@]}" --out there --slurm job.sh
  has out '6 points' 'sbatch job.sh' 'petal sweep --gather there'
  has job.sh '#SBATCH --array=0-5' "--out '$PWD/there'"
  bash job.sh 2>err && fail "the script runs outside of Slurm"
  has err 'submit this script with sbatch'
  local task
  for task in 0 1 2 4 5; do SLURM_ARRAY_TASK_ID=$task bash job.sh || fail "task $task fails"; done
  expect 4 sweep --gather there --no-plot
  has err 'petal: 1 of 6 points are not there yet (3)'
  SLURM_ARRAY_TASK_ID=3 bash job.sh
  expect 0 sweep --gather there --no-plot --json
  has out '"points": 6' '"done": 6' '"missing": []'
  same here/sweep.csv there/sweep.csv
}

test_gnuplot_draws_or_is_asked_for() {
  tiny
  expect 0 sweep tiny.yaml --set tile=2,4,8 --no-plot
  [[ -s tiny.sweep/time.gp && ! -e tiny.sweep/time.svg ]] || fail "--no-plot leaves no script, or a picture"
  PATH=/nowhere expect 0 sweep tiny.yaml --set tile=2,4,8
  has err 'there is no gnuplot' 'gnuplot-nox'
  command -v gnuplot >/dev/null || return 0
  expect 0 sweep tiny.yaml --set tile=2,4,8
  has out tiny.sweep/time.svg tiny.sweep/time.png
  has tiny.sweep/time.svg '<svg' 'tile (keys)'
  [[ $(head -c 8 tiny.sweep/time.png | od -An -tx1 | tr -d ' ') == 89504e470d0a1a0a ]] || fail "time.png is no PNG"
}
