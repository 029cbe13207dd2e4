"""Writes Beam's class that opens ports anew, so that it opens them on this machine alone.

    python3 loopback.py FOLDER_OF_BEAMS_JARS JAR

Beam 2.62 is told localhost:8099 and takes the port of it: NettyServerBuilder.forPort opens
it on all interfaces, for everybody, and so are the ports of the workers' services. The
class that is written into JAR calls forAddress, with host and port. JAR must come before
Beam's jars on the class path.
"""

import struct
import sys
import zipfile
from pathlib import Path

CLASS = "org/apache/beam/sdk/fn/server/ServerFactory$InetSocketAddressServerFactory.class"
JAR = "beam-sdks-java-core-2.62.0.jar"  # jars.sha256 has its hash, so the class is known
BUILDER = "Lorg/apache/beam/vendor/grpc/v1p60p1/io/grpc/netty/NettyServerBuilder;"
SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def constants(data):
    """The class's constants by their number, and where they end."""
    found, number, at = {}, 1, 10
    while number < struct.unpack_from(">H", data, 8)[0]:
        tag, size = data[at], 0
        if tag == 1:
            size = 2 + struct.unpack_from(">H", data, at + 1)[0]
            found[number] = data[at + 3 : at + 1 + size].decode()
        else:
            size = SIZES[tag]
            found[number] = (tag, *struct.unpack_from(f">{size // 2}H", data, at + 1))
        number += 2 if tag in (5, 6) else 1
        at += 1 + size
    return found, at


def patched(data):
    pool, end = constants(data)

    def method(*wanted):
        for number, c in pool.items():
            if c[0] == 10 and (pool[pool[c[1]][1]], pool[pool[c[2]][1]], pool[pool[c[2]][2]]) == wanted:
                return number
        raise SystemExit(f"loopback.py: {CLASS} does not call {wanted[1]}")

    get_port = method("java/net/InetSocketAddress", "getPort", "()I")
    for_port = method(BUILDER[1:-1], "forPort", "(I)" + BUILDER)
    first = struct.unpack_from(">H", data, 8)[0]
    name, descriptor = b"forAddress", ("(Ljava/net/SocketAddress;)" + BUILDER).encode()
    more = struct.pack(">BH", 1, len(name)) + name + struct.pack(">BH", 1, len(descriptor)) + descriptor
    more += struct.pack(">BHH", 12, first, first + 1) + struct.pack(">BHH", 10, pool[for_port][1], first + 2)
    before = struct.pack(">BHBH", 0xB6, get_port, 0xB8, for_port)  # invokevirtual, invokestatic
    after = struct.pack(">BBBBH", 0, 0, 0, 0xB8, first + 3)  # the address itself is the argument
    if data.count(before) != 1:
        raise SystemExit(f"loopback.py: {CLASS} is not that of Beam 2.62.0")
    return data[:8] + struct.pack(">H", first + 4) + data[10:end] + more + data[end:].replace(before, after)


if __name__ == "__main__":
    jars, target = map(Path, sys.argv[1:])
    with zipfile.ZipFile(jars / JAR) as jar:
        data = jar.read(CLASS)
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as jar:
        jar.writestr(CLASS, patched(data))
