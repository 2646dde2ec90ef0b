#!/bin/sh
# OpenSM 3.3.23 starts with all defaults when the file of `-F` does not exist, and prints the file's name as if it
# were read.
#
# Neither its output nor its log says that there is no such file. It becomes master and routes the fabric by the
# default engine, without the partitions and the QoS of the file that was meant.
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

code=0
client opensm -o -F "$work/no-such-file.conf" -f opensm.log -d2 -D 0x03 > out 2>&1 || code=$?
echo "exit code $code; its output: $(grep 'no-such-file' out)"
grep -q 'Config file is `.*no-such-file.conf' out || changed "the output does not name the file"
[ "$code" = 0 ] || changed "it fails"
grep -q 'SUBNET UP' opensm.log || changed "it does not configure the fabric"
! grep -qi 'no such\|cannot open\|failed to open\|no-such-file' opensm.log || changed "the log says so"
! grep -qi 'No such\|cannot open\|failed to open' out || changed "the output says so"
