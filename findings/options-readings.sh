#!/bin/sh
# OpenSM 3.3.23 takes the empty text for a text option that has lost its value, and 8 as a code of `max_op_vls`.
#
# A number with a unit is refused alone: the option keeps its default, and OpenSM goes on.
set -eu
work=$(mktemp -d)
cd "$work"
trap 'rm -rf "$work"' EXIT
# The pinned packages of Debian 12, in a folder of this run.
for pinned in opensm=3.3.23-2+b1 libopensm9=3.3.23-2+b1 libosmcomp5=3.3.23-2+b1 libosmvendor5=3.3.23-2+b1 libibumad3=44.0-2; do
  apt-get -qq download "$pinned" 2>/dev/null || { echo "not checked: apt-get has no $pinned" >&2; exit 2; }
done
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH="$work/root/usr/lib/x86_64-linux-gnu" OSM_CACHE_DIR="$work/" OSM_TMP_DIR="$work/"
changed() { echo "changed: $*" >&2; exit 1; }
# `opensm -c` reads the options and writes those that it goes on with.
cat > o.conf <<'O'
qos yes
torus_config
sm_priority
max_op_vls 8
lmc 9
sweep_interval 10s
m_key_lease_period 70000
use_ucast_cache TRUE
use_ucast_cache FALSE
log_prefx rch
max_wire_smps 010
console_port=10001
O
printf 'log_file %s/opensm.log\n' "$work" >> o.conf
root/usr/sbin/opensm -F o.conf -c made.conf > out 2>&1 || true
said() { grep -q "$1" out || changed "it does not say $1"; }
made() { # OPTION VALUE
  grep -q "^$1 *$2\$" made.conf || changed "$1 is not '$2'"
  echo "$1: '$2'"
}
made qos FALSE
made torus_config ''
made sm_priority 0
made max_op_vls 8
made lmc 0
made max_wire_smps 8
made sweep_interval 10
made m_key_lease_period 0
made use_ucast_cache FALSE
said 'Parsing error in field sm_priority'
said 'Parsing error in field sweep_interval'
said 'Parsing error in field m_key_lease_period'
said 'Unrecognized token: "log_prefx"'
said 'Unrecognized token: "console_port=10001"'
