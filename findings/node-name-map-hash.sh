#!/bin/sh
# A `#` ends a name of a node-name-map inside its quotes too, for OpenSM 3.3.23 and infiniband-diags 44.0.
#
# The name is what stands between the first two of the signs `"` and `#`, or the ends of the line. So quotes may be
# missing, a quote may stay open, a blank before a comment belongs to the name, and a line of a GUID and a comment
# makes the comment the name.
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
names() { client ibnetdiscover --node-name-map map 2>&1 | sed -n 's/^Switch.*# "\(.*\)" base.*/\1/p'; }
is_name() { # LINE NAME
  printf '%s\n' "$1" > map
  printf 'node_name_map_name %s/map\n' "$work" > o.conf
  client opensm -o -F o.conf -f opensm.log -d2 -D 0x0f --dump_files_dir . > out 2>&1 || true
  echo "map '$1': ibnetdiscover shows '$(names)'"
  [ "$(names)" = "$2" ] || changed "ibnetdiscover does not show '$2'"
  grep -q "$2" opensm.log || changed "OpenSM does not log '$2'"
  rm -f opensm.log
}

is_name '0x200000 "leaf #4 rack 2"' 'leaf '
is_name '0x200000 leaf 4' 'leaf 4'
is_name '0x200000 "leaf 4' 'leaf 4'
is_name '0x200000 leaf 4 # rack 2' 'leaf 4 '
is_name '0x200000 # spare' ' spare'
