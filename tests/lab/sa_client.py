#!/usr/bin/env python3
"""A client of subnet administration that joins and leaves multicast groups, over libibumad.

  sa_client.py SM_LID join|leave MGID PORT_GID [JOIN_STATE]

Prints the status and, if it is 0, MLID and JoinState of the answer.
"""
import ctypes
import ipaddress
import struct
import sys

METHODS = {"join": 0x02, "leave": 0x15}
MC_MEMBER_RECORD = 0x38
# MGID, PortGID, Q_Key, TClass, P_Key, SL, flow label, JoinState: what creating a group needs.
COMPONENTS = sum(1 << n for n in (0, 1, 2, 6, 7, 12, 13, 16))
Q_KEY = 0x80010000


def record(mgid, port_gid, join_state):
    record = bytearray(200)
    record[0:16] = ipaddress.IPv6Address(mgid).packed
    record[16:32] = ipaddress.IPv6Address(port_gid).packed
    struct.pack_into(">I", record, 32, 0x77)
    struct.pack_into(">H", record, 40, 0xFFFF)
    record[48] = 0x20 | join_state
    return bytes(record)


def request(method, payload):
    header = struct.pack(">BBBBHHQHHI", 1, 0x03, 2, method, 0, 0, 0x77, MC_MEMBER_RECORD, 0, 0)
    return header + bytes(24) + struct.pack(">Q", COMPONENTS) + payload


def ask(sm_lid, mad):
    umad = ctypes.CDLL("libibumad.so.3", use_errno=True)
    umad.umad_get_mad.restype = ctypes.c_void_p
    umad.umad_init()
    port = umad.umad_open_port(None, 0)
    agent = umad.umad_register(port, 0x03, 2, 1, None)
    buffer = ctypes.create_string_buffer(umad.umad_size() + 4096)
    umad.umad_set_addr(buffer, sm_lid, 1, 0, ctypes.c_uint32(Q_KEY).value)
    ctypes.memmove(umad.umad_get_mad(buffer), mad, len(mad))
    if umad.umad_send(port, agent, buffer, len(mad), 1000, 3) < 0:
        sys.exit("cannot send: errno %d" % ctypes.get_errno())
    length = ctypes.c_int(256)
    got = umad.umad_recv(port, buffer, ctypes.byref(length), 5000)
    if got < 0 or umad.umad_status(buffer):
        sys.exit("no answer")
    answer = ctypes.string_at(umad.umad_get_mad(buffer), 256)
    umad.umad_unregister(port, agent)
    umad.umad_close_port(port)
    return answer


def main(sm_lid, word, mgid, port_gid, join_state="1"):
    answer = ask(int(sm_lid, 0), request(METHODS[word], record(mgid, port_gid, int(join_state))))
    status = struct.unpack_from(">H", answer, 4)[0]
    print("status 0x%04x" % status)
    if status == 0:
        print("mlid 0x%04x state %d" % (struct.unpack_from(">H", answer, 56 + 36)[0], answer[56 + 48] & 15))


if __name__ == "__main__":
    if len(sys.argv) < 5 or sys.argv[2] not in METHODS:
        sys.exit(__doc__)
    main(*sys.argv[1:])
