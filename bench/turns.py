"""Runs commands turn about on one processor: each works for so many seconds and is
then stopped while the others do, so that what disturbs the machine disturbs all.

    python3 bench/turns.py SECONDS 'COMMAND' 'COMMAND'...

Commands measure themselves, in CPU seconds. The status is 1 if one failed.
"""

import os
import signal
import subprocess
import sys
import time


def main(seconds, *commands):
    running = [subprocess.Popen(c, shell=True, start_new_session=True) for c in commands]
    try:
        for p in running:
            os.killpg(p.pid, signal.SIGSTOP)
        while any(p.poll() is None for p in running):
            for p in running:
                if p.poll() is not None:
                    continue
                os.killpg(p.pid, signal.SIGCONT)
                end = time.monotonic() + float(seconds)
                while time.monotonic() < end and p.poll() is None:
                    time.sleep(0.1)
                if p.poll() is None:
                    os.killpg(p.pid, signal.SIGSTOP)
    finally:
        for p in running:
            if p.poll() is None:
                os.killpg(p.pid, signal.SIGKILL)
    return max(int(p.returncode != 0) for p in running)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
