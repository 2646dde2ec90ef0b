#!/bin/sh
# opensm-subnet.lst of OpenSM 3.3.23 has another device ID for a node where it is the second one of a line: shifted by
# 16 bits.
#
# Each link has a line from both ends, so one file names the same adapter once as device 1013 and once as 10130000.
# Its vendor ID has another number of digits there. A reader that takes the second end gets wrong device IDs, and one
# that compares the two lines of a link as text finds differences.
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
vendid=0x2c9
devid=0xcf08
Switch 4 "S1"
[1] "H1"[1]
[2] "H2"[1]

vendid=0x2c9
devid=0x1013
Ca 1 "H1"
[1] "S1"[1]

vendid=0x2c9
devid=0x1013
Ca 1 "H2"
[1] "S1"[2]
N
simulate

sweep
first=$(sed -n 's/^{ CA-SM [^{]* \(VenID:[^ ]* DevID:[^ ]*\) .*/\1/p' opensm-subnet.lst)
second=$(sed -n 's/.*} { CA-SM [^{]* \(VenID:[^ ]* DevID:[^ ]*\) .*/\1/p' opensm-subnet.lst)
echo "H1 as first end: $first; as second end: $second"
[ "$first" = 'VenID:0002C9 DevID:1013' ] || changed "the first end is written in another way"
[ "$second" = 'VenID:000002C9 DevID:10130000' ] || changed "the second end is written in another way"
client smpquery nodeinfo -D 0 | grep 'DevId\|VendorId'
client smpquery nodeinfo -D 0 | grep -q 'DevId:\.*0x1013$' || changed "the node has another device ID"
