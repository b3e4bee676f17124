# SPDX-License-Identifier: Apache-2.0
#
# A sweep on a real Slurm: a cluster of this one machine, with daemons, keys and ports of its own, gone at the end.
# Needs Debian's slurmctld, slurmd, slurm-client and munge, and root; without them the test is skipped.
# shellcheck shell=bash

readonly skipped=77

require_slurm() {
  local program
  for program in slurmctld slurmd sbatch squeue scontrol munged; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null ||
      { echo "skipped: there is no $program (Debian: slurmctld slurmd slurm-client munge)"; exit $skipped; }
  done
  [[ $EUID -eq 0 ]] || { echo "skipped: slurmd needs root"; exit $skipped; }
}

# A port that nobody listens on.
free_port() {
  local port
  while port=$((20000 + RANDOM % 20000)); do
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}

daemons=()
stop_cluster() {
  ((${#daemons[@]} == 0)) || kill "${daemons[@]}" 2>/dev/null || true
  wait
}

write_slurm_conf() {
  cat >slurm.conf <<CONF
ClusterName=petal
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$PWD/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdLogFile=$PWD/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
}

start_cluster() {
  host=$(hostname -s)
  PATH=$PATH:/usr/sbin:/sbin
  chmod 755 .
  mkdir -p state spool
  write_slurm_conf
  export SLURM_CONF=$PWD/slurm.conf
  (umask 077 && head -c 1024 /dev/urandom >munge.key)
  munged --foreground --force --key-file="$PWD/munge.key" --socket="$PWD/munge.socket" --num-threads=2 \
    --pid-file="$PWD/munged.pid" --seed-file="$PWD/munged.seed" --log-file="$PWD/munged.log" >munged.out 2>&1 &
  daemons+=($!)
  wait_for "munged" test -S munge.socket
  slurmctld -D >slurmctld.out 2>&1 &
  daemons+=($!)
  slurmd -D -N "$host" >slurmd.out 2>&1 &
  daemons+=($!)
  wait_for "the node" bash -c 'sinfo --noheader -o %T 2>/dev/null | grep -q idle'
}

# wait_for WHAT COMMAND...: until the command succeeds.
wait_for() {
  local what=$1 i
  shift
  for ((i = 0; i < 1200; ++i)); do
    "$@" && return
    sleep 0.1
  done
  tail -5 ./*.log ./*.out >&2 2>/dev/null || true
  fail "$what is not there after two minutes"
}

test_a_sweep_runs_as_a_job_array() {
  require_slurm
  trap 'stop_cluster; rm -rf "$folder"' EXIT
  start_cluster
  scenario tiny.yaml </dev/null
  local sets=(--set tile=2,4,8 fixed_per_cmd_cycles=0,40 --kernel opt2,opt3)
  expect 0 sweep tiny.yaml "${sets[@]}" --no-plot --out here
  expect 0 sweep tiny.yaml "${sets[@]}" --out there --slurm job.sh
  sbatch job.sh >submitted 2>&1 || { cat submitted >&2; fail "sbatch refuses the script"; }
  has submitted 'Submitted batch job'
  wait_for "the job's end" bash -c '[[ -z $(squeue --noheader) ]]'
  expect 0 sweep --gather there --no-plot
  same here/sweep.csv there/sweep.csv
  [[ $(find there/slurm -name '*.log' | wc -l) -eq 12 ]] || fail "there are not 12 tasks' logs"
  # Submitted again, it finds nothing to do.
  stat -c %i-%Y there/points/* >before
  sbatch job.sh >submitted
  wait_for "the second job's end" bash -c '[[ -z $(squeue --noheader) ]]'
  stat -c %i-%Y there/points/* >after
  same before after
}
