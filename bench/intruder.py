"""Attacks what another user's builds leave within reach, over and over, until its standard input ends.

    setpriv --reuid N --clear-groups intruder.py UID FOLDER...

Tries to change every file and folder below each FOLDER, to read what lies in one whose
name is "tmp" (the shared temporary folder of the builds), to connect to every Unix socket
there, and to every TCP port that user UID listens on. The last line says how
often it tried; each line before it is something that it could do.
"""

import itertools
import os
import select
import socket
import sys


def main() -> None:
    victim, folders, tried, done = sys.argv[1], sys.argv[2:], 0, set()
    while not select.select([sys.stdin], [], [], 0.1)[0]:
        for what, attack in itertools.chain(on_files(folders), on_ports(victim)):
            tried += 1
            try:
                attack()
            except OSError:
                continue
            if what not in done:
                print("it could", what, flush=True)
                done.add(what)
    print(f"{tried} tries by uid {os.geteuid()}", flush=True)


def on_files(folders):
    for top in folders:
        private = os.path.basename(top) == "tmp"
        for folder, names, files in os.walk(top):
            for name in files + names:
                path = os.path.join(folder, name)
                yield f"rename {path}", lambda: take(path)
                yield f"change {path}", lambda: os.chmod(path, 0o777)
                if private:
                    yield f"connect to {path}", lambda: socket.socket(socket.AF_UNIX).connect(path)
                    yield f"read {path}", lambda: os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                if name in names:
                    yield f"write into {path}", lambda: enter(path)
                else:
                    yield f"write {path}", lambda: os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))


def enter(path):
    os.mkdir(os.path.join(path, "intruder"))
    os.rmdir(os.path.join(path, "intruder"))


def take(path):
    os.rename(path, path + ".taken")
    os.rename(path + ".taken", path)


def on_ports(uid):
    for table in ["tcp", "tcp6"]:
        try:
            with open(f"/proc/net/{table}") as lines:
                found = [line.split() for line in lines]
        except FileNotFoundError:  # no IPv6 here
            continue
        for field in found:
            if field[3] == "0A" and field[7] == uid:
                port = int(field[1].rsplit(":", 1)[1], 16)
                yield f"connect to port {port}", lambda: socket.create_connection(("localhost", port), 1).close()


if __name__ == "__main__":
    main()
