"""Trains a model on what `commonplace export --for` wrote, and makes a model folder of it.

    PYTHONPATH=models python3 -m commonplace_train HEAD --data EXPORT --encoder CHECKPOINT --out OUT

EXPORT is the folder of an export, CHECKPOINT one of Hugging Face's (config.json, weights,
tokenizer.json). OUT gets

    model/        the model folder that the program takes; with two towers candidates/ too,
                  of a reader span/ and tag/, of joint choice/ and seq2seq/
    checkpoint/   the encoder, to train on or to give to others
    log.jsonl, curve.svg    loss, and the metric of each epoch on the validation rows
    state.pt      where training stands; the same command goes on from it

poisson, svm-rank and lambdamart read features and terms, take no --encoder, and write model/ alone.

The weights are those of the best epoch. The graph is compared with PyTorch before it is written.
"""

import argparse
import hashlib
import pathlib
import sys

import torch
import transformers

from . import candidates, choices, folder, joint, language, passages, readers, towers
from .graph import ENCODER_INPUTS
from .loop import Run, device_of
from .packed import PAPER
from .prompt import PROMPT
from .rows import Rows

HEADS = {
    "quotability": passages.Quotability, "quotability-sequence": passages.Sequence, "rank": candidates.Rank, "yes-no": language.YesNo,
    "span": readers.Reader, "tag": readers.Reader, "reader": readers.Reader, "embed": towers.Embed, "choice": choices.Choice, "seq2seq": language.Generate,
    "joint": joint.Joint,
}


PACKED = ("rank", "span", "tag", "reader")
POSITIONAL = ("quotability", "quotability-sequence")
COUNTED = ("poisson", "svm-rank", "lambdamart")  # of counted.py: no encoder


def arguments(argv=None):
    parser = argparse.ArgumentParser(prog="commonplace_train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("head", choices=[*HEADS, *COUNTED])
    parser.add_argument("--data", required=True, help="folder of `commonplace export --for`")
    parser.add_argument("--encoder", help="folder of the checkpoint to begin with; not for poisson, svm-rank and lambdamart")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--layers", type=int, help="take only this many of the lower layers")
    parser.add_argument("--freeze", type=int, help="the embeddings and this many lower layers stay as they are")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--steps", type=int, help="end after so many")
    parser.add_argument("--batch", type=int, default=32, help="texts or pairs of a step; embed: contexts of one document, 100 in RELiC")
    parser.add_argument("--accumulate", type=int, default=1, help="steps whose gradients are added up")
    parser.add_argument("--lr", type=float, default=5e-5)
    parser.add_argument("--head-lr", type=float, default=1e-3)
    parser.add_argument("--max", type=int, default=256, help="tokens of an input")
    parser.add_argument("--packed", type=int, nargs="*", metavar="TOKENS", help="rank, span, tag, reader: read title, [body_start], body and passage, each cut to so many tokens of its own; without numbers 20 100 200. 0 100 200 reads no title, 20 25 200 less of the body. --max is then their sum")
    parser.add_argument("--pooling", choices=["mean", "first"], default="mean")
    parser.add_argument("--loss", choices=["poisson", "listwise", "hinge"], default="listwise", help="quotability: see passages.py")
    parser.add_argument("--negatives", type=float, default=3, help="quotability: unquoted inputs for each quoted one, drawn anew for each epoch; inf: all. --loss poisson also draws as many of a document without a quoted one, at least 1, and weighs the drawn ones so that they stand for all")
    parser.add_argument("--positional", choices=list(passages.PLACES), metavar="GENRE", help=f"quotability, quotability-sequence: read passages with the positional tokens of the rows, which are those of label.counts.genre: {', '.join(passages.PLACES)}")
    parser.add_argument("--held-out", type=int, help="counts: the fold that is left out, as score.folds wants it")
    parser.add_argument("--grid", choices=["short", "paper"], default="short", help="poisson, svm-rank, lambdamart: settings that are tried on the validation documents; paper: those of Appendix H, 7 to 112 trainings, and twice as many with --lemmas best, as the paper has it")
    parser.add_argument("--terms", type=int, default=100_000, help="poisson, svm-rank, lambdamart: so many of the most frequent terms are read")
    parser.add_argument("--lemmas", nargs="?", choices=["no", "yes", "best"], const="yes", default="no", help="poisson, svm-rank, lambdamart: terms are of lemmas (write it behind the head); best: of lemmas or words, whichever the validation documents prefer")
    parser.add_argument("--few", type=int, default=0, help="training contexts or documents that are learnt from, picked by a hash: few-shot subsets; 0: all")
    parser.add_argument("--judged", type=int, default=0, help="validation contexts or documents that an epoch is judged by; 0: all")
    parser.add_argument("--alone", action="store_true", help="tag: read passages without a context (rows for token-classification)")
    parser.add_argument("--towers", type=int, choices=[1, 2], default=2, help="embed: encoders; 1 reads contexts and candidates alike")
    parser.add_argument("--gamma", type=float, default=0.1, help="joint: the weight of the generation's loss beside the recommendation's")
    parser.add_argument("--pseudo", type=int, default=5, help="joint: so many of the best recommendations are references of the generation, too; 0: none")
    parser.add_argument("--prompt", default=PROMPT, help="yes-no; by default that of RA-MTR")
    parser.add_argument("--yes", default="yes", help="yes-no: the token that means it")
    parser.add_argument("--no", default="no")
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    parser.add_argument("--mixed", choices=["auto", "fp32", "bf16", "fp16"], default="auto", help="arithmetic of training; auto is mixed on a GPU")
    parser.add_argument("--precision", choices=["fp32", "fp16", "int8"], default="fp32", help="of the graph")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save-every", type=int, default=200, help="steps between two saved states")
    parser.add_argument("--seed", type=int, default=1836)
    parser.add_argument("--licence", default="unknown", help="of the model, for model.yaml")
    parser.add_argument("--source", help="what the model was made of, for model.yaml")
    options = parser.parse_args(argv)
    if (options.encoder is None) != (options.head in COUNTED):
        parser.error(f"head {options.head} {'reads features: leave --encoder out' if options.encoder else 'needs --encoder'}")
    options.purpose = "counts" if options.head in COUNTED else HEADS[options.head].purpose if hasattr(HEADS[options.head], "purpose") else "token-classification" if options.alone else "span"
    if options.alone and options.head != "tag":
        parser.error(f"--alone is for the head tag, not {options.head}")
    if options.positional and options.head not in POSITIONAL:
        parser.error(f"--positional is for the heads {' and '.join(POSITIONAL)}, not {options.head}")
    if options.packed is not None:
        options.packed = tuple(options.packed) or PAPER
        if len(options.packed) != 3 or min(options.packed) < 0 or options.packed[2] < 1:
            parser.error("--packed takes no numbers or three: tokens of the title, of the body and of the passage, which has 1 or more")
        if options.alone or options.head not in PACKED:
            parser.error(f"--packed is for the heads {', '.join(PACKED)} with a context, not for {options.head}{' --alone' * options.alone}")
    if options.pseudo < 0 or not options.gamma >= 0:
        parser.error("--pseudo and --gamma are 0 or more")
    options.device = device_of(options.device)
    return options


def export(task, options, out):
    """The model folders, and what taught them."""
    state = {k: v.detach().cpu() for k, v in task.model.state_dict().items()}
    taught = task.rows.training(task.taught)
    for name, head, wrapper, make, texts, parts in task.folders():
        model = make("eager").eval()
        begins = parts.pop("state", "")
        model.load_state_dict({k.removeprefix(begins): v for k, v in state.items() if k.startswith(begins)})
        model.eval()
        module = wrapper(model).eval()
        base = getattr(model, "base", None)
        inputs = ENCODER_INPUTS if base is not None else getattr(module, "inputs", None) or ENCODER_INPUTS[:2] + ["decoder_input_ids"] * model.model.config.is_encoder_decoder
        texts.tokenizer.enable_truncation(texts.most, strategy="longest_first", direction=texts.direction)
        made = folder.make(module, inputs, head, texts.tokenizer, base.config if base is not None else None, options.precision, "none" if head == "embed" else "mean", texts.most)
        extra = {n: t.encode() for n, t in parts.pop("files", {}).items()}
        if taught is not None:
            extra["training.jsonl"] = taught
        listed = {n: {"file": n, "sha256": hashlib.sha256(b).hexdigest()} for n, b in extra.items()}
        manifest = {
            "head": head, "description": f"{options.head} on {pathlib.Path(options.encoder).name}", "transform": parts.pop("transform", "none"), "precision": options.precision,
            "licence": options.licence, "source": options.source or f"commonplace_train {options.head}", "tokens": {"max": texts.most} | parts.pop("tokens", {}),
        } | parts
        if "training.jsonl" in listed:
            manifest["training"] = listed["training.jsonl"]
        if head == "choice":
            manifest["choice"] |= listed["choices.jsonl"]
        folder.write(out / name, made, texts.json, manifest)
        for n, b in extra.items():
            (out / name / n).write_bytes(b)
        checkpoint = out / ("checkpoint" if name == "model" else f"checkpoint-{name}")
        (base if base is not None else model.model).save_pretrained(checkpoint)
        (checkpoint / "tokenizer.json").write_text(texts.json, encoding="utf-8")
        print(f"{out / name}: {(len(made.data) + len(made.weights)) / 1e6:.1f} MB")


def main(argv=None):
    options = arguments(argv)
    if options.head in COUNTED:
        from . import counted  # SciPy, and of LambdaMART XGBoost, are of these alone

        return counted.train(options, Rows(options.data, options.purpose, options.held_out, few=options.few))
    transformers.logging.set_verbosity_error()  # that the head is new, and upper layers are left out
    torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(options.device == "cpu")
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    rows = Rows(options.data, options.purpose, options.held_out, options.judged, options.few)
    task = HEADS[options.head](options, rows)
    if options.freeze is not None:
        for part in task.model.modules():
            if hasattr(part, "freeze"):
                part.freeze(options.freeze)
    run = Run(task, options, options.out)
    run.go()
    task.model.cpu().eval()
    options.device = "cpu"
    export(task, options, options.out)
    (options.out / "state.pt").unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
