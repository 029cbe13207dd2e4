"""python3 -m unittest discover models/tests: what bench/gpu_pack.py leaves out and makes again. Needs numpy."""

import pathlib
import struct
import sys
import unittest

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import gpu_pack  # noqa: E402


def entry(arch, payload):
    head = struct.pack("<HHIQII", 2, 257, 64, len(payload), len(payload) - 3, 0).ljust(28, b"\0") + struct.pack("<I", arch)
    return head.ljust(64, b"\0") + payload


def library(*containers):
    """An ELF file with a section .nv_fatbin, in which zeroes stand between the containers."""
    code = b"\0" * 8
    for entries in containers:
        body = b"".join(entries)
        code += struct.pack("<IHHQ", gpu_pack.FATBIN, 1, 16, len(body)) + body + b"\0" * 16
    names = b"\0.nv_fatbin\0.shstrtab\0"
    row = lambda name, at, size: struct.pack("<IIQQQQIIQQ", name, 1, 0, 0, at, size, 0, 0, 8, 0)
    table = row(0, 0, 0) + row(1, 64, len(code)) + row(12, 64 + len(code), len(names))
    elf = bytearray(b"\x7fELF".ljust(64, b"\0"))
    struct.pack_into("<Q", elf, 0x28, 64 + len(code) + len(names))
    struct.pack_into("<HH", elf, 0x3C, 3, 2)
    return bytes(elf) + code + names + table


class Prune(unittest.TestCase):
    def test_only_one_architecture_keeps_its_code(self):
        first, second, other = b"\1" * 32, b"\2" * 40, b"\3" * 48
        given = library([entry(80, other), entry(90, first)], [entry(90, second), entry(120, other)])
        nothing = bytes(48)
        want = library([entry(80, other), entry(90, first)], [entry(90, second), entry(120, other)]).replace(other, nothing)
        self.assertEqual(gpu_pack.prune(given, 90), (want, 72))

    def test_code_is_dropped_without_its_filling(self):
        given, seen = library([entry(90, b"\1" * 32)], [entry(90, b"\2" * 40)]), []
        out, kept = gpu_pack.prune(given, 90, lambda code: seen.append(code) or code[0] == 2)
        self.assertEqual((out, kept, seen), (given.replace(b"\2" * 40, bytes(40)), 32, [b"\1" * 29, b"\2" * 37]))


class Weights(unittest.TestCase):
    def test_matrices_are_made_again(self):
        rng = np.random.default_rng(3)
        state = {f"layer.{part}.weight": rng.normal(size=(12, 12)).astype(np.float32) for part in ("query", "key", "value")}
        state["words"], state["wide"] = rng.normal(size=(30, 12)).astype(np.float32), rng.normal(size=(24, 12)).astype(np.float32)
        side_by_side = np.hstack([state[f"layer.{part}.weight"].T for part in ("query", "key", "value")])
        for wanted in (state["words"], state["wide"].T, side_by_side):
            again = gpu_pack.assemble(*gpu_pack.made_of(wanted.astype(np.float16), state), state)
            np.testing.assert_array_equal(again, wanted)
        self.assertIsNone(gpu_pack.made_of(wanted + 1, state))


if __name__ == "__main__":
    unittest.main()
