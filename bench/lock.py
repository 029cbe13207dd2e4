#!/usr/bin/env python3
"""Writes the lists that .ci/venv installs: all packages, their versions and their SHA-256.

    bench/lock.py [FILE.lock...]

Needs uv 0.9 (python3 -m pip install uv==0.9.0) and the package index. Each list is made of the
requirements beside it, for Linux and macOS on any processor.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

root = Path(__file__).resolve().parent.parent
# The list, what it is made of, and for which Python.
LOCKS = {
    "python/build.lock": ("python/build.txt", ">=3.11"),
    "python/wheel.lock": ("pyproject.toml", ">=3.11"),
    "bench/requirements.lock": ("bench/requirements.txt", ">=3.11"),
    "bench/requirements-export.lock": ("bench/requirements-export.txt", ">=3.11"),
    "bench/requirements-iceberg.lock": ("bench/requirements-iceberg.txt", ">=3.11"),
    "bench/requirements-squad.lock": ("bench/requirements-squad.txt", ">=3.11"),
    "bench/align_requirements.lock": ("bench/align_requirements.txt", ">=3.11"),
    "models/shipped/requirements-encoder.lock": ("models/shipped/requirements-encoder.txt", ">=3.11,<3.12"),
}


def requirements(path):
    if path.suffix == ".toml":
        return tomllib.loads(path.read_text())["project"]["dependencies"]
    found = []
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("-r "):
            found += requirements(path.parent / line[3:])
        elif line:
            found.append(line)
    return found


for lock in sys.argv[1:] or LOCKS:
    source, python = LOCKS[lock]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pyproject.toml").write_text(f"""[project]
name = "locked"
version = "0"
requires-python = "{python}"
dependencies = {requirements(root / source)}
[tool.uv]
environments = ["sys_platform == 'linux'", "sys_platform == 'darwin'"]
""")
        subprocess.run(["uv", "lock", "--quiet"], cwd=folder, check=True)
        export = ["uv", "export", "--quiet", "--format", "requirements-txt", "--no-emit-project", "--no-header", "--no-annotate"]
        text = subprocess.run(export, cwd=folder, check=True, capture_output=True, text=True).stdout
    # The lists are for these two alone, so the condition says nothing.
    text = text.replace(" ; sys_platform == 'darwin' or sys_platform == 'linux'", "")
    (root / lock).write_text(f"# Made of {os.path.basename(source)} by bench/lock.py.\n" + text)
