#!/bin/sh
# ibsim 0.10 reads a fabric that ibnetdiscover wrote with its LIDs and node GUIDs, but makes the GUIDs of the
# adapters' ports itself: node GUID plus port number.
#
# Adapters of today often have one GUID for the node and its port. A partition or a record of guid2lid for the real
# port GUID then names no port of the simulated fabric, and OpenSM does not say so. A trial of these files on ibsim
# shows another fabric.
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
# As ibnetdiscover writes it.
cat > fabric.net <<'N'
vendid=0x2c9
devid=0xcf08
sysimgguid=0x2c90200400000
switchguid=0x2c90200400000(2c90200400000)
Switch	4 "S-0002c90200400000"		# "leaf" enhanced port 0 lid 5 lmc 0
[1]	"H-0002c90300010000"[1](2c90300010000) 		# "host1 mlx5_0" lid 3 4xQDR
[2]	"H-0002c90300020000"[1](2c90300020000) 		# "host2 mlx5_0" lid 4 4xQDR

vendid=0x2c9
devid=0x1013
sysimgguid=0x2c90300010000
caguid=0x2c90300010000
Ca	1 "H-0002c90300010000"		# "host1 mlx5_0"
[1](2c90300010000) 	"S-0002c90200400000"[1]		# lid 3 lmc 0 "leaf" lid 5 4xQDR

vendid=0x2c9
devid=0x1013
sysimgguid=0x2c90300020000
caguid=0x2c90300020000
Ca	1 "H-0002c90300020000"		# "host2 mlx5_0"
[1](2c90300020000) 	"S-0002c90200400000"[2]		# lid 4 lmc 0 "leaf" lid 5 4xQDR
N
simulate

export SIM_HOST='host1 mlx5_0'
client ibnetdiscover > found 2>&1 || changed "ibsim does not read the file"
grep '^\[1\].*lid 3' found
grep -q 'lid 3 .*"leaf" lid 5 4xQDR' found || changed "ibsim does not keep the LIDs and the speed"
grep -q '^\[1\](2c90300010001)' found || changed "the port GUID is not the node GUID plus 1"
printf 'Default=0x7fff: ALL=full;\nBlue=1: 0x2c90300010000=full;\n' > partitions.conf
printf 'partition_config_file %s/partitions.conf\n' "$work" > o.conf
sweep -F o.conf
keys=$(client smpquery pkeys -D 0 1 | tr ' ' '\n' | grep -E '^0x[0-9a-f]{4}$' | grep -v 0x0000 | tr '\n' ' ')
echo "P_Keys of the port whose real GUID is in partition 1: $keys; errors in the log: $(grep -c ERR opensm.log || true)"
[ "$keys" = '0xffff ' ] || changed "the real GUID names the port"
! grep -q ERR opensm.log || changed "the log has an error"
