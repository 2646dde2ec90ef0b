#!/bin/sh
# Two OpenSM 3.3.23 of one host, one for each port, share guid2lid, and each takes the other's records for its own or
# removes them.
#
# Debian's unit starts one OpenSM for each port, and all of them have the same folder for guid2lid. A manager that
# starts when the file has records of another fabric gives no LID that stands in them. A manager that started before
# it writes the file without the records that were added since.
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
mkfifo console2
cat > fabric.net <<'N'
Switch 4 "S1"
[1] "H1"[1]
[2] "H2"[1]
[3] "H3"[1]

Ca 1 "H1"
[1] "S1"[1]

Ca 1 "H2"
[1] "S1"[2]

Ca 1 "H3"
[1] "S1"[3]
N
simulate

records() { grep -c "^0x00000000003\|^0x00000000004" guid2lid || true; }
wait_for() { # LOG
  for _ in $(seq 1 20); do grep -q 'SUBNET UP' "$1" 2>/dev/null && return; sleep 1; done
  changed "no SUBNET UP in $1"
}

printf 'Unlink "H2"[1]\n' > console
sleep 1
(LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" exec opensm -f first.log -d2 > out1 2>&1) & manager=$!
wait_for first.log
echo "records after the first manager started: $(grep -c '^0x' guid2lid)"
# Another fabric with other GUIDs.
sed 's/^Switch/switchguid=0x300000\n&/; s/^Ca/caguid=0x400000\n&/' > fabric2.net <<'N'
Switch 4 "S1"
[1] "H1"[1]

Ca 1 "H1"
[1] "S1"[1]
N
export IBSIM_SOCKNAME="finding-$$-second"
sleep 300 > console2 & holder="$holder $!"
ibsim -s fabric2.net < console2 > ibsim2.log 2>&1 & simulator="$simulator $!"
sleep 1
(LD_PRELOAD="$libraries/umad2sim/libumad2sim.so" exec opensm -f second.log -d2 > out2 2>&1) & standby=$!
wait_for second.log
lid=$(sed -n 's/^0x0000000000400001 0x\(....\) .*/\1/p' guid2lid)
echo "the second one has 2 ports, and its host gets LID 0x$lid; records of its fabric: $(records)"
[ $((0x$lid)) -gt 3 ] || changed "the second fabric takes LIDs of the first one"
[ "$(records)" = 2 ] || changed "the second manager's records are not written"
printf 'Relink "H2"[1]\n' > console
for _ in $(seq 1 30); do [ "$(records)" = 0 ] && break; sleep 1; done
echo "records of the second fabric after a host came to the first one: $(records)"
[ "$(records)" = 0 ] || changed "the first manager keeps them"
