#!/bin/sh
# One line that does not begin with a number takes all names of a node-name-map away, those above it too.
#
# OpenSM 3.3.23 says so on its standard output alone, not in its log, and goes on. ibnetdiscover 44.0 names the line.
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

printf '0x200000 "above"\nhost-1 "below"\n' > map
client ibnetdiscover --node-name-map map > shown 2>&1
grep WARNING shown || changed "ibnetdiscover does not warn"
grep -q '"S1"' shown || changed "ibnetdiscover shows the name above the line"
printf 'node_name_map_name %s/map\n' "$work" > o.conf
client opensm -o -F o.conf -f opensm.log -d2 -D 0x0f --dump_files_dir . > out 2>&1 || true
grep 'WARNING failed to parse node name map' out || changed "OpenSM does not warn on its standard output"
! grep -q 'above' opensm.log || changed "OpenSM uses the name above the line"
! grep -q 'node name map' opensm.log || changed "OpenSM says it in its log"
