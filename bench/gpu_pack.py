"""Packs what bench/gpu-prepare.sh made for a GPU machine to which only little travels.

    bench/gpu_pack.py pack FOLDER PACKED --checkpoint NAME=CHECKPOINT... [--drop]
    bench/gpu_pack.py unpack PACKED FOLDER

pack leaves out what the other side can make again. Of ONNX Runtime's CUDA provider it
keeps the machine code of one architecture (--arch, 90: an H100 or H200); with --drop also
no kernels that encoders in fp16 do not run (mixtures of experts, bfloat16, decoders).
The rest of the file is unchanged, and zeroes stand for what is left out. Of a model in FOLDER
it keeps no matrix: the graph says which tensors of the checkpoint each was made of.
The weights of a checkpoint travel as NAME.npz (gpu_sentences.shrink), or, where there is
no such file in FOLDER, are made up on the other side. Both sides of the benchmark run the same ones.

Packing needs zstandard and onnx; unpacking torch, transformers and onnx.
"""

import argparse
import hashlib
import json
import lzma
import pathlib
import re
import shutil
import struct
import sys

import numpy as np

FATBIN = 0xBA55ED50
NOT_RUN = re.compile(
    rb"GemmUniversal|MoeFCGemm|DqMma|moe|fpA_intB|onnxruntime3llm|bfloat16_t|8bfloat16|4Sm50|4Sm70|4Sm75|masked_multihead|"
    rb"Flash_fwd_kernel_traitsILi(96|128|192|256)E|4bit|8bits|kernel_mha|LinearAttention|gated_delta|CsaScore|BlockScaled|ClearSplitKSemaphores|Deformable"
)
LARGE = 1000  # bytes from which a tensor of a graph is left out; also the one row of token types, which is random where the weights are
CONFIGURATION = ["config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"]


def section(data, wanted):
    """Where a section of an ELF file begins and ends."""
    table, = struct.unpack_from("<Q", data, 0x28)
    count, names = struct.unpack_from("<HH", data, 0x3C)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * 64) for i in range(count)]
    for row in rows:
        begin = rows[names][4] + row[0]
        if data[begin : data.index(b"\0", begin)] == wanted:
            return row[4], row[4] + row[5]
    raise ValueError(f"no section {wanted.decode()}")


def entries(data):
    """Architecture, begin and end of the payload, and its bytes without filling, of each piece of machine code."""
    at, end = section(data, b".nv_fatbin")
    while at < end:
        if struct.unpack_from("<I", data, at)[0] != FATBIN:
            at += 8
            continue
        head, size = struct.unpack_from("<HQ", data, at + 6)
        entry, at = at + head, at + head + size
        while entry < at:
            own, payload, packed = struct.unpack_from("<IQI", data, entry + 4)
            yield struct.unpack_from("<I", data, entry + 28)[0], entry + own, entry + own + payload, packed or payload
            entry += own + payload


def prune(data, arch, drop=None):
    """The file with zeroes for the machine code of other architectures, and for that whose kernels are all of those to drop."""
    out, kept = bytearray(data), 0
    for of, begin, end, packed in entries(data):
        if of == arch and not (drop and drop(data[begin : begin + packed])):
            kept += end - begin
        else:
            out[begin:end] = bytes(end - begin)
    return bytes(out), kept


def not_run(code):
    import zstandard

    code = zstandard.ZstdDecompressor().decompress(code, max_output_size=1 << 30) if code[:4] == b"\x28\xb5\x2f\xfd" else code
    kernels = set(re.findall(rb"\.text\.([\w$]+)", code))
    return bool(kernels) and all(NOT_RUN.search(name) for name in kernels)


def made_of(wanted, state):
    """The tensors of a checkpoint that a matrix of a graph was made of: one, one turned, or three turned and side by side."""
    near = lambda a: a.shape == wanted.shape and np.abs(a[:8].astype(np.float32) - wanted[:8].astype(np.float32)).max() < 1e-3 and np.abs(a.astype(np.float32) - wanted.astype(np.float32)).max() < 1e-3
    for name, tensor in state.items():
        if near(tensor):
            return [name], False
        if tensor.ndim == 2 and near(tensor.T):
            return [name], True
        if name.endswith("query.weight") and tensor.shape[0] * 3 == wanted.shape[-1]:
            three = [name.replace("query", part) for part in ("query", "key", "value")]
            if near(np.hstack([state[n].T for n in three])):
                return three, True
    return None


def assemble(names, turned, state):
    return np.hstack([state[n].T for n in names]) if turned else state[names[0]]


def state_of(checkpoint):
    import transformers

    model = transformers.AutoModel.from_pretrained(checkpoint, add_pooling_layer=False)
    return {name: tensor.detach().float().numpy() for name, tensor in model.state_dict().items()}


def strip(folder, checkpoint, out):
    """A model folder without its matrices."""
    import onnx

    model, state, recipe = onnx.load(str(folder / "model.onnx")), state_of(checkpoint), {}
    for tensor in model.graph.initializer:
        if len(tensor.raw_data) >= LARGE and (found := made_of(onnx.numpy_helper.to_array(tensor), state)):
            recipe[tensor.name] = found
            tensor.raw_data = b""
    left = sum(len(t.raw_data) for t in model.graph.initializer)
    print(f"{folder.name}: {len(recipe)} matrices left out, {left} bytes of weights stay in the graph")
    out.mkdir(parents=True)
    (out / "model.onnx").write_bytes(model.SerializeToString())
    (out / "recipe.json").write_text(json.dumps(recipe))
    for file in ("model.yaml", "tokenizer.json"):
        shutil.copy(folder / file, out)
    for file in CONFIGURATION:
        if not (out / file).exists() and pathlib.Path(checkpoint, file).exists():
            shutil.copy(pathlib.Path(checkpoint, file), out)


def fill(folder, weights):
    """The model folder again, and in it the checkpoint that both sides run."""
    import onnx
    import torch
    import transformers

    if weights.exists():
        import gpu_sentences

        gpu_sentences.grow(weights, folder)
    else:
        torch.manual_seed(1)
        transformers.AutoModel.from_config(transformers.AutoConfig.from_pretrained(folder), add_pooling_layer=False).save_pretrained(folder)
    model, state = onnx.load(str(folder / "model.onnx")), state_of(folder)
    recipe = json.loads((folder / "recipe.json").read_text())
    for tensor in model.graph.initializer:
        if tensor.name in recipe:
            kind = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
            tensor.raw_data = np.ascontiguousarray(assemble(*recipe[tensor.name], state).astype(kind)).tobytes()
    data = model.SerializeToString(deterministic=True)
    (folder / "model.onnx").write_bytes(data)
    manifest = folder / "model.yaml"
    manifest.write_text(re.sub(r'(?m)^sha256: .*$', f'sha256: "{hashlib.sha256(data).hexdigest()}"', manifest.read_text(encoding="utf-8")), encoding="utf-8")


def pack(options):
    folder, packed = options.folder, options.packed
    stage = packed / "stage"
    shutil.rmtree(packed, ignore_errors=True)
    stage.mkdir(parents=True)
    for file in folder.iterdir():
        if file.is_file() and not file.name.startswith("SHA256SUMS"):
            shutil.copy(file, stage)
    (stage / "onnxruntime").mkdir()
    for file in (folder / "onnxruntime").iterdir():
        if not file.name.startswith("libcurand"):  # PyTorch's wheels may have it; it is 60 MB of code for many architectures
            shutil.copy(file, stage / "onnxruntime")
    provider = stage / "onnxruntime" / "libonnxruntime_providers_cuda.so"
    if provider.exists():
        data, kept = prune(provider.read_bytes(), options.arch, not_run if options.drop else None)
        provider.write_bytes(data)
        print(f"{provider.name}: {kept} bytes of machine code kept")
    for name, checkpoint in (given.split("=", 1) for given in options.checkpoint):
        strip(folder / name, checkpoint, stage / name)
    for file in sorted(p for p in stage.rglob("*") if p.is_file()):
        target = packed / (str(file.relative_to(stage)).replace("/", "+") + ".xz")
        with open(file, "rb") as source, lzma.open(target, "wb", preset=options.preset) as out:
            shutil.copyfileobj(source, out, 1 << 20)
    shutil.rmtree(stage)
    print(f"{packed}: {sum(f.stat().st_size for f in packed.iterdir())} bytes")


def unpack(options):
    from concurrent.futures import ThreadPoolExecutor

    def one(file):
        target = options.folder / file.stem.replace("+", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        with lzma.open(file) as source, open(target, "wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)

    with ThreadPoolExecutor() as pool:  # lzma works outside Python's lock
        list(pool.map(one, sorted(options.packed.glob("*.xz"))))
    program = options.folder / "scoring"
    if program.exists():
        program.chmod(0o755)
    for recipe in sorted(options.folder.glob("*/recipe.json")):
        try:
            fill(recipe.parent, options.folder / f"{recipe.parent.name}.npz")
        except Exception as e:  # the other model is measured all the same
            shutil.rmtree(recipe.parent)
            print(f"gpu_pack: {recipe.parent.name} could not be made: {e!r}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    step = steps.add_parser("pack")
    step.add_argument("folder", type=pathlib.Path)
    step.add_argument("packed", type=pathlib.Path)
    step.add_argument("--checkpoint", action="append", default=[], metavar="NAME=CHECKPOINT")
    step.add_argument("--arch", type=int, default=90)
    step.add_argument("--drop", action="store_true")
    step.add_argument("--preset", type=int, default=6)
    step = steps.add_parser("unpack")
    step.add_argument("packed", type=pathlib.Path)
    step.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    pack(options) if options.step == "pack" else unpack(options)


if __name__ == "__main__":
    main()
