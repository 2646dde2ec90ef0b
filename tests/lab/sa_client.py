#!/usr/bin/env python3
"""A client of subnet administration over libibumad.

  sa_client.py SM_LID join|leave MGID PORT_GID [JOIN_STATE]

Joins and leaves a multicast group. Prints the status and, if it is 0, MLID and JoinState of the answer.

  sa_client.py SM_LID guids LID BLOCK INDEX=GUID...

Sets alias GUIDs of a port (GUIDInfoRecord). Prints the status and the GUIDs of the answer.

  sa_client.py SM_LID paths < QUERIES

Gets a PathRecord for each line, a component mask and a record in hexadecimal. Prints the status and the record of each
answer, in the same manner.

  sa_client.py SM_LID gets COUNT LID LID...
  sa_client.py SM_LID table COUNT LID
  sa_client.py SM_LID first COUNT LID

Gets so many PathRecords one after the other, from the first LID to the others in turn; or that often a table of all paths
from the LID, or its first segment alone, behind which it aborts the transfer. Prints the seconds of each table, or of all Gets
together, and the bytes of the last answer.
"""
import ctypes
import ipaddress
import struct
import sys
import time

ABORT, TOO_MANY_RETRIES = 4, 126  # RMPPType, RMPPStatus
GET, SET, GET_TABLE, DELETE = 0x01, 0x02, 0x12, 0x15
METHODS = {"join": SET, "leave": DELETE}
GUID_INFO_RECORD, PATH_RECORD, MC_MEMBER_RECORD = 0x30, 0x35, 0x38
# MGID, PortGID, Q_Key, TClass, P_Key, SL, flow label, JoinState: what creating a group needs.
COMPONENTS = sum(1 << n for n in (0, 1, 2, 6, 7, 12, 13, 16))
Q_KEY = 0x80010000
DLID, SLID = 1 << 4, 1 << 5
LID_AND_BLOCK = 3
LARGEST = 16 << 20


def member_record(mgid, port_gid, join_state):
    record = bytearray(200)
    record[0:16] = ipaddress.IPv6Address(mgid).packed
    record[16:32] = ipaddress.IPv6Address(port_gid).packed
    struct.pack_into(">I", record, 32, 0x77)
    struct.pack_into(">H", record, 40, 0xFFFF)
    record[48] = 0x20 | join_state
    return bytes(record)


class Client:
    """An open port. `ask` returns the status and the record of the answer. `rmpp` 0: segments arrive as they are."""

    def __init__(self, sm_lid, rmpp=1):
        self.sm_lid = sm_lid
        self.umad = ctypes.CDLL("libibumad.so.3", use_errno=True)
        self.umad.umad_get_mad.restype = ctypes.c_void_p
        self.umad.umad_init()
        self.port = self.umad.umad_open_port(None, 0)
        self.agent = self.umad.umad_register(self.port, 0x03, 2, rmpp, None)
        self.buffer = ctypes.create_string_buffer(self.umad.umad_size() + LARGEST)
        self.transaction = 0x77

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.umad.umad_unregister(self.port, self.agent)
        self.umad.umad_close_port(self.port)

    def ask(self, method, attribute, components, record):
        answer = self.ask_all(method, attribute, components, record, 256)
        return struct.unpack_from(">H", answer, 4)[0], answer[56:]

    def ask_all(self, method, attribute, components, record, room=LARGEST, patience=5000):
        self.transaction += 1
        mad = struct.pack(">BBBBHHQHHI", 1, 0x03, 2, method, 0, 0, self.transaction, attribute, 0, 0)
        mad += bytes(24) + struct.pack(">Q", components) + record
        self.umad.umad_set_addr(self.buffer, self.sm_lid, 1, 0, ctypes.c_uint32(Q_KEY).value)
        ctypes.memmove(self.umad.umad_get_mad(self.buffer), mad, len(mad))
        if self.umad.umad_send(self.port, self.agent, self.buffer, len(mad), min(patience, 60000) // 5, 3) < 0:
            sys.exit("cannot send: errno %d" % ctypes.get_errno())
        length = ctypes.c_int(room)
        got = self.umad.umad_recv(self.port, self.buffer, ctypes.byref(length), patience)
        if got < 0 or self.umad.umad_status(self.buffer):
            sys.exit("no answer")
        return ctypes.string_at(self.umad.umad_get_mad(self.buffer), max(256, length.value))

    def abort(self, segment):
        """Ends the transfer that the segment belongs to."""
        mad = bytearray(segment[:36].ljust(256, b"\0"))
        mad[3] &= 0x7F
        mad[25:28] = ABORT, 1, TOO_MANY_RETRIES
        mad[28:36] = bytes(8)
        ctypes.memmove(self.umad.umad_get_mad(self.buffer), bytes(mad), len(mad))
        if self.umad.umad_send(self.port, self.agent, self.buffer, len(mad), 0, 0) < 0:
            sys.exit("cannot send: errno %d" % ctypes.get_errno())


def change_membership(client, word, mgid, port_gid, join_state="1"):
    status, answer = client.ask(METHODS[word], MC_MEMBER_RECORD, COMPONENTS, member_record(mgid, port_gid, int(join_state)))
    print("status 0x%04x" % status)
    if status == 0:
        print("mlid 0x%04x state %d" % (struct.unpack_from(">H", answer, 36)[0], answer[48] & 15))


def set_guids(client, lid, block, *pairs):
    record = bytearray(200)
    struct.pack_into(">HB", record, 0, int(lid), int(block))
    components = LID_AND_BLOCK
    for index, guid in (pair.split("=") for pair in pairs):
        struct.pack_into(">Q", record, 8 + 8 * int(index), int(guid, 16))
        components |= 1 << 4 + int(index)
    status, answer = client.ask(SET, GUID_INFO_RECORD, components, bytes(record))
    print("status 0x%04x %s" % (status, " ".join("%016x" % guid for guid in struct.unpack_from(">8Q", answer, 8))))


def get_paths(client):
    for line in sys.stdin:
        components, record = line.split()
        status, answer = client.ask(GET, PATH_RECORD, int(components, 16), bytes.fromhex(record).ljust(200, b"\0"))
        print("%x %s" % (status, answer[:64].hex()))


def path_between(source, destination=0):
    record = bytearray(200)
    struct.pack_into(">HH", record, 40, destination, source)
    return bytes(record)


def time_gets(client, count, source, *destinations):
    records = [path_between(int(source), int(lid)) for lid in destinations]
    began = time.perf_counter()
    for i in range(int(count)):
        status, _ = client.ask(GET, PATH_RECORD, SLID | DLID, records[i % len(records)])
        if status:
            sys.exit("status 0x%04x" % status)
    print("%.6f 64" % (time.perf_counter() - began))


def time_tables(client, count, source):
    for _ in range(int(count)):
        began = time.perf_counter()
        answer = client.ask_all(GET_TABLE, PATH_RECORD, SLID, path_between(int(source)), patience=300000)
        print("%.6f %d" % (time.perf_counter() - began, len(answer) - 56))


def time_first_segments(client, count, source):
    for _ in range(int(count)):
        began = time.perf_counter()
        answer = client.ask_all(GET_TABLE, PATH_RECORD, SLID, path_between(int(source)), room=256, patience=300000)
        took = time.perf_counter() - began
        client.abort(answer)
        print("%.6f %d" % (took, struct.unpack_from(">I", answer, 32)[0]))


TIMED = {"gets": time_gets, "table": time_tables, "first": time_first_segments}


def main(sm_lid, word, *words):
    with Client(int(sm_lid, 0), rmpp=0 if word == "first" else 1) as client:
        if word == "paths":
            get_paths(client)
        elif word == "guids":
            set_guids(client, *words)
        elif word in TIMED:
            TIMED[word](client, *words)
        else:
            change_membership(client, word, *words)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2] == "paths" or len(sys.argv) > 4 and sys.argv[2] in {**METHODS, **TIMED, "guids": 0}:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
