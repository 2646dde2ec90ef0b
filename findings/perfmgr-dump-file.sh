#!/bin/sh
# OpenSM 3.3.23 does not write `event_db_dump_file` while it runs, at SIGHUP or when it ends, although its performance
# manager has counters.
#
# The options file calls it the file "to dump the events to". A command of the console writes it, and the console is
# off by default.
set -eu
simulator='' holder='' manager='' standby=''
work=$(mktemp -d)
cd "$work"
trap 'kill -9 $manager $standby $simulator $holder 2>/dev/null || true; rm -rf "$work"' EXIT
# The pinned packages of Debian 12, in a folder of this run.
set -- opensm=3.3.23-2+b1 libopensm9=3.3.23-2+b1 libosmcomp5=3.3.23-2+b1 libosmvendor5=3.3.23-2+b1 \
  ibsim-utils=0.10-2 libumad2sim0=0.10-2 infiniband-diags=44.0-2 libibmad5=44.0-2 libibnetdisc5=44.0-2 libibumad3=44.0-2
apt-get -qq download "$@" 2>/dev/null || { echo "not checked: apt-get does not have all of $*" >&2; exit 2; }
for package in *.deb; do dpkg -x "$package" root; done
libraries="$work/root/usr/lib/x86_64-linux-gnu"
export PATH="$work/root/usr/sbin:$work/root/usr/bin:$PATH" LD_LIBRARY_PATH="$libraries"
export IBSIM_SOCKNAME="finding-$$" OSM_CACHE_DIR="$work/" OSM_TMP_DIR="$work/" SIM_HOST=H1
changed() { echo "changed: $*" >&2; exit 1; }
client() { LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" timeout 60 "$@"; }
# ibsim on fabric.net, where nothing has a LID.
simulate() {
  mkfifo console
  sleep 300 > console & holder=$!
  ibsim -s fabric.net < console > ibsim.log 2>&1 & simulator=$!
  sleep 1
}
cat > fabric.net <<'N'
Switch 4 "S1"
[1] "H1"[1]
[2] "S2"[1]
[3] "S2"[2]

Switch 4 "S2"
[1] "S1"[2]
[2] "S1"[3]
[3] "H2"[1]

Ca 1 "H1"
[1] "S1"[1]

Ca 1 "H2"
[1] "S2"[3]
N
simulate

printf 'perfmgr TRUE\nperfmgr_sweep_time_s 1\nevent_db_dump_file %s/events\n' "$work" > o.conf
(LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" exec opensm -F o.conf -f opensm.log -d2 > out 2>&1) & manager=$!
for errors in $(seq 50 90); do
  sleep 1
  printf 'PerformanceSet "S1"[2] PortCounters.SymbolErrorCounter=%s\n' "$errors" > console
  ! grep -q 'ERR 5431' opensm.log 2>/dev/null || break
done
grep -q 'ERR 5431: SymbolErrorCounter : ' opensm.log || changed "the performance manager does not see the counter"
there() { if [ -e events ]; then echo "$1: written"; changed "the file is written"; else echo "$1: no file"; fi; }
there 'after sweeps of the performance manager'
kill -HUP "$manager"
sleep 3
there 'after SIGHUP'
kill -TERM "$manager"
wait "$manager" || true
manager=''
there 'after the end'
mkfifo commands
(LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" exec opensm -F o.conf -f opensm.log -d2 -q local < commands > out 2>&1) &
manager=$!
exec 3> commands
for _ in $(seq 1 30); do
  sleep 1
  echo 'perfmgr dump_counters' >&3
  [ ! -s events ] || break
done
[ -s events ] || changed "the command of the console does not write it"
echo "after a command of the console: $(wc -l < events) lines"
