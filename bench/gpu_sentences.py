"""Trains the encoder of `score.model: best` on a GPU, with a larger teacher, in minutes.

On a machine with a network and models/shipped/requirements-encoder.txt:

    bench/gpu_sentences.py prepare FOLDER --run out/readers-sentences --teacher MPNET --pupil MINILM [--pieces 28]

FOLDER gets the sentences and both checkpoints, their matrices in int8, in pieces of so many MB
for a machine to which only so much travels at a time. There:

    bench/gpu_sentences.py teacher FOLDER OUT [--folds 0 1 2 3 4 all] [--rate 3e-5]
    bench/gpu_sentences.py pupil FOLDER OUT [--folds ...] [--rate 2e-4] [--layers 6] [--alone]

models/shipped/finetune_sentences.py trains all folds at once. The program prints how well the held-out
sentences are ranked. OUT gets files that are small enough to be carried back: NAME.npz, the held-out
scores of all folds; NAME-all-0.npz and -1.npz, the weights of fold "all" that were trained, in fp16;
and teacher-scores.npz and told-folds.npz, which finetune_sentences.py --teacher takes. --alone trains
the pupil without its teacher, to compare.

    bench/gpu_sentences.py unpack ENCODER NAME.npz [NAME-all-0.npz NAME-all-1.npz --checkpoint MINILM]

makes of these the folder that models/shipped/judge_encoder.py and export_encoder.py read.
--device cpu tries it anywhere.
"""

import argparse
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import time

import numpy as np
import torch
import transformers

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "models" / "shipped"
sys.path += [str(SHIPPED), str(ROOT / "models")]
import finetune_sentences
import judge

SMALL = ["config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"]
BATCH = 64  # windows, on a GPU


def shrink(checkpoint, file):
    """The weights of a checkpoint: matrices as int8 with a scale for each row, the rest in fp16."""
    arrays = {}
    for name, tensor in transformers.AutoModel.from_pretrained(checkpoint, add_pooling_layer=False).state_dict().items():
        a = tensor.numpy()
        if a.ndim == 2:
            scale = np.abs(a).max(1, keepdims=True).clip(1e-8) / 127
            arrays[name], arrays[name + "/scale"] = np.round(a / scale).astype(np.int8), scale.astype(np.float32)
        elif a.dtype == np.float32:
            arrays[name] = a.astype(np.float16)
    np.savez(file, **arrays)


def grow(file, checkpoint):
    """A checkpoint from shrunk weights, beside its configuration."""
    arrays = np.load(file)
    model = transformers.AutoModel.from_config(transformers.AutoConfig.from_pretrained(checkpoint), add_pooling_layer=False)
    state = {}
    for name in arrays.files:
        if not name.endswith("/scale"):
            a = arrays[name].astype(np.float32)
            state[name] = torch.from_numpy(a * arrays[name + "/scale"] if name + "/scale" in arrays.files else a)
    missing, unknown = model.load_state_dict(state, strict=False)
    if unknown or [name for name in missing if not name.endswith("position_ids")]:
        sys.exit(f"{file}: not the weights of {checkpoint}: {missing} {unknown}")
    model.save_pretrained(checkpoint)


def prepare(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, SHIPPED / "pack_sentences.py", options.run, options.folder / "sentences.parquet"], check=True)
    for name in ("teacher", "pupil"):
        to = options.folder / name
        to.mkdir(exist_ok=True)
        for small in SMALL:
            if (getattr(options, name) / small).exists():
                shutil.copy(getattr(options, name) / small, to)
        shrink(getattr(options, name), options.folder / f"{name}.npz")
    for file in ("sentences.parquet", "teacher.npz", "pupil.npz"):
        data = (options.folder / file).read_bytes()
        size = int(options.pieces * 1e6)
        for i, at in enumerate(range(0, len(data), size)):
            (options.folder / f"{file}.piece-{i:02}").write_bytes(data[at : at + size])
        (options.folder / file).unlink()


def whole(folder):
    """The files of a folder, put together from their pieces."""
    for first in sorted(folder.glob("*.piece-00")):
        file = first.with_suffix("")
        if not file.exists():
            file.write_bytes(b"".join(p.read_bytes() for p in sorted(folder.glob(file.name + ".piece-*"))))
    for name in ("teacher", "pupil"):
        if not (folder / name / "model.safetensors").exists():
            grow(folder / f"{name}.npz", folder / name)


@functools.cache
def books(file):
    return finetune_sentences.Books(file)


def judged(file, folds):
    """Of each held-out book, does the encoder rank quoted sentences first, and lines that are worth repeating; the means."""
    of, areas, lines = books(file), [], []
    for fold in folds:
        scores = np.full((len(of.texts), 2), np.nan)
        scores[fold["rows"]] = fold["scores"]
        for rows in of.rows:
            rows = rows[np.isfinite(scores[rows, 0])]
            for areas_of, column, true, known in ((areas, 0, of.readers > 0, np.ones(len(of.texts), bool)), (lines, 1, of.grade > 0.5, np.isfinite(of.grade))):
                r = rows[known[rows]]
                if 0 < true[r].sum() < len(r):
                    areas_of.append(judge.auc(scores[r, column], true[r]))
    return f"AUC of quoted sentences {np.mean(areas):.4f} ({len(areas)} books), of good lines {np.mean(lines):.4f} ({len(lines)} books)"


def keep(teacher, sentences, out):
    """What the teachers say, [sentences, 2] each. teacher-scores.npz: held_out by those of the folds, of what these hold.
    told-folds.npz: told_N by each teacher, of what it learned from."""
    held_out = np.full((sentences, 2), np.nan, np.float16)
    for fold in teacher.glob("fold-*.npz"):
        got = np.load(fold)
        held_out[got["rows"]] = got["scores"]
    told = {f"told_{file.stem.removeprefix('told-')}": np.load(file) for file in sorted(teacher.glob("told-*.npy"))}
    np.savez_compressed(out / "teacher-scores.npz", held_out=held_out)
    np.savez_compressed(out / "told-folds.npz", **told)


def train(options, name, more):
    began = time.monotonic()
    whole(options.folder)
    out = options.folder / "trained" / name
    batch = 16 if options.device == "cpu" else BATCH
    together = [] if options.device == "cpu" else ["--together"]
    arguments = [options.folder / name.removesuffix("-alone"), out, "--sentences", options.folder / "sentences.parquet", "--device", options.device,
                 "--batch", batch, "--rate", options.rate, *together, "--folds", *options.folds, *more]
    subprocess.run([sys.executable, SHIPPED / "finetune_sentences.py", *map(str, arguments)], check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "models")})
    options.out.mkdir(parents=True, exist_ok=True)
    folds = [k for k in options.folds if k != "all"]
    got = [np.load(f"{out}/fold-{k}.npz") for k in folds]
    if folds:
        np.savez(options.out / f"{name}.npz", folds=np.repeat(np.array(folds, np.int8), [len(g["rows"]) for g in got]),
                 rows=np.concatenate([g["rows"] for g in got]).astype(np.int32), scores=np.concatenate([g["scores"] for g in got]).astype(np.float32))
        print(f"{name}, rate {options.rate}: {judged(options.folder / 'sentences.parquet', got)}", flush=True)
    if "all" in options.folds and name == "pupil":
        keep(options.folder / "trained" / "teacher", len(books(options.folder / "sentences.parquet").texts), options.out)
    if "all" in options.folds and name != "teacher":
        state = transformers.AutoModel.from_pretrained(out / "fold-all", add_pooling_layer=False).state_dict()
        head = torch.load(out / "fold-all" / "head.pt", weights_only=True, map_location="cpu")
        trained = {k: v for k, v in state.items() if not k.startswith("embeddings.")} | {"head/" + k: v for k, v in head.items()}
        names = sorted(trained)
        halves = names[: len(names) // 2], names[len(names) // 2 :]
        for part in range(2):
            np.savez(options.out / f"{name}-all-{part}.npz", **{k: trained[k].cpu().numpy().astype(np.float16) for k in halves[part]})
    print(f"{name}, folds {' '.join(options.folds)}: {time.monotonic() - began:.0f} s", flush=True)


def unpack(options):
    encoder, files = options.encoder, options.files
    encoder.mkdir(parents=True, exist_ok=True)
    scores = np.load(files[0])
    for k in np.unique(scores["folds"]):
        of = scores["folds"] == k
        np.savez(encoder / f"fold-{k}.npz", rows=scores["rows"][of], scores=scores["scores"][of].astype(np.float64))
    if len(files) > 1:
        trained = {k: v for file in files[1:] for k, v in np.load(file).items()}
        layers = 1 + max(int(k.split(".")[2]) for k in trained if k.startswith("encoder.layer."))
        model = transformers.AutoModel.from_pretrained(options.checkpoint, num_hidden_layers=layers, add_pooling_layer=False)
        weights = {k: torch.from_numpy(trained[k].astype(np.float32)) for k in trained}
        _, unknown = model.load_state_dict({k: v for k, v in weights.items() if not k.startswith("head/")}, strict=False)
        if unknown:
            sys.exit(f"{files[1:]}: not weights of {options.checkpoint}: {unknown}")
        model.save_pretrained(encoder / "fold-all")
        for small in SMALL[1:]:
            if (options.checkpoint / small).exists():
                shutil.copy(options.checkpoint / small, encoder / "fold-all")
        torch.save({k.removeprefix("head/"): v for k, v in weights.items() if k.startswith("head/")}, encoder / "fold-all" / "head.pt")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    step = steps.add_parser("prepare")
    step.add_argument("folder", type=pathlib.Path)
    step.add_argument("--run", required=True)
    step.add_argument("--teacher", type=pathlib.Path, required=True)
    step.add_argument("--pupil", type=pathlib.Path, required=True)
    step.add_argument("--pieces", type=float, default=28, help="MB")
    for name in ("teacher", "pupil"):
        step = steps.add_parser(name)
        step.add_argument("folder", type=pathlib.Path)
        step.add_argument("out", type=pathlib.Path)
        step.add_argument("--folds", nargs="*", default=["0", "1", "2", "3", "4", "all"])
        step.add_argument("--layers", default="0" if name == "teacher" else "6")
        step.add_argument("--rate", type=float, default=3e-5 if name == "teacher" else 2e-4)
        step.add_argument("--device", default="cuda")
        if name == "pupil":
            step.add_argument("--alone", action="store_true")
    step = steps.add_parser("unpack")
    step.add_argument("encoder", type=pathlib.Path)
    step.add_argument("files", nargs="+")
    step.add_argument("--checkpoint", type=pathlib.Path)
    options = parser.parse_args()
    if options.step == "prepare":
        prepare(options)
    elif options.step == "unpack":
        unpack(options)
    elif options.step == "teacher":
        train(options, "teacher", ["--layers", options.layers])
    else:
        taught = [] if options.alone else ["--teacher", options.folder / "trained" / "teacher"]
        train(options, "pupil-alone" if options.alone else "pupil", ["--layers", options.layers, *taught])


if __name__ == "__main__":
    main()
