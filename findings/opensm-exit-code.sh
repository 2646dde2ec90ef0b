#!/bin/sh
# OpenSM 3.3.23 exits with 0 when it cannot use its port, so `Restart=on-failure` of systemd does not start it again.
#
# Here it is told a GUID that no local port has, as after an adapter was replaced. An option that OpenSM does not know
# gives 2, and a log file that it cannot write gives another code than 0, too.
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

code() { # ARGUMENT...
  result=0
  client opensm -o -d2 "$@" > out 2>&1 || result=$?
  echo "opensm $*: exit code $result"
}

code -f opensm.log -g 0x999
[ "$result" = 0 ] || changed "the exit code for an unknown GUID is $result"
grep -q 'ERR 5422: Unable to find requested CA guid 0x999' opensm.log || changed "no ERR 5422"
! grep -q 'SUBNET UP' opensm.log || changed "it uses another port"
code -f no-such-folder/opensm.log
[ "$result" != 0 ] || changed "the exit code for a log that cannot be written is 0"
code -f opensm.log --no-such-option
[ "$result" = 2 ] || changed "the exit code for an unknown option is $result"
