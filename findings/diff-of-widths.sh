#!/bin/sh
# `ibnetdiscover --diff` and `iblinkinfo --diff` 44.0 see no difference where a link fell from 4x to 1x.
#
# Both print the width in every line, but no key of `--diffcheck` compares it. `ibnetdiscover` also exits with 0 when
# it shows differences.
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

sweep
client ibnetdiscover --cache before > /dev/null
client ibportstate -D 0,1 2 width 1 > out 2>&1 || changed "ibportstate cannot set the width"
echo "the link now: $(client ibnetdiscover | sed -n 's/^\[2\].*# "S2" //p')"
client ibnetdiscover | grep -q '^\[2\].*"S2".*1xSDR' || changed "ibnetdiscover does not show 1x"
client ibnetdiscover --diff before --diffcheck sw,ca,router,port,lid,nodedesc > nodes
client iblinkinfo --diff before --diffcheck port,state,lid,nodedesc > links
echo "lines of differences: $(wc -l < nodes) by ibnetdiscover, $(wc -l < links) by iblinkinfo"
[ ! -s nodes ] && [ ! -s links ] || changed "one of them shows the width"

printf 'Unlink "S1"[3]\n' > console
sleep 1
code=0
client ibnetdiscover --diff before > nodes || code=$?
echo "with a cable out: exit code $code, $(grep -c '^[<>]' nodes) lines of differences"
grep -q '^< .*"S2"' nodes || grep -q '^< .*"S1"' nodes || changed "ibnetdiscover does not show the missing cable"
[ "$code" = 0 ] || changed "the exit code shows differences"
