#!/bin/sh
# OpenSM 3.3.23 gives a partition without a P_Key the lowest one that no line above it has. A line below may have the
# same, and the two partitions become one.
#
# The members of both then talk to each other. The log does not say so.
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
[2] "H2"[1]
[3] "H3"[1]

Ca 1 "H1"
[1] "S1"[1]

Ca 1 "H2"
[1] "S1"[2]

Ca 1 "H3"
[1] "S1"[3]
N
simulate

keys() { # ROUTE
  client smpquery pkeys -D "$1" 1 | tr ' ' '\n' | grep -E '^0x[0-9a-f]{4}$' | grep -v 0x0000 | tr '\n' ' '
}
policy() {
  printf '%b' "$1" > partitions.conf
  printf 'partition_config_file %s/partitions.conf\n' "$work" > o.conf
  sweep -F o.conf
}

policy 'Default=0x7fff: ALL=full;\nRed=1: 0x100005=full;\nBlue: 0x100003=full;\n'
echo "Red=1 above Blue without a number: $(keys 0,1,3)and $(keys 0,1,2)"
[ "$(keys 0,1,3)" = '0xffff 0x8001 ' ] && [ "$(keys 0,1,2)" = '0xffff 0x8002 ' ] || changed "Blue does not have P_Key 2"
policy 'Default=0x7fff: ALL=full;\nBlue: 0x100003=full;\nRed=1: 0x100005=full;\n'
echo "Red=1 below it: $(keys 0,1,3)and $(keys 0,1,2); lines of the log: $(grep -c 'ERR\|PARSE' opensm.log || true)"
[ "$(keys 0,1,3)" = '0xffff 0x8001 ' ] && [ "$(keys 0,1,2)" = '0xffff 0x8001 ' ] || changed "the P_Keys differ"
! grep -q 'ERR\|PARSE' opensm.log || changed "the log says so"
