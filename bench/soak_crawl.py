"""Crawls a server of its own, over and over, and disturbs the builds.

    soak_crawl.py [--minutes 60] [--seed 1] [--disk FOLDER] [--program bin/commonplace] [--demo testdata/demo] [--model models/quotability-features] [--uid N]

The server answers on the loopback interface with articles; it refuses, is slow and breaks
off at times. Each trial changes the list of articles and starts `commonplace build` up
to four times. It kills builds with signal 9, or fills the disk under them, at random
moments, and then lets one finish. After that the tables must be the bytes of an
undisturbed build into a new folder (but for the hour at which documents were fetched), `verify` must find nothing, no temporary file and
no process may be left, and no answer of the server may be asked for again without cause.

Meanwhile a neighbour looks for ports and sockets on which the program listens, and
connects to each. With --uid, which only root may give, the builds run as user N, and
bench/intruder.py attacks their folders as user N + 1. FOLDER is a small file system of its own, which only this script may
use (mount -t tmpfs -o size=16m none FOLDER); without it no disk is filled.

Prints a line a minute and the sums at the end; exits with 1 if anything was lost.
"""

import argparse
import filecmp
import http.server
import json
import os
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("--minutes", type=float, default=60)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--disk")
    p.add_argument("--program", default="bin/commonplace")
    p.add_argument("--demo", default="testdata/demo")
    p.add_argument("--model", default="models/quotability-features")
    p.add_argument("--uid", type=int)
    a = p.parse_args()
    work = tempfile.mkdtemp()
    try:
        sys.exit(Soak(a, work).run())
    finally:
        shutil.rmtree(work, ignore_errors=True)


class Server:
    """Articles, whose text depends on their number alone. It fails at times, but never twice in a row for one."""

    def __init__(self, rand: random.Random) -> None:
        self.asked, self.failed, self.faults, self.calm, server = {}, set(), 0, True, self
        lock = threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                if self.path == "/robots.txt":
                    return self.answer(200, b"User-agent: *\nAllow: /\n", "text/plain")
                with lock:
                    server.asked[self.path] = server.asked.get(self.path, 0) + 1
                    fault = None
                    if not server.calm and self.path not in server.failed and rand.random() < 0.1:
                        fault = rand.choice(["refuse", "break off", "slow"])
                        server.faults += fault != "slow"
                        server.failed.add(self.path)
                    else:
                        server.failed.discard(self.path)
                if fault == "refuse":
                    return self.answer(503, b"later", "text/plain")
                page = article(int(self.path[1:]))
                if fault == "break off":
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(page)))
                    self.end_headers()
                    self.wfile.write(page[: len(page) // 2])
                    self.close_connection = True
                    return
                if fault == "slow":
                    time.sleep(0.3)
                self.answer(200, page, "text/html; charset=utf-8")

            def answer(self, status: int, body: bytes, kind: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

            def handle(self) -> None:
                try:
                    super().handle()
                except OSError:  # the program was killed
                    pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_port}"


def article(n: int) -> bytes:
    rand = random.Random(n)
    words = "whale sea truth night fortune hand king love time ship word house river stone light winter road bread".split()
    paragraphs = "".join("<p>" + " ".join(rand.choice(words) for _ in range(rand.randrange(30, 200))) + ".</p>" for _ in range(rand.randrange(3, 20)))
    return f"<html lang=en><head><title>Story {n}</title></head><body><article><h1>Story {n}</h1>{paragraphs}</article></body></html>".encode()


class Neighbour(threading.Thread):
    """Looks for what the program listens on, and connects to it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.pid, self.looks, self.found, self.files, self.stop = 0, 0, [], 0, False

    def run(self) -> None:
        while not self.stop:
            if self.pid:
                self.look(self.pid)
            time.sleep(0.02)

    def look(self, pid: int) -> None:
        try:
            links = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
        except OSError:
            return
        self.looks, self.files = self.looks + 1, max(self.files, len(links))
        inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
        for table, listening in [("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07")]:
            for line in open(f"/proc/net/{table}").read().splitlines()[1:]:
                field = line.split()
                if field[3] == listening and field[9] in inodes and field[2].endswith(":0000"):
                    port = int(field[1].rsplit(":", 1)[1], 16)
                    self.found.append(f"{table} port {port}{self.attack(port) if table.startswith('tcp') else ''}")
        for line in open("/proc/net/unix").read().splitlines()[1:]:
            field = line.split()
            if field[6] in inodes and int(field[3], 16) & 0x10000:  # it accepts connections
                self.found.append(f"socket {field[7:]}")

    def attack(self, port: int) -> str:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as s:
                s.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + os.urandom(64))
                return f" answered {s.recv(100)!r}"
        except OSError as err:
            return f" {err}"


class Soak:
    def __init__(self, a: argparse.Namespace, work: str) -> None:
        self.program, self.minutes, self.work, self.disk = os.path.abspath(a.program), a.minutes, work, a.disk
        self.random = random.Random(a.seed)
        self.server, self.neighbour = Server(random.Random(a.seed + 1)), Neighbour()
        self.runs = os.path.join(a.disk or work, "soak")
        shutil.rmtree(self.runs, ignore_errors=True)
        os.makedirs(self.runs)
        os.makedirs(f"{work}/tmp")
        self.user, self.intruder = {}, None
        if a.uid:
            self.user = {"user": a.uid, "group": a.uid, "extra_groups": []}
            os.chmod(work, 0o755)
            os.chmod(f"{work}/tmp", 0o1777)
            os.chown(self.runs, a.uid, a.uid)
            attacker = {"user": a.uid + 1, "group": a.uid + 1, "extra_groups": []}
            python = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "intruder.py")
            self.intruder = subprocess.Popen([python, script, str(a.uid), self.runs, f"{work}/tmp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **attacker)
        demo, model = os.path.abspath(a.demo), os.path.abspath(a.model)
        for out in ["run", "full"]:
            open(f"{work}/{out}.yaml", "w").write(f"""out: {self.runs}/{out}
shards: 5
crawl: {{contact: soak@example.org, delay: 1ms, tries: 3, timeout: 1m, give_up: 1000, private_hosts: [127.0.0.1]}}
sources:
  - {{name: books, files: [{demo}/books]}}
  - {{name: news, kind: articles, role: derived, files: [list.jsonl]}}
quotes: [{{name: quotes, path: {demo}/quotes.jsonl}}]
score: {{model: {model}}}
""")
        self.listed = set(range(20))
        self.count = {"trials": 0, "builds": 0, "kills": 0, "fills": 0, "full": 0, "again": 0, "lost": 0}
        self.memory, self.seconds = [], 2.0

    def lose(self, what: str) -> None:
        self.count["lost"] += 1
        print("LOST:", what, flush=True)

    def change(self) -> None:
        for _ in range(self.random.randrange(1, 6)):
            n = self.random.randrange(60)
            if n in self.listed and len(self.listed) > 5:
                self.listed.remove(n)
            else:
                self.listed.add(n)
        with open(f"{self.work}/list.jsonl", "w") as f:
            for n in sorted(self.listed):
                f.write(json.dumps({"id": f"story-{n}", "url": f"{self.server.url}/{n}"}) + "\n")

    def start(self, out: str) -> subprocess.Popen:
        self.count["builds"] += 1
        p = subprocess.Popen([self.program, "build", f"{self.work}/{out}.yaml", "--top", "0", "--accept-loss"], start_new_session=True,
                             stdout=subprocess.DEVNULL, stderr=open(f"{self.work}/said", "w"), env={**os.environ, "TMPDIR": f"{self.work}/tmp"}, **self.user)
        self.neighbour.pid = p.pid
        return p

    def wait(self, p: subprocess.Popen) -> int:
        """Waits for the end and keeps what memory it took."""
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        self.neighbour.pid = 0
        self.memory.append(usage.ru_maxrss / 1024)
        said = open(f"{self.work}/said").read()
        if "panic:" in said or "goroutine " in said or p.returncode == 2:
            self.lose(f"status {p.returncode}: {said[-2000:]}")
        return p.returncode

    def finish(self, out: str) -> None:
        started = time.time()
        if (status := self.wait(self.start(out))) != 0:
            self.lose(f"a build that nobody disturbed ended with {status}: {open(self.work + '/said').read()}")
        if out == "full":
            self.seconds = 0.7 * self.seconds + 0.3 * (time.time() - started)

    def disturb(self) -> None:
        p = self.start("run")
        end = time.time() + self.random.random() * self.seconds * 1.1
        while time.time() < end and p.returncode is None:
            if os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
            time.sleep(0.005)
        if self.disk and self.random.random() < 0.5:
            self.count["fills"] += 1
            ballast = os.path.join(self.disk, "ballast")
            leave, stat = self.random.choice([0, 4096, 65536, 1 << 20]), os.statvfs(self.disk)
            try:
                with open(ballast, "wb") as f:
                    f.write(b"\0" * max(0, stat.f_bavail * stat.f_frsize - leave))
            except OSError:
                pass
            if self.wait(p) != 0:
                self.count["full"] += 1
            os.remove(ballast)
            return
        try:
            os.kill(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if self.wait(p) == -signal.SIGKILL:
            self.count["kills"] += 1

    def trial(self) -> None:
        self.count["trials"] += 1
        self.change()
        if self.random.random() < 0.3:
            shutil.rmtree(f"{self.runs}/run", ignore_errors=True)
        known = set() if not os.path.exists(f"{self.runs}/run") else set(self.archived)
        self.server.asked.clear()
        self.server.faults, self.server.calm = 0, False
        before = self.count["kills"] + self.count["full"]
        for _ in range(self.random.randrange(1, 5)):
            self.disturb()
            if self.random.random() < 0.3:
                self.change()
        self.finish("run")
        self.archived = known | self.listed
        asked, disturbed = sum(self.server.asked.values()), self.count["kills"] + self.count["full"] - before
        again = asked - len({int(path[1:]) for path in self.server.asked})
        again += len([path for path in self.server.asked if int(path[1:]) in known])
        self.count["again"] += again
        if again > self.server.faults + disturbed:
            self.lose(f"{again} answers were asked for again after {disturbed} disturbances and {self.server.faults} faults")
        self.server.calm = True
        shutil.rmtree(f"{self.runs}/full", ignore_errors=True)
        self.finish("full")
        a, b = self.files("run"), self.files("full")
        for name in sorted(a.keys() | b.keys()):
            if name not in a or name not in b or not filecmp.cmp(a[name], b[name], shallow=False):
                self.lose(f"{name} is not what a new build gives")
        if self.documents("run") != self.documents("full"):
            self.lose("documents are not what a new build gives")
        shutil.rmtree(f"{self.runs}/full", ignore_errors=True)
        if subprocess.run([self.program, "verify", "--out", f"{self.runs}/run"], stdout=subprocess.DEVNULL, **self.user).returncode != 0:
            self.lose("verify found damage")
        if not a:
            self.lose("there are no tables")
        for folder, folders, names in os.walk(f"{self.runs}/run"):
            for name in names + folders:
                if re.fullmatch(r"\..*\.tmp", name):
                    self.lose(f"{folder}/{name} is left")
        if left := os.listdir(f"{self.work}/tmp"):
            self.lose(f"temporary files are left: {left}")
            shutil.rmtree(f"{self.work}/tmp")
            os.makedirs(f"{self.work}/tmp")
            os.chmod(f"{self.work}/tmp", 0o1777)
        if left := [pid for pid in os.listdir("/proc") if pid.isdigit() and self.ours(pid)]:
            self.lose(f"processes are left: {left}")
        if self.neighbour.found:
            self.lose(f"the program listens: {self.neighbour.found}")
            self.neighbour.found = []

    def ours(self, pid: str) -> bool:
        try:
            return open(f"/proc/{pid}/cmdline").read().startswith(self.program) and self.work in open(f"/proc/{pid}/cmdline").read()
        except OSError:
            return False

    def files(self, out: str) -> dict[str, str]:
        """The shards of all tables of the version that readers get, but of documents, whose rows say when they were fetched."""
        root, found = os.path.realpath(f"{self.runs}/{out}/.current"), {}
        for folder, folders, names in os.walk(root):
            if folder == root:
                folders[:] = [name for name in folders if name not in ("documents",)]
            for name in names:
                if name.endswith(".parquet"):
                    found[os.path.relpath(f"{folder}/{name}", root)] = f"{folder}/{name}"
        return found

    def documents(self, out: str) -> list[dict]:
        text = subprocess.run([self.program, "inspect", "documents", "--out", f"{self.runs}/{out}", "--limit", "0", "--format", "jsonl"],
                              capture_output=True, check=True, **self.user).stdout
        return [{name: value for name, value in json.loads(line).items() if name != "fetched_at"} for line in text.splitlines()]

    def run(self) -> int:
        self.neighbour.start()
        self.archived = set()
        end, told = time.time() + self.minutes * 60, time.time()
        while time.time() < end:
            self.trial()
            if time.time() - told > 60:
                told = time.time()
                print(self.count, flush=True)
        self.neighbour.stop = True
        if self.intruder:
            *could, tries = self.intruder.communicate()[0].splitlines() or [""]
            if self.intruder.returncode != 0 or not re.match(r"\d+ tries ", tries):
                could += [tries, "the intruder ended early"]
            print(tries)
            for what in could:
                self.lose(what)
        n = len(self.memory) // 4
        first, last = statistics.median(self.memory[: n or 1]), statistics.median(self.memory[-n:])
        print("{trials} trials, {builds} builds, {kills} killed, {fills} with a disk that filled up ({full} ended by it), "
              "{again} answers asked for again, {lost} lost".format(**self.count))
        print(f"{self.neighbour.looks} looks for ports; at most {self.neighbour.files} open files; "
              f"memory {first:.0f} MB in the first quarter, {last:.0f} MB in the last, at most {max(self.memory):.0f} MB", flush=True)
        return 1 if self.count["lost"] else 0


if __name__ == "__main__":
    main()
