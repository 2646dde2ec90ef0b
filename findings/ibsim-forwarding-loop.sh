#!/bin/sh
# ibsim 0.10 lets a switch answer for a LID whose packets go round in a forwarding loop, so tools see no loop.
#
# After 16 links the switch that has the packet answers it. ibtracert ends its path there with exit code 0, as if the
# LID were that switch's. A test on ibsim that waits for a timeout does not see the loop.
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
Switch 4 "S0"
[1] "S2"[2]
[2] "S1"[1]
[3] "H1"[1]

Switch 4 "S1"
[1] "S0"[2]
[2] "S2"[1]
[3] "H2"[1]

Switch 4 "S2"
[1] "S1"[2]
[2] "S0"[1]
[3] "H3"[1]

Ca 1 "H1"
[1] "S0"[3]

Ca 1 "H2"
[1] "S1"[3]

Ca 1 "H3"
[1] "S2"[3]
N
simulate

sweep -D 0x43
lid=$(sed -n "s/^\(0x....\) .*'H2'$/\1/p" opensm-lfts.dump | head -1)
echo "LID $lid without the loop: $(client smpquery nodedesc "$lid" | sed 's/.*:\.*//')"
# Each switch hands the packets for H2 on to the next one of three.
sed "s/^$lid ... #/$lid 002 #/" opensm-lfts.dump > loop
sweep -D 0x43 -R file -U loop
grep -q 'file tables configured' opensm.log || changed "OpenSM does not take the tables"
code=0
client ibtracert 1 "$lid" > path || code=$?
name=$(client smpquery nodedesc "$lid" | sed 's/.*:\.*//')
echo "with the loop: $name; ibtracert ends with code $code and: $(tail -1 path)"
[ "$name" = S1 ] || changed "no switch answers"
[ "$code" = 0 ] || changed "ibtracert fails"
grep -q '^To switch ' path || changed "ibtracert does not end at a switch"
