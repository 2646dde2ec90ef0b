#!/bin/sh
# `ibportstate` 44.0 gives LID 4660 (0x1234) to a port without a LID when it is told to change the link's width.
#
# OpenSM 3.3.23 keeps that LID and records it in guid2lid. The forwarding table of every switch then reaches up to LID
# 4660, where one block of 64 LIDs would be enough. Two ports handled like that have the same LID until OpenSM sweeps.
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

lid_of() { client smpquery portinfo -D "$1" 1 | sed -n 's/^Lid:\.*//p'; }

echo "LID of a host before its first sweep: $(lid_of 0,1,2,3)"
[ "$(lid_of 0,1,2,3)" = 0 ] || changed "the host has a LID"
for port in 0 0,1,2,3; do
  client ibportstate -D "$port" 1 width 1 > out 2>&1 || changed "ibportstate cannot set the width"
done
echo "LIDs of two hosts after ibportstate set their width: $(lid_of 0) $(lid_of 0,1,2,3)"
[ "$(lid_of 0)" = 4660 ] && [ "$(lid_of 0,1,2,3)" = 4660 ] || changed "they do not have LID 4660"
sweep
top=$(client smpquery switchinfo -D 0,1 | sed -n 's/^LinearFdbTop:\.*//p')
echo "after the sweep: $(lid_of 0) $(lid_of 0,1,2,3); LinearFDBTop $top"
case "$(lid_of 0) $(lid_of 0,1,2,3)" in *4660*) ;; *) changed "OpenSM does not keep LID 4660" ;; esac
grep -q '0x1234 0x1234' guid2lid || changed "guid2lid has no LID 0x1234"
[ "$top" = 4660 ] || changed "the forwarding tables end before LID 4660"
