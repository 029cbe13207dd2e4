"""Turns a Hugging Face checkpoint into a model folder for commonplace.

    PYTHONPATH=models python3 -m commonplace_train.export CHECKPOINT FOLDER --head embed --pooling mean --normalize [--precision fp32|fp16|int8]

CHECKPOINT is a folder (config.json, weights, tokenizer.json). Attention is
exported eager at opset 17 and fused by ONNX Runtime's optimiser; the script fails
when a layer did not fuse or when agreement.py finds the graph's outputs too
far from PyTorch's. The language models of yes-no and seq2seq stay unfused, fp32 or fp16, and so do
encoders of 2 GB or more. A graph holds less than 2 GB of weights: larger ones are
written beside it, in model.onnx.data.
Needs models/requirements.txt: newer exporters write graphs that the
optimiser does not recognise.
"""

import argparse
import pathlib
import sys

import torch
from tokenizers import Tokenizer

from . import crf, folder
from .decoder import begin_and_end
from .graph import ENCODER_INPUTS
from .prompt import PROMPT
from .wrappers import Embedding, LanguageModel, Logits, Pooled, Ranked


def pretrained(kind, path, **options):
    """A model all of whose weights the checkpoint has: for those it lacks, a head's
    say, transformers would make some up."""
    model, told = kind.from_pretrained(path, output_loading_info=True, **options)
    missing = [name for name in told["missing_keys"] if kind.__name__ != "AutoModel" or not name.startswith("pooler.")]
    if missing:
        sys.exit(f"export: {path} has no weights for {', '.join(missing)}: is it a checkpoint for this head?")
    return model.eval()


def load(path, head, pooling):
    """The module, and the names of its inputs."""
    import transformers as t

    options = {"attn_implementation": "eager"}
    if head in ("yes-no", "seq2seq"):
        if t.AutoConfig.from_pretrained(path).is_encoder_decoder:
            return LanguageModel(pretrained(t.AutoModelForSeq2SeqLM, path, **options)), ENCODER_INPUTS[:2] + ["decoder_input_ids"]
        if head == "seq2seq":
            sys.exit("export: head seq2seq wants a model with an encoder and a decoder")
        return LanguageModel(pretrained(t.AutoModelForCausalLM, path, **options)), ENCODER_INPUTS[:2]
    if head == "quotability" and pathlib.Path(path, "head.safetensors").exists():
        return Ranked(pretrained(t.AutoModel, path, **options), pooling, path), ENCODER_INPUTS
    return load_encoder(t, path, head, options), ENCODER_INPUTS


def load_encoder(t, path, head, options):
    if head == "embed":
        return Embedding(pretrained(t.AutoModel, path, **options))
    if head in ("quotability", "rank"):
        if (labels := t.AutoConfig.from_pretrained(path).num_labels) > 2:
            sys.exit(f"export: the checkpoint has {labels} classes, and head {head} takes one number or two classes")
        return Logits(pretrained(t.AutoModelForSequenceClassification, path, num_labels=labels, **options))
    if head in ("quotability-sequence", "tag"):
        return Logits(pretrained(t.AutoModelForTokenClassification, path, num_labels=3 if head == "tag" else 1, **options))
    if head == "span":
        names = ("start_logits", "end_logits")
        return Logits(pretrained(t.AutoModelForQuestionAnswering, path, **options), names)
    sys.exit(f"export: head {head} has no exporter")


def labels_of(config, given):
    """O, B and I in the order of the logits: as given, as the checkpoint names them
    (B-QUOTE is B), or where it names none, in this order."""
    if given:
        return given
    names = [config.id2label[i] for i in sorted(config.id2label)]
    short = [name.split("-")[0].upper() for name in names]
    if sorted(short) == ["B", "I", "O"]:
        return short
    if not all(name.startswith("LABEL_") for name in names):
        sys.exit(f"export: the checkpoint's labels are {', '.join(names)}; say with --labels which are O, B and I")
    return ["O", "B", "I"]


def tag_of(config, options):
    try:
        scores = crf.read_file(options.crf) if options.crf else crf.read_checkpoint(options.checkpoint)
    except (OSError, ValueError) as e:
        sys.exit(f"export: {e}")
    return {"names": labels_of(config, options.labels)} | (scores or {})


def special_tokens(model, tokenizer, inputs, options):
    """tokens.begin and tokens.end of the manifest, where the head has them."""
    begin, end = ["[CLS]"], "[SEP]"
    if inputs[-1] == "decoder_input_ids":
        begin, end = begin_and_end(model.model.config, model.model.generation_config, tokenizer)
    elif options.head != "quotability-sequence":
        return None, None
    begin, end = options.begin or begin, options.end or end
    if options.head == "yes-no":
        end = None
    elif not end:
        sys.exit("export: the tokenizer puts no single token behind a text; say with --end what ends a target")
    if not begin:
        sys.exit("export: the checkpoint has no decoder_start_token_id; say with --begin what its decoder is given first")
    return begin if len(begin) > 1 else begin[0], end


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("folder")
    parser.add_argument("--head", required=True)
    parser.add_argument("--name")
    parser.add_argument("--max", type=int, default=512)
    parser.add_argument("--precision", choices=["fp32", "fp16", "int8"], default="fp32")
    parser.add_argument("--no-fusion", action="store_true", help="leave the graph as PyTorch exported it")
    parser.add_argument("--pooling", choices=["mean", "first"], default="mean", help="head embed, and quotability where the checkpoint has a head.safetensors")
    parser.add_argument("--normalize", action="store_true")
    parser.add_argument("--pool-in-graph", action="store_true", help="head embed: the graph gives one vector a text, as a GPU wants it")
    parser.add_argument("--transform", choices=["none", "exp"], default="none")
    parser.add_argument("--begin", nargs="+", metavar="TOKEN", help="what a decoder is given first (as the checkpoint says), or the token before all passages ([CLS])")
    parser.add_argument("--instruction", metavar="TOKEN", help="seq2seq: the token that every target begins with, such as <quo>; it is scored")
    parser.add_argument("--ordinary", metavar="TOKEN", help="seq2seq: what stands in place of --instruction before no quotation, such as <gen>: the model then says when to quote")
    parser.add_argument("--mask", metavar="TOKEN", help="seq2seq: what stands behind a context, such as <mask>; heads that read contexts: what [MASK] in a window means")
    parser.add_argument("--end", metavar="TOKEN", help="what ends a target (as the tokenizer says), or each passage ([SEP])")
    parser.add_argument("--prompt", default=PROMPT, help="head yes-no; by default that of RA-MTR")
    parser.add_argument("--yes", default="yes", help="head yes-no: the token that means it")
    parser.add_argument("--no", default="no")
    parser.add_argument("--labels", nargs=3, metavar="LABEL", help="head tag: what the logits stand for, O, B and I in their order (as the checkpoint names them)")
    parser.add_argument("--crf", metavar="FILE", help="head tag: JSON of the CRF's transitions, start and stop, where not the checkpoint's tensors crf.* are meant")
    parser.add_argument("--licence", required=True)
    parser.add_argument("--source", required=True)
    options = parser.parse_args(argv)
    if options.pool_in_graph and options.head != "embed":
        sys.exit(f"export: --pool-in-graph is for the head embed, not {options.head}")
    return options


def main():
    options = arguments()
    torch.set_num_threads(1)
    model, inputs = load(options.checkpoint, options.head, options.pooling)
    pooling = options.pooling
    if options.pool_in_graph:
        model, pooling = Pooled(model.model, options.pooling), "none"
    path = pathlib.Path(options.checkpoint, "tokenizer.json")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(options.max)
    begin, end = special_tokens(model, tokenizer, inputs, options)
    tokens = {"max": options.max, "begin": begin, "end": end, "instruction": options.instruction, "ordinary": options.ordinary, "mask": options.mask}
    parts = {
        "head": options.head, "description": f"{options.head} of {pathlib.Path(options.checkpoint).name}",
        "transform": options.transform, "precision": options.precision, "licence": options.licence, "source": options.source,
        "tokens": {key: value for key, value in tokens.items() if value},
    }
    if options.name:
        parts["name"] = options.name
    if options.head == "embed":
        parts["embed"] = {"from": pooling, "normalize": options.normalize}
    if options.head == "yes-no":
        parts["yes_no"] = {"prompt": options.prompt, "yes": options.yes, "no": options.no}
    if options.head == "tag":
        parts["tag"] = tag_of(model.model.config, options)
    made = folder.make(model, inputs, options.head, tokenizer, model.model.config, options.precision, pooling, options.max, not options.no_fusion)
    folder.write(options.folder, made, path.read_text(encoding="utf-8"), parts)


if __name__ == "__main__":
    main()
