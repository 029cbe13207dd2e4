#!/usr/bin/env python3
"""What the machine that submits a build does beside the workers, on a Flink of this machine.

    python3 bench/flink.py BOOKS QUOTES WORK [--megabytes 2000] [--task-managers 1 2 4]

Builds a library of so many megabytes (BOOKS, .txt.gz files, repeated with changes: bench/library.py)
with the quotations of QUOTES, first on the embedded runner, then on Flinks of so many task managers of
one slot each. Prints CPU seconds: of the submitting program, of the workers that the task managers
started, of the task managers themselves, of the job manager and Beam's job server. Prints too what
passed between Flink's tasks by Flink's own metric (write-bytes of every vertex of every job), and
whether the tables are the embedded runner's, byte for byte. No clock is printed: all share the
processors of one machine. Needs what deploy/flink/up needs, and WORK six times the library.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
UP, DOWN = ROOT / "deploy/flink/up", ROOT / "deploy/flink/down"
RUN = pathlib.Path(os.environ.get("FLINK_FOLDER", ROOT / ".flink")) / "run"
REST, JOBS = os.environ.get("FLINK_PORT", "8081"), os.environ.get("JOB_SERVER_PORT", "8099")
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(name):
    """CPU seconds of a daemon of deploy/flink/up, and of the children that it has waited for."""
    pid = (RUN / f"{name}.pid").read_text().strip()
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    own, children = (sum(map(int, fields[i : i + 2])) / TICKS for i in (11, 13))
    return own, children


def build(program, config, out, *more):
    """CPU seconds and MB of resident memory of a build."""
    with open(f"{out}.log", "w") as log:
        pid = subprocess.Popen([program, "build", config, "--out", out, "--top", "0", *more], stdout=subprocess.DEVNULL, stderr=log).pid
        _, status, used = os.wait4(pid, 0)
    if status:
        sys.exit(f"flink.py: the build failed; see {out}.log")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def shuffled():
    """Bytes that passed between the tasks of all jobs, and the number of jobs."""
    get = lambda path: json.load(urllib.request.urlopen(f"http://localhost:{REST}/jobs/{path}"))
    jobs = [job["jid"] for job in get("overview")["jobs"]]
    return sum(vertex["metrics"]["write-bytes"] for job in jobs for vertex in get(job)["vertices"]), len(jobs)


def no_workers(out):
    """Waits until the workers of a run have ended, and their task managers have counted them."""
    for _ in range(60):
        if subprocess.run(["pgrep", "-f", f"^{out}/.commonplace.tmp/worker-"], stdout=subprocess.DEVNULL).returncode:
            return
        time.sleep(1)
    sys.exit("flink.py: workers are left")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books")
    parser.add_argument("quotes", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--megabytes", default="2000")
    parser.add_argument("--task-managers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--model", default="fast", help="that scores, or none: scoring is work of workers alone")
    parser.add_argument("--program", default=ROOT / "bin/commonplace")
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True)
    subprocess.run([sys.executable, ROOT / "bench/library.py", options.books, work / "library", "--megabytes", options.megabytes], check=True)
    config = work / "flink.yaml"
    score = [] if options.model == "none" else [f"score: {{model: {options.model}}}"]
    config.write_text("\n".join([
        "out: tables",
        "shards: 64",
        "sources: [{name: library, files: [library]}]",
        f"quotes: [{{name: quotes, path: {json.dumps(str(options.quotes.resolve()))}}}]",
        *score,
    ]) + "\n")
    used, peak = build(options.program, config, work / "embedded")
    print(f"embedded: {used:.0f} CPU s, {peak:.0f} MB", flush=True)
    print("| task managers | submitting, CPU s | share of it and the workers | memory of it, MB | workers, CPU s | task managers, CPU s | job manager and job server, CPU s | between tasks, KB | jobs | tables |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|", flush=True)
    for n in options.task_managers:
        flink = os.environ | {"TASK_MANAGERS": str(n), "SLOTS": "1"}
        subprocess.run([DOWN], env=flink, check=True)
        subprocess.run([UP], env=flink, check=True, stderr=subprocess.DEVNULL)
        out, names = work / f"flink-{n}", [f"task-manager-{k + 1}" for k in range(n)]
        before = [cpu(name) for name in names]
        masters = sum(cpu(name)[0] for name in ("job-manager", "job-server"))
        used, peak = build(options.program, config, out, "--runner", "flink", "--parallelism", str(n), "--flink-master", f"localhost:{REST}", "--job-server", f"localhost:{JOBS}")
        no_workers(out)
        own, workers = (sum(after[i] - b[i] for after, b in zip(map(cpu, names), before)) for i in (0, 1))
        masters = sum(cpu(name)[0] for name in ("job-manager", "job-server")) - masters
        passed, jobs = shuffled()
        same = subprocess.run(["diff", "-rq", "-x", "run.json", "-x", ".nights", "-x", ".current", work / "embedded", out], stdout=subprocess.PIPE).returncode == 0
        print(f"| {n} | {used:.1f} | {100 * used / (used + workers):.1f} % | {peak:.0f} | {workers:.0f} | {own:.0f} | {masters:.0f} | {passed / 1000:.0f} | {jobs} | {'the same' if same else 'OTHER'} |", flush=True)
        subprocess.run([DOWN], env=flink, check=True)
        shutil.rmtree(out)


if __name__ == "__main__":
    main()
