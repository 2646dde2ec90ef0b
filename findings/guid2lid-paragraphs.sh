#!/bin/sh
# OpenSM 3.3.23 reads guid2lid in paragraphs. Records without an empty line between them are lost without a word.
#
# The second line becomes a part of the first record's value. A file with CR LF has no empty line at all, since a
# line of CR alone is not empty: only its first record counts. Neither leaves a line in the log.
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
lid_of() { client smpquery portinfo -D "0,$1" 1 | sed -n 's/^Lid:\.*//p'; }
record_of() { sed -n "s/^$1 //p" guid2lid; }

for end in '\n' '\r\n\r\n'; do
  printf '%b' "0x0000000000100001 0x0007 0x0007${end}0x0000000000100003 0x0009 0x0009${end}" > guid2lid
  sweep
  echo "LIDs of the two ports: $(lid_of 1,1) $(lid_of 1,2); errors in the log: $(grep -c ERR opensm.log || true)"
  [ "$(lid_of 1,1)" = 7 ] || changed "the first record is lost"
  [ "$(lid_of 1,2)" != 9 ] || changed "the second record counts"
  ! grep -q ERR opensm.log || changed "the log names it"
  kill -9 "$simulator" "$holder"
  rm console
  simulate
done
