"""Builds the program into the wheel: one binary, the shipped models, no Python of its own.

COMMONPLACE_BINARY names a binary that was built elsewhere, such as for another
platform, and COMMONPLACE_PLATFORM its wheel platform, such as macosx_14_0_arm64.
"""

import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TAGS = "disable_grpc_modules,grpcnotrace,osusergo"  # the Makefile's
MODELS = ("quotability-encoder", "quotability-features")


class ProgramHook(BuildHookInterface):
    def initialize(self, version, build_data):
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        binary = os.environ.get("COMMONPLACE_BINARY")
        if not binary:
            if not shutil.which("go"):
                raise SystemExit("commonplace-corpus is built with Go (https://go.dev) and a C compiler; there is no go here")
            self.folder = tempfile.TemporaryDirectory()  # until the wheel is written
            binary = Path(self.folder.name) / "commonplace"
            command = ["go", "build", "-trimpath", f"-tags={TAGS}", "-ldflags=-s -w", "-o", str(binary), "./cmd/commonplace"]
            subprocess.run(command, cwd=root, check=True, env={**os.environ, "GOFLAGS": ""})
        platform = os.environ.get("COMMONPLACE_PLATFORM") or platform_of(Path(binary))
        build_data["tag"] = f"py3-none-{platform}"
        build_data["pure_python"] = False
        include = build_data["force_include"]
        include[str(binary)] = "commonplace_corpus/bin/commonplace"
        for model in MODELS:
            include[str(root / "models" / model)] = f"commonplace_corpus/models/{model}"


def platform_of(binary: Path) -> str:
    """The wheel platform of a binary for this machine: of Linux the least glibc that it needs."""
    here = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if not here.startswith("linux"):
        return here
    needed = {tuple(map(int, v)) for v in re.findall(rb"GLIBC_(\d+)\.(\d+)", binary.read_bytes())}
    major, minor = max(max(needed), (2, 28))  # 2.28 is ONNX Runtime's
    return here.replace("linux", f"manylinux_{major}_{minor}", 1)
