#!/bin/sh
# OpenSM 3.3.23 finds a record of guid2lid by its text, not by its number.
#
# A record whose GUID has fewer than 16 digits has no effect. Beside the port's own record it does harm: OpenSM
# counts the port twice, takes its LID for one that is in use, and discards the good record. The port gets another
# LID on a fabric that has forgotten its LIDs. The file then holds both records, and the harm comes back
# whenever the fabric forgets its LIDs. Nobody says so: the log has one ERR 0314 about "previously used".
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

own='0x0000000000100003 0x0007 0x0007'
printf '%s\n\n' "$own" > guid2lid
sweep
[ "$(lid_of 1,2)" = 7 ] || changed "the port's own record alone does not give LID 7"
kill -9 "$simulator" "$holder"
rm console
simulate
printf '0x100003 0x0010 0x0010\n\n%s\n\n' "$own" > guid2lid
sweep
found=$(lid_of 1,2)
echo "LID with the own record alone: 7; with a short record of LID 16 beside it: $found"
[ "$found" != 7 ] && [ "$found" != 16 ] || changed "one of the two records has an effect"
grep -q 'ERR 0314: 0x0007 for guid:0x0000000000100003 was previously used' opensm.log || changed "no ERR 0314"
[ "$(record_of 0x100003)" = '0x0010 0x0010' ] || changed "the short record is not kept"
[ -n "$(record_of 0x0000000000100003)" ] || changed "the file has no record of 16 digits"
