#!/bin/sh
# OpenSM 3.3.23 says "cannot parse root guids file", and updn routes by the roots above the bad line and those that it
# finds itself, together.
#
# The message reads as if the file had no effect. But the switches of the good lines are roots beside those of the
# fabric. A second GUID in a line is not read at all, and the log does not say so.
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
# Two spines, and three leaves with two hosts each.
{
  for s in 0 1; do
    printf 'Switch 6 "spine%s"\n' $s
    for l in 0 1 2; do printf '[%s] "leaf%s"[%s]\n' $((l + 1)) $l $((s + 5)); done
    echo
  done
  for l in 0 1 2; do
    printf 'Switch 6 "leaf%s"\n' $l
    for h in 1 2; do printf '[%s] "H%s"[1]\n' $h $((2 * l + h)); done
    for s in 0 1; do printf '[%s] "spine%s"[%s]\n' $((s + 5)) $s $((l + 1)); done
    echo
  done
  for h in 1 2 3 4 5 6; do printf 'Ca 1 "H%s"\n[1] "leaf%s"[%s]\n\n' $h $(((h - 1) / 2)) $(((h - 1) % 2 + 1)); done
} > fabric.net
simulate

roots() { tr '\n' ' ' < opensm-updn-roots.dump; }
routes() { # TEXT-OF-FILE
  printf '%b' "$1" > roots
  rm -f opensm-updn-roots.dump
  sweep -D 0x43 -R updn -a roots
  grep -q 'updn tables configured' opensm.log || changed "updn does not route the fabric"
  printf "file '%s': roots %s%s\n" "$1" "$(roots)" "$(grep -o 'ERR AA02: .*' opensm.log || true)"
}

routes '0x200002\n'
[ "$(roots)" = '0x200002 ' ] || changed "the roots are not those of the file"
routes 'leaf0\n0x200002\n'
[ "$(roots)" = '0x200000 0x200001 ' ] || changed "the roots are not those that updn finds"
routes '0x200002\nleaf1\n'
grep -q 'ERR AA02' opensm.log || changed "no ERR AA02"
[ "$(roots)" = '0x200000 0x200001 0x200002 ' ] || changed "the roots are others"
routes '0x200002 0x200003\n'
[ "$(roots)" = '0x200002 ' ] || changed "the second GUID of a line has an effect"
! grep -q 'ERR' opensm.log || changed "the log has an error"
