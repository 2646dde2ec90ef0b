#!/bin/sh
# OpenSM 3.3.23 logs no error where updn finds none of the roots of its file, or where ftree finds none of its compute
# nodes or LMC is above 0. It routes by minhop then, and only the line that names the engine tells.
#
# Minhop can have credit loops that updn and ftree exclude. The causes are files that look right: node GUIDs where
# port GUIDs have to be, and GUIDs in hexadecimal without `0x`, which are read as decimal.
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

engine() { sed -n 's/.*osm_ucast_mgr_process: \([^ ]*\) tables configured.*/\1/p' opensm.log; }
gives_up() { # WHAT ARGUMENT...
  what=$1
  shift
  sweep "$@"
  echo "$what: routed by $(engine), $(grep -c 'ERR' opensm.log || true) errors in the log"
  [ "$(engine)" = minhop ] || changed "it is routed by $(engine)"
  ! grep -q 'ERR' opensm.log || changed "the log has an error"
}

sweep -R updn
[ "$(engine)" = updn ] || changed "updn does not route this fabric"
sweep -R ftree
[ "$(engine)" = ftree ] || changed "ftree does not route this fabric"
printf '200000\n200001\n' > roots
gives_up 'updn, roots without 0x' -R updn -a roots
printf '0x100000\n0x100002\n0x100004\n' > nodes
gives_up 'ftree, compute nodes by node GUID' -R ftree -u nodes
gives_up 'ftree, lmc 1' -R ftree -l 1
