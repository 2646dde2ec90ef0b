#!/bin/sh
# OpenSM 3.3.23 refuses a partition file in which a multicast group without flags ends a statement.
#
# The man page of opensm has a group as `mgid=gid[,mgroup_flag]*`, so flags are optional. OpenSM reads on behind the `;`
# and the line's end, in what its buffer still holds of a longer line above, and takes that for a statement. The log has
# `no partition definition found`, and the fabric runs with the default partition alone.
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
# What one sweep of OpenSM makes of partitions.conf.
judge() {
  printf '%b' "$1" > partitions.conf
  rm -f opensm.log
  client opensm -o -f opensm.log -d2 -D 0x03 --Pconfig partitions.conf > out 2>&1 || true
  if grep -q 'no partition definition found' out opensm.log; then echo refused; else echo taken; fi
}
cat > fabric.net <<'N'
Switch 4 "S1"
[1] "H1"[1]
[2] "H2"[1]

Hca 1 "H1"
[1] "S1"[1]

Hca 1 "H2"
[1] "S1"[2]
N
simulate
without=$(judge 'P=0x10, ipoib : ALL=limited, SELF=full,\n    mgid=ff12:401b::16;\n')
with=$(judge 'P=0x10, ipoib : ALL=limited, SELF=full,\n    mgid=ff12:401b::16,sl=0;\n')
echo "a group without flags before the semicolon: $without; with one: $with"
[ "$without $with" = 'refused taken' ] || changed 'the group without flags no longer matters'
