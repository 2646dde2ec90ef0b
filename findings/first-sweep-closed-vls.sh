#!/bin/sh
# The first sweep of OpenSM 3.3.23 maps service levels to VLs that it closes in the same sweep.
#
# With `max_op_vls 2` (two VLs) a switch port gets the map of its VLCap, 0 to 7, because its operational VLs are not
# known yet when the map is made. Packets of SL 2 to 7 on that port have a VL that is not operational. Hosts and ports
# 0 of switches get the right map. The second sweep corrects it, which after a start may be a long time away.
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
[2] "S2"[1]

Switch 4 "S2"
[1] "S1"[2]
[2] "H2"[1]

Ca 1 "H1"
[1] "S1"[1]

Ca 1 "H2"
[1] "S2"[2]
N
simulate

printf 'qos TRUE\nmax_op_vls 2\n' > o.conf
map() { client smpquery sl2vl -D 0,1 2 | sed -n 's/^ports: in  1, out  2: //p' | tr -d ' '; }
vls() { client smpquery portinfo -D 0,1 2 | sed -n 's/^OperVLs:\.*//p'; }
sweep -F o.conf
echo "after the first sweep: operational $(vls), map $(map)"
[ "$(vls)" = VL0-1 ] || changed "the port does not have two operational VLs"
[ "$(map)" = '|0|1|2|3|4|5|6|7|0|1|2|3|4|5|6|7|' ] || changed "the first sweep does not map to closed VLs"
sweep -F o.conf
echo "after the second one: operational $(vls), map $(map)"
[ "$(map)" = '|0|1|0|1|0|1|0|1|0|1|0|1|0|1|0|1|' ] || changed "the second sweep does not correct the map"
