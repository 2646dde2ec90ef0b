#!/bin/sh
# Wireshark 4.0 calls every trap 259, by which a switch reports a packet with a P_Key that its port does not have,
# malformed.
#
# It shows none of what the trap tells: the LIDs, the P_Key, the queue pairs, the switch and its port. Trap 257, by
# which an adapter reports the same, is shown whole.
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

# Trap of a notice: LIDs 7 and 8, P_Key 0x8001, SL 5, queue pairs 18 and 19, two GIDs, and for 259 switch LID 9, port 4.
gids=fe800000000000000002c90300010001fe800000000000000002c90300010002
notice() { # NUMBER DETAILS
  number=$(printf '%04x' "$1")
  header="010101050000000000000000000012340002000000000000$(printf '%080d' 0)"
  capture 197 0 "${header}81000002${number}00098001$2"
  read_packets -V > shown
  echo "trap $1: $(grep -c 'Malformed Packet' shown || true) lines say malformed"
}

notice 257 "000000070008000080015000001200000013$gids"
grep -q 'LIDADDR1: 0x0007' shown && grep -q 'KEY: 0x00008001' shown || changed "it does not show trap 257"
grep -q 'GIDADDR2: fe80::2:c903:1:2' shown || changed "it does not show the GIDs of trap 257"
notice 259 "00030007000880015000001200000013${gids}000904"
grep -q 'Malformed Packet' shown || changed "trap 259 is not malformed"
! grep -q 'LIDADDR1: 0x0007' shown || changed "it shows the LID of trap 259"
