#!/usr/bin/env python3
"""Writes a manual page for each command, from its --help: manual.py PROGRAM FOLDER."""

import re
import subprocess
import sys
from pathlib import Path

program, folder = sys.argv[1], Path(sys.argv[2])


def said(*args):
    return subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout


def page(name, help_text):
    escaped = help_text.replace("\\", "\\e").replace("-", "\\-")
    lines = ["\\&" + line if line[:1] in (".", "'") else line for line in escaped.splitlines()]
    first = re.split(r"(?<=[.:])\s", help_text, maxsplit=1)[0].replace("\n", " ")
    head = f'.TH {name.upper()} 1 "" "{said("--version").strip()}"\n.SH NAME\n{name} \\- {first}\n.SH DESCRIPTION\n.nf\n'
    (folder / f"{name}.1").write_text(head + "\n".join(lines) + "\n.fi\n", encoding="utf-8")


folder.mkdir(parents=True)
root = said("--help")
page("commonplace", root)
for command in re.findall(r"^  ([a-z]+) {2,}\S", root.split("Usage:")[1].split("\nFlags:")[0], re.M):
    if command not in ("help", "completion"):
        page(f"commonplace-{command}", said(command, "--help"))
