#!/bin/sh
# OpenSM 3.3.23 keeps the value of an option whose line is taken out of its file, also after SIGHUP has read the file
# again.
#
# The default comes back where the file states it, or with a restart. Until then the file does not show what OpenSM
# runs with.
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

lifetime() { client smpquery portinfo -D 0,1 2 | sed -n 's/^HoqLife:\.*//p'; }
reads() { # OPTIONS FILE-SAYS VALUE
  printf '%s\n' "$1" > o.conf
  kill -HUP "$manager"
  for _ in 1 2 3 4 5 6; do sleep 1; [ "$(lifetime)" != "$3" ] || break; done
  echo "$2: the port has $(lifetime)"
}

printf 'head_of_queue_lifetime 10\n' > o.conf
(LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" exec opensm -F o.conf -f opensm.log -d2 > out 2>&1) & manager=$!
for _ in $(seq 1 20); do grep -q 'SUBNET UP' opensm.log 2>/dev/null && break; sleep 1; done
echo "head_of_queue_lifetime 10: the port has $(lifetime)"
[ "$(lifetime)" = 10 ] || changed "the option has no effect"
reads '# no option' 'the line taken out, and SIGHUP' 18
[ "$(lifetime)" = 10 ] || changed "the default comes back"
reads 'head_of_queue_lifetime 18' 'the default stated, and SIGHUP' 18
[ "$(lifetime)" = 18 ] || changed "SIGHUP does not read the option"
