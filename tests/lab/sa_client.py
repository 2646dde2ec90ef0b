#!/usr/bin/env python3
"""A client of subnet administration over libibumad.

  sa_client.py SM_LID join|leave MGID PORT_GID [JOIN_STATE]

Joins and leaves a multicast group. Prints the status and, if it is 0, MLID and JoinState of the answer.

  sa_client.py SM_LID paths < QUERIES

Gets a PathRecord for each line, a component mask and a record in hexadecimal. Prints the status and the record of each
answer, in the same manner.
"""
import ctypes
import ipaddress
import struct
import sys

GET, SET, DELETE = 0x01, 0x02, 0x15
METHODS = {"join": SET, "leave": DELETE}
PATH_RECORD, MC_MEMBER_RECORD = 0x35, 0x38
# MGID, PortGID, Q_Key, TClass, P_Key, SL, flow label, JoinState: what creating a group needs.
COMPONENTS = sum(1 << n for n in (0, 1, 2, 6, 7, 12, 13, 16))
Q_KEY = 0x80010000


def member_record(mgid, port_gid, join_state):
    record = bytearray(200)
    record[0:16] = ipaddress.IPv6Address(mgid).packed
    record[16:32] = ipaddress.IPv6Address(port_gid).packed
    struct.pack_into(">I", record, 32, 0x77)
    struct.pack_into(">H", record, 40, 0xFFFF)
    record[48] = 0x20 | join_state
    return bytes(record)


class Client:
    """An open port. `ask` returns the status and the record of the answer."""

    def __init__(self, sm_lid):
        self.sm_lid = sm_lid
        self.umad = ctypes.CDLL("libibumad.so.3", use_errno=True)
        self.umad.umad_get_mad.restype = ctypes.c_void_p
        self.umad.umad_init()
        self.port = self.umad.umad_open_port(None, 0)
        self.agent = self.umad.umad_register(self.port, 0x03, 2, 1, None)
        self.buffer = ctypes.create_string_buffer(self.umad.umad_size() + 4096)
        self.transaction = 0x77

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.umad.umad_unregister(self.port, self.agent)
        self.umad.umad_close_port(self.port)

    def ask(self, method, attribute, components, record):
        self.transaction += 1
        mad = struct.pack(">BBBBHHQHHI", 1, 0x03, 2, method, 0, 0, self.transaction, attribute, 0, 0)
        mad += bytes(24) + struct.pack(">Q", components) + record
        self.umad.umad_set_addr(self.buffer, self.sm_lid, 1, 0, ctypes.c_uint32(Q_KEY).value)
        ctypes.memmove(self.umad.umad_get_mad(self.buffer), mad, len(mad))
        if self.umad.umad_send(self.port, self.agent, self.buffer, len(mad), 1000, 3) < 0:
            sys.exit("cannot send: errno %d" % ctypes.get_errno())
        length = ctypes.c_int(256)
        got = self.umad.umad_recv(self.port, self.buffer, ctypes.byref(length), 5000)
        if got < 0 or self.umad.umad_status(self.buffer):
            sys.exit("no answer")
        answer = ctypes.string_at(self.umad.umad_get_mad(self.buffer), 256)
        return struct.unpack_from(">H", answer, 4)[0], answer[56:]


def change_membership(client, word, mgid, port_gid, join_state="1"):
    status, answer = client.ask(METHODS[word], MC_MEMBER_RECORD, COMPONENTS, member_record(mgid, port_gid, int(join_state)))
    print("status 0x%04x" % status)
    if status == 0:
        print("mlid 0x%04x state %d" % (struct.unpack_from(">H", answer, 36)[0], answer[48] & 15))


def get_paths(client):
    for line in sys.stdin:
        components, record = line.split()
        status, answer = client.ask(GET, PATH_RECORD, int(components, 16), bytes.fromhex(record).ljust(200, b"\0"))
        print("%x %s" % (status, answer[:64].hex()))


def main(sm_lid, word, *words):
    with Client(int(sm_lid, 0)) as client:
        if word == "paths":
            get_paths(client)
        else:
            change_membership(client, word, *words)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2] == "paths" or len(sys.argv) > 4 and sys.argv[2] in METHODS:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
