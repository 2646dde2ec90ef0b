#!/bin/sh
# A standby OpenSM 3.3.23 waits for one poll more than `polling_retry_number` says before it takes over.
#
# With 2 it goes to discovery after the third poll in a row without an answer, with 4 after the fifth. By the defaults
# (4, 10 s) a master that hangs is missed for 50 to 60 s.
set -eu
simulator='' holder='' manager='' standby=''
work=$(mktemp -d)
cd "$work"
trap 'kill -9 $manager $standby $simulator $holder 2>/dev/null || true; rm -rf "$work"' EXIT
# The pinned packages of Debian 12, in a folder of this run.
for pinned in opensm=3.3.23-2+b1 libopensm9=3.3.23-2+b1 libosmcomp5=3.3.23-2+b1 libosmvendor5=3.3.23-2+b1 \
  ibsim-utils=0.10-2 libumad2sim0=0.10-2 infiniband-diags=44.0-2 libibmad5=44.0-2 libibnetdisc5=44.0-2 libibumad3=44.0-2; do
  apt-get -qq download "$pinned" 2>/dev/null || { echo "not checked: apt-get has no $pinned" >&2; exit 2; }
done
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
[2] "H2"[1]

Ca 1 "H1"
[1] "S1"[1]

Ca 1 "H2"
[1] "S1"[2]
N
simulate

manage() { # HOST FOLDER ARGUMENT...
  export SIM_HOST="$1" OSM_CACHE_DIR="$work/$2/"
  folder=$2
  shift 2
  mkdir -p "$folder"
  LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" exec opensm -f "$folder/log" -d2 \
    --dump_files_dir "$folder" "$@" > "$folder/out" 2>&1
}
(manage H1 first -p 5 -D 0x03) & manager=$!
sleep 3
printf 'sminfo_polling_timeout 500\npolling_retry_number 2\n' > o.conf
(manage H2 second -p 3 -D 0x0f -F o.conf) & standby=$!
sleep 3
grep -q 'STANDBY' second/log || changed "the second manager is no standby"
kill -STOP "$manager"
sleep 5
grep -o 'polling_callback: .*' second/log | tail -5
last=$(sed -n 's/.*Retry number:\([0-9]*\).*/\1/p' second/log | sort -n | tail -1)
grep -q 'Reached polling_retry_number' second/log || changed "the standby does not go to discovery"
[ "$last" = 3 ] || changed "with polling_retry_number 2 it goes to discovery at number $last"
