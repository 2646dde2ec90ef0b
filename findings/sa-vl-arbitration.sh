#!/bin/sh
# Without QoS the subnet administration of OpenSM 3.3.23 shows VL arbitration tables that no port holds.
#
# A query of VLArbitrationTableRecords is answered with records of status 0 whose entries are all zero. OpenSM writes
# these tables only if `qos` is TRUE. The ports of the simulated fabric hold weights other than zero, which `smpquery
# vlarb` reads. Who asks subnet administration how a link is shared gets an answer that looks whole, and is false.
set -eu
simulator='' holder='' manager=''
work=$(mktemp -d)
cd "$work"
trap 'kill -9 $manager $simulator $holder 2>/dev/null || true; rm -rf "$work"' EXIT
# The pinned packages of Debian 12, in a folder of this run.
for pinned in opensm=3.3.23-2+b1 libopensm9=3.3.23-2+b1 libosmcomp5=3.3.23-2+b1 libosmvendor5=3.3.23-2+b1 \
  ibsim-utils=0.10-2 libumad2sim0=0.10-2 infiniband-diags=44.0-2 libibmad5=44.0-2 libibnetdisc5=44.0-2 libibumad3=44.0-2; do
  apt-get -qq download "$pinned" 2>/dev/null || { echo "not checked: apt-get has no $pinned" >&2; exit 2; }
done
for package in *.deb; do dpkg -x "$package" root; done
libraries="$work/root/usr/lib/x86_64-linux-gnu"
export PATH="$work/root/usr/sbin:$work/root/usr/bin:$PATH" LD_LIBRARY_PATH="$libraries"
export IBSIM_SOCKNAME="finding-$$" OSM_CACHE_DIR="$work/" OSM_TMP_DIR="$work/"
changed() { echo "changed: $*" >&2; exit 1; }
client() { SIM_HOST=H2 LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" timeout 60 "$@"; }
cat > fabric.net <<'N'
Switch 4 "S1"
[1] "H1"[1]
[2] "H2"[1]

Ca 1 "H1"
[1] "S1"[1]

Ca 1 "H2"
[1] "S1"[2]
N
mkfifo console
sleep 300 > console & holder=$!
ibsim -s fabric.net < console > ibsim.log 2>&1 & simulator=$!
sleep 1
(SIM_HOST=H1 LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" exec opensm -f opensm.log > out 2>&1) &
manager=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do grep -q 'SUBNET UP' opensm.log 2>/dev/null && break; sleep 1; done

client saquery VLAR 1/1/1 > sa.txt 2>&1 || true
client smpquery vlarb 1 1 > port.txt 2>&1 || true
# How many weights other than zero a text has.
weights() {
  grep -i '^[[:space:]]*weight' "$1" | tr ':|' '  ' | grep -oE '\<(0x)?[0-9a-fA-F]+\>' | grep -cvE '^(0x)?0+$' || true
}
records=$(grep -c VLArbTableRecord sa.txt || true)
echo "LID 1, port 1: $records record of $(weights sa.txt) weights other than zero; the port holds $(weights port.txt)"
[ "$records" = 1 ] || changed "subnet administration answers $records records"
[ "$(weights sa.txt)" = 0 ] || changed "the record shows weights"
[ "$(weights port.txt)" != 0 ] || changed "the port holds no weights"
