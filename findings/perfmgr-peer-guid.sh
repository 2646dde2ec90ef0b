#!/bin/sh
# The performance manager of OpenSM 3.3.23 logs the node GUID at the other end of a link with its bytes in reverse
# order.
#
# The node that has the error is named with its right GUID in the same line. A search for the other GUID finds
# nothing.
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

printf 'perfmgr TRUE\nperfmgr_sweep_time_s 1\n' > o.conf
(LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" exec opensm -F o.conf -f opensm.log -d2 > out 2>&1) & manager=$!
for errors in $(seq 50 90); do
  sleep 1
  printf 'PerformanceSet "S1"[2] PortCounters.SymbolErrorCounter=%s\n' "$errors" > console
  ! grep -q 'ERR 5431' opensm.log 2>/dev/null || break
done
grep -o 'ERR 5431: .*' opensm.log || changed "no ERR 5431"
echo "GUID of S2: $(client smpquery nodeinfo -D 0,1,2 | sed -n 's/^Guid:\.*//p')"
grep 'ERR 5431' opensm.log | grep -q 'node "S1" (NodeGUID: 0x200000)' || changed "the node's own GUID is wrong, too"
grep 'ERR 5431' opensm.log | grep -q 'connected to "S2" (NodeGUID: 0x100200000000000)' || changed "it is not reversed"
