#!/bin/sh
# Wireshark 4.0 shows the direction bit of a directed route as 0 in every packet, and counts it to the status.
#
# So the answer that an adapter sent without an error has D 0 and status 0x8000, and a filter for D 1 finds no packet.
# Requests and answers differ by their method alone.
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

# GetResp of NodeInfo over the directed route 0,1,2: D 1 and status 0.
header=0181018180000002000000000000123400110000000000000000000000000000ffffffff
capture 197 0 "$header$(printf '%0184d' 0)000102"
read_packets -V | sed -n '/SMP (Directed Route)/,/DrDLID/p' > shown
grep -o 'D (Direction Bit).*\|Status: .*' shown
grep -q 'SubnGetResp(NodeInfo)' shown || changed "it does not read the datagram"
grep -q 'Direction Bit): 0x0' shown || changed "it shows the bit"
grep -q 'Status: 0x8000' shown || changed "it shows another status"
[ -z "$(read_packets -Y 'infiniband.smpdirected.d == 1')" ] || changed "a filter finds the answer"
[ -n "$(read_packets -Y 'infiniband.smpdirected.d == 0')" ] || changed "a filter does not find it as a request"
