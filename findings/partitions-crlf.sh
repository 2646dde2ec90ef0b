#!/bin/sh
# OpenSM 3.3.23 drops a partition file with CR LF as a whole, and the fabric runs with the default partition alone.
#
# Behind a comment CR LF does no harm. Else the log has `PARSE ERROR: line 1: no partition definition found`,
# whatever the first line is, and OpenSM goes on.
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
keys() { client smpquery pkeys -D "0,$1" 1 | tr ' ' '\n' | grep -E '^0x[0-9a-f]{4}$' | grep -v 0x0000 | tr '\n' ' '; }
policy() { printf "%b" "$1" > partitions.conf; printf 'partition_config_file %s/partitions.conf\n' "$work" > o.conf; sweep -F o.conf; }

policy 'Default=0x7fff: ALL=full;\nBlue=0x7001: ALL=full;\n'
echo "with LF: $(keys 1,2)"
case "$(keys 1,2)" in *0xf001*) ;; *) changed "the file is not read with LF" ;; esac
policy 'Default=0x7fff: ALL=full;\r\nBlue=0x7001: ALL=full;\r\n'
echo "with CR LF: $(keys 1,2)"
grep -o 'PARSE ERROR.*' opensm.log || changed "the log has no PARSE ERROR"
case "$(keys 1,2)" in *0xf001*) changed "the file is read with CR LF" ;; esac
policy '# from a desk\r\nDefault=0x7fff: ALL=full; # all\r\nBlue=0x7001: ALL=full;\n'
echo "with CR LF behind comments only: $(keys 1,2)"
case "$(keys 1,2)" in *0xf001*) ;; *) changed "the file is not read with CR LF behind comments only" ;; esac
