#!/bin/sh
# The numbers behind the values of two tables in Wireshark 4.0 are no indices. The line `P_KeyBase … (1)` belongs to
# P_Key 0, and a line `SL(x)toVL … (1)` stands twice, for SL 1 and for SL 2.
#
# A reader who goes by the numbers pairs the base of a P_Key with the membership of the next one, and takes the VL of
# SL 3 for that of SL 2.
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

# GetResp of P_KeyTable: full member of 1, limited of 2, full of 3.
capture 197 0 "010101810000000000000000000012340016000000000000$(printf '%080d' 0)800100028003"
read_packets -V | grep -A7 '^ *P_KeyTable' | grep -o '\(MembershipType\|P_KeyBase\).*' > shown
head -6 shown
[ "$(sed -n 2p shown)" = 'P_KeyBase: 0x0001(1)' ] || changed "the base of P_Key 0 has another number"
[ "$(sed -n 3p shown)" = 'MembershipType: 0x0(1)' ] || changed "the membership of P_Key 1 has another number"
# GetResp of SLtoVLMappingTable: SL n uses VL n.
capture 197 0 "010101810000000000000000000012340017000000000102$(printf '%080d' 0)0123456789abcdef"
read_packets -V | grep -o 'SL(x)toVL.*' > shown
head -4 shown
[ "$(sed -n 2p shown)" = 'SL(x)toVL: 0x1(1)' ] || changed "SL 1 has another number"
[ "$(sed -n 3p shown)" = 'SL(x)toVL: 0x2(1)' ] || changed "SL 2 has another number"
[ "$(sed -n 16p shown)" = 'SL(x)toVL: 0xf(8)' ] || changed "SL 15 has another number"
