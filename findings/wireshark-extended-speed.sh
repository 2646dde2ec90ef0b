#!/bin/sh
# Wireshark 4.0 shows a port that runs at EDR as one of 10 Gbps: it has no field for the extended speeds in PortInfo.
#
# On such a link LinkSpeedActive can be 4 (10 Gbps), and LinkSpeedExtActive tells the real speed. Wireshark also marks
# supported widths that include 2x as a possible error.
set -eu
work=$(mktemp -d)
cd "$work"
trap 'rm -rf "$work"' EXIT
# The pinned package of Debian 12 and all that it needs, in a folder of this run.
mkdir -p packages/partial root
: > none
apt-get -y -qq --download-only --no-install-recommends -o Dir::State::status="$work/none" \
  -o Dir::Cache::archives="$work/packages/" -o Debug::NoLocking=1 install tshark=4.0.17-0+deb12u3 > apt.log 2>&1 ||
  { echo "not checked: apt-get has no tshark=4.0.17-0+deb12u3" >&2; exit 2; }
rm -f packages/libc6_* packages/libgcc-s1_*
for package in packages/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" HOME="$work"
export LD_LIBRARY_PATH="$work/root/usr/lib/x86_64-linux-gnu:$work/root/lib/x86_64-linux-gnu"
export WIRESHARK_DATA_DIR="$work/root/usr/share/wireshark"
changed() { echo "changed: $*" >&2; exit 1; }
# Reads packets from packets.pcap. The first argument is `-V` or other options of tshark.
read_packets() { tshark -r packets.pcap "$@" 2> tshark.log; }
# A file of one packet: link type, and in hex the management datagram behind LRH, BTH and DETH, filled up to 256 bytes.
capture() { # LINK-TYPE QUEUE-PAIR DATAGRAM
  python3 - "$@" <<'Y'
import struct, sys
link_type, queue_pair, datagram = int(sys.argv[1]), int(sys.argv[2]), bytes.fromhex(sys.argv[3]).ljust(256, b"\0")
words = (8 + 12 + 8 + len(datagram) + 4) // 4
packet = struct.pack(">BBHHH", 0xF0 if queue_pair == 0 else 0, 2, 2, words, 1)
packet += struct.pack(">BBHII", 0x64, 0, 0xFFFF, queue_pair, 0)
packet += struct.pack(">II", 0x80010000 if queue_pair else 0, queue_pair) + datagram + bytes(6)
if link_type == 197:  # The record of a capture card: time, type 21 (InfiniBand), flags, lengths.
    packet = bytes(8) + struct.pack(">BBHHH", 21, 4, 16 + len(packet), 0, len(packet)) + packet
with open("packets.pcap", "wb") as file:
    file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link_type))
    file.write(struct.pack("<IIII", 0, 0, len(packet), len(packet)) + packet)
Y
}

# GetResp of PortInfo: port 3, 4x, active; LinkSpeedActive 4, LinkSpeedExtActive 2 (25.78125 Gbps).
info="$(printf '%056d' 0)031f1f02745200474440$(printf '%048d' 0)2707"
capture 197 0 "010101810000000000000000000012340015000000000003$(printf '%080d' 0)$info"
read_packets -V > shown
grep -q 'LocalPortNum: 0x03' shown || changed "it does not read the datagram"
grep -o 'LinkSpeed\(Active\|Ext\).*\|LinkWidthSupported.*' shown
grep -q 'LinkSpeedActive: 0x4, 10.0 Gbps' shown || changed "it does not show 10 Gbps"
! grep -q 'LinkSpeedExt' shown || changed "it shows the extended speed"
grep -q 'LinkWidthSupported: 0x1f, .*Possible Error' shown || changed "it does not call the widths with 2x an error"
