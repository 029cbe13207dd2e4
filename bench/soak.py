"""Builds a library that changes, over and over, and kills the builds.

    soak.py [--minutes 60] [--seed 1] [--program bin/commonplace] [--demo testdata/demo] [--model models/quotability-features]

Each trial changes the demonstration's sources (a book comes, goes or is changed;
an essay too), starts `commonplace build` up to four times and kills it with
signal 9 at a random moment, changing the sources again at times, and then lets it
finish. After that the tables must be the bytes of a build into a new folder,
`verify` must find nothing, no temporary file may be left, and no process. While a
build works, and after each kill, the rankings that are current must be whole.

Prints a line a minute and the sums at the end; exits with 1 if anything was lost.
What it draws depends on the seed alone; where a kill hits depends on the machine.
"""

import argparse
import filecmp
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("--minutes", type=float, default=60)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--program", default="bin/commonplace")
    p.add_argument("--demo", default="testdata/demo")
    p.add_argument("--model", default="models/quotability-features")
    a = p.parse_args()
    work = tempfile.mkdtemp()
    try:
        sys.exit(Soak(a, work).run())
    finally:
        shutil.rmtree(work, ignore_errors=True)


class Soak:
    def __init__(self, a: argparse.Namespace, work: str) -> None:
        self.program, self.minutes, self.work = os.path.abspath(a.program), a.minutes, work
        self.random = random.Random(a.seed)
        self.texts = {}
        for kind in ["books", "essays"]:
            for name in sorted(os.listdir(f"{a.demo}/{kind}")):
                raw = open(f"{a.demo}/{kind}/{name}", "rb").read()
                text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("latin-1")  # bytes, as they are
                self.texts[f"{kind}/{name.removesuffix('.gz')}"] = text
        for name in self.texts:
            self.put(name)
        self.config("""out: run
shards: 5
sources:
  - {name: books, files: [books]}
  - {name: essays, files: [essays], role: derived}
quotes: [{name: quotes, path: %s}]
align: {counts: counts}
score: {model: %s}
""" % (os.path.abspath(f"{a.demo}/quotes.jsonl"), os.path.abspath(a.model)))
        self.count = {"trials": 0, "builds": 0, "kills": 0, "lost": 0}
        self.seconds = 1.0

    def config(self, text: str) -> None:
        open(f"{self.work}/run.yaml", "w").write(text)
        open(f"{self.work}/full.yaml", "w").write(text.replace("out: run", "out: full"))

    def put(self, name: str) -> None:
        """Writes a text, changed a little half of the time."""
        text = self.texts[name]
        if self.random.random() < 0.5:
            words = text.split(" ")
            for _ in range(self.random.randrange(1, 20)):
                del words[self.random.randrange(len(words))]
            text = " ".join(words)
        os.makedirs(os.path.dirname(f"{self.work}/{name}"), exist_ok=True)
        open(f"{self.work}/{name}", "w", encoding="latin-1").write(text)

    def change(self) -> None:
        for _ in range(self.random.randrange(1, 4)):
            name = self.random.choice(sorted(self.texts))
            path = f"{self.work}/{name}"
            if os.path.exists(path) and self.random.random() < 0.4 and len(os.listdir(os.path.dirname(path))) > 1:
                os.remove(path)
            else:
                self.put(name)

    def start(self, config: str) -> subprocess.Popen:
        self.count["builds"] += 1
        return subprocess.Popen([self.program, "build", f"{self.work}/{config}.yaml", "--top", "0", "--accept-loss"], start_new_session=True,
                                stdout=subprocess.DEVNULL, stderr=open(f"{self.work}/said", "w"))

    def finish(self, config: str) -> None:
        started = time.time()
        p = self.start(config)
        if p.wait() != 0:
            self.lose(f"a build that nobody disturbed ended with {p.returncode}: {open(self.work + '/said').read()}")
        if config == "full":
            self.seconds = 0.7 * self.seconds + 0.3 * (time.time() - started)

    def lose(self, what: str) -> None:
        self.count["lost"] += 1
        print("LOST:", what, flush=True)

    def trial(self) -> None:
        self.count["trials"] += 1
        self.change()
        for _ in range(self.random.randrange(1, 5)):
            after = self.random.random() * self.seconds * 1.1
            p = self.start("run")
            try:
                p.wait(after)
            except subprocess.TimeoutExpired:
                os.kill(p.pid, signal.SIGKILL)
                p.wait()
                self.count["kills"] += 1
            self.rankings("run")
            if self.random.random() < 0.3:
                self.change()
        self.finish("run")
        shutil.rmtree(f"{self.work}/full", ignore_errors=True)
        self.finish("full")
        self.rankings("run")
        a, b = self.files("run"), self.files("full")
        for name in sorted(a.keys() | b.keys()):
            if name not in a or name not in b or not filecmp.cmp(a[name], b[name], shallow=False):
                self.lose(f"{name} is not what a new build gives")
        if subprocess.run([self.program, "verify", "--out", f"{self.work}/run"], stdout=subprocess.DEVNULL).returncode != 0:
            self.lose("verify found damage")
        for folder, _, names in os.walk(f"{self.work}/run"):
            for name in names:
                if re.fullmatch(r"\..*\.tmp", name):
                    self.lose(f"{folder}/{name} is left")
        if os.path.exists(f"{self.work}/run/.commonplace.tmp"):
            self.lose("the folder .commonplace.tmp is left")
        left = [pid for pid in os.listdir("/proc") if pid.isdigit() and self.ours(pid)] if os.path.isdir("/proc") else []
        if left:
            self.lose(f"processes are left: {left}")

    def ours(self, pid: str) -> bool:
        try:
            return self.work in open(f"/proc/{pid}/cmdline").read() and int(pid) != os.getpid()
        except OSError:
            return False

    def rankings(self, out: str) -> None:
        """The version that readers get is whole, however the last build ended."""
        current = os.path.realpath(f"{self.work}/{out}/.current")
        record = f"{current}/records/rankings/_commit.json"
        if not os.path.exists(record):
            return
        try:
            commit = json.load(open(record))
            for shard in commit["shards"]:
                if hashlib.sha256(open(f"{current}/rankings/{shard['file']}", "rb").read()).hexdigest() != shard["sha256"]:
                    self.lose(f"rankings: {shard['file']} is not what was written")
        except (OSError, ValueError) as err:
            self.lose(f"rankings: {err}")

    def files(self, out: str) -> dict[str, str]:
        """The files of the version that readers get, but for its number."""
        root, found = os.path.realpath(f"{self.work}/{out}/.current"), {}
        for folder, _, names in os.walk(root):
            for name in names:
                if name != ".night.json":
                    found[os.path.relpath(f"{folder}/{name}", root)] = f"{folder}/{name}"
        return found

    def run(self) -> int:
        self.finish("full")
        end, told = time.time() + self.minutes * 60, time.time()
        while time.time() < end:
            self.trial()
            if time.time() - told > 60:
                told = time.time()
                print(self.count, flush=True)
        print("{trials} trials, {builds} builds, {kills} killed, {lost} lost".format(**self.count), flush=True)
        return 1 if self.count["lost"] else 0


if __name__ == "__main__":
    main()
