#!/usr/bin/env python3
"""An SRP target as srp_daemon sees it.

  device_manager.py mark

Sets and clears IsSM of the port: so an ibsim with targets.c says IsDeviceManagementSupported of it.

  device_manager.py IOC_GUID

Answers datagrams of class DeviceManagement over libibumad, until it is ended. There is one controller with one service
entry, `SRP.T10:` and the GUID. Prints a line when it listens.
"""
import ctypes
import os
import struct
import sys

CLASS = 0x06
GET, ANSWER = 0x01, 0x80
IO_UNIT_INFO, IO_CONTROLLER_PROFILE, SERVICE_ENTRIES = 0x10, 0x11, 0x12
UNKNOWN_ATTRIBUTE = 0x000C
SRP_CLASS, SRP_PROTOCOL = 0x0100, 0x0108


def io_unit():
    return struct.pack(">HBB", 1, 1, 0) + bytes([0x10])


def io_controller(guid):
    body = struct.pack(">QIIHHIIHHHH", guid, 0x2C90300, 0x1234, 1, 0, 0x2C90300, 1, SRP_CLASS, 0x609E, SRP_PROTOCOL, 1)
    body += struct.pack(">HHHBBIIBBB", 1, 8, 16, 0, 4, 4096, 1 << 20, 0, 0, 1)
    return body.ljust(64, b"\0") + b"a target of the lab".ljust(64, b"\0")


def service(guid):
    return (b"SRP.T10:%016X" % guid).ljust(40, b"\0") + struct.pack(">Q", guid)


def mark():
    libc = ctypes.CDLL(None)  # os.open() would not go to ibsim
    libc.close(libc.open(b"/dev/infiniband/issm0", os.O_RDWR))


def answer(guid):
    answers = {IO_UNIT_INFO: io_unit(), IO_CONTROLLER_PROFILE: io_controller(guid), SERVICE_ENTRIES: service(guid)}
    umad = ctypes.CDLL("libibumad.so.3", use_errno=True)
    umad.umad_get_mad.restype = ctypes.c_void_p
    umad.umad_init()
    port = umad.umad_open_port(None, 0)
    methods = (ctypes.c_uint32 * 4)(1 << GET)
    agent = umad.umad_register(port, CLASS, 1, 0, methods)
    if port < 0 or agent < 0:
        sys.exit("no agent of class DeviceManagement")
    print("listening", flush=True)
    buffer = ctypes.create_string_buffer(umad.umad_size() + 256)
    while True:
        length = ctypes.c_int(256)
        if umad.umad_recv(port, buffer, ctypes.byref(length), 200) < 0 or umad.umad_status(buffer):
            continue
        mad = bytearray(ctypes.string_at(umad.umad_get_mad(buffer), 256))
        body = answers.get(struct.unpack_from(">H", mad, 16)[0])
        mad[3] |= ANSWER
        struct.pack_into(">H", mad, 4, 0 if body else UNKNOWN_ATTRIBUTE)
        mad[64:] = (body or b"").ljust(192, b"\0")
        ctypes.memmove(umad.umad_get_mad(buffer), bytes(mad), 256)
        umad.umad_send(port, agent, buffer, 256, 0, 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "mark":
        mark()
    else:
        answer(int(sys.argv[1], 16))
