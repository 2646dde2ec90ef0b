#!/bin/sh
# `ibqueryerrors` 44.0 ignores a threshold with blanks round its `=`, which is how it prints thresholds itself.
#
# It says nothing about that line, nor about one with a counter that it does not know. The counter keeps the threshold
# 0, and every error is reported.
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
# One sweep of OpenSM with a new log.
sweep() {
  rm -f opensm.log
  client opensm -o -f opensm.log -d2 -D 0x03 --dump_files_dir . "$@" > out 2>&1 || true
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

sweep
printf 'PerformanceSet "S1"[2] PortCounters.SymbolErrorCounter=50\n' > console
sleep 1
errors() { # TEXT
  printf '%s\n' "$1" > thresholds
  client ibqueryerrors --skip-sl --threshold-file thresholds > report 2>&1 || true
  echo "$1: $(sed -n 's/.*, \([0-9]*\) ports have errors.*/\1/p' report) ports, $(grep Thresholds report)"
}
errors 'SymbolErrorCounter=100'
grep -q ' 0 ports have errors' report || changed "the threshold has no effect"
grep -q 'Thresholds: \[SymbolErrorCounter = 100\]' report || changed "it prints the threshold in another way"
for text in 'SymbolErrorCounter = 100' 'SymbolErrors=100'; do
  errors "$text"
  grep -q ' 1 ports have errors' report || changed "'$text' has an effect"
  ! grep -qi 'warn\|unknown\|invalid' report || changed "it says so"
done
