"""The program: where it is, and how it is run."""

import importlib.util
import os
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
VARIABLE = "COMMONPLACE_ONNXRUNTIME"


class CommonplaceError(RuntimeError):
    """The program ended with a status other than 0. `status` is it, `args[0]` what it printed."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


class CommonplaceWarning(UserWarning):
    """Something that was given could not be read; the rest is done."""


def program() -> str:
    """The program's path: that of the wheel, or COMMONPLACE_PROGRAM."""
    path = os.environ.get("COMMONPLACE_PROGRAM") or str(HERE / "bin" / "commonplace")
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(f"there is no program at {path}: install commonplace-corpus from a wheel, or set COMMONPLACE_PROGRAM")
    return path


def environment() -> dict[str, str]:
    """The environment in which the program finds the library of the package onnxruntime."""
    env = dict(os.environ)
    if VARIABLE not in env and (library := onnxruntime()):
        env[VARIABLE] = library
    return env


def onnxruntime() -> str | None:
    """The shared library of the installed package onnxruntime. It is not imported: that takes longer than most commands."""
    spec = importlib.util.find_spec("onnxruntime")
    for folder in (spec and spec.submodule_search_locations) or ():
        for pattern in ("libonnxruntime.so*", "libonnxruntime.*dylib"):
            for path in sorted(Path(folder, "capi").glob(pattern)):
                return str(path)
    return None


def run(*args: str | os.PathLike, input: str | None = None) -> str:
    """Runs the program and returns what it printed. Another status than 0 is a [CommonplaceError]."""
    done = subprocess.run([program(), *map(os.fspath, args)], env=environment(), input=input, text=True, encoding="utf-8", capture_output=True)
    if done.returncode != 0:
        raise CommonplaceError(done.returncode, done.stderr.strip())
    for line in done.stderr.splitlines():
        if line.startswith("rejected "):
            warnings.warn(line, CommonplaceWarning, stacklevel=3)
    return done.stdout


def main() -> None:
    """The command `commonplace`: this process becomes the program."""
    path = program()
    os.execve(path, [path, *sys.argv[1:]], environment())
