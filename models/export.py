"""Turns a Hugging Face checkpoint into a model folder for commonplace.

    python3 models/export.py CHECKPOINT FOLDER --head embed --pooling mean --normalize [--precision fp32|fp16|int8]

CHECKPOINT is a folder (config.json, weights, tokenizer.json). Attention is
exported eager at opset 17 and fused by ONNX Runtime's optimiser; the script fails
when a layer did not fuse or when models/agreement.py finds the graph's outputs too
far from PyTorch's. The language models of yes-no and seq2seq stay as they are exported, fp32 and
unfused. A graph is one file and holds less than 2 GB of weights.
Needs models/requirements-export.txt: newer exporters write graphs that the
optimiser does not recognise.
"""

import argparse
import hashlib
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library is loaded, which else reports to its makers
import onnx
import onnxruntime
import torch

import crf
from agreement import check, padded, paragraphs
from decoder import begin_and_end

OPSET = 17


def export_graph(model, inputs, outputs):
    """The ONNX graph of a module whose inputs are int64 [n, tokens] each, as bytes."""
    model.eval()  # the whole of it: the exporter gives the outermost module's mode back to all parts
    example = tuple(torch.ones((2, 4 + (name == "decoder_input_ids")), dtype=torch.int64) * (1 if "type" not in name else 0) for name in inputs)
    axes = {name: {0: "n", 1: "decoder_tokens" if name == "decoder_input_ids" else "tokens"} for name in inputs}
    got = model(*example)
    for name, value in zip(outputs, got, strict=True):
        axes[name] = {0: "n"}
        if value.dim() > 1 and value.shape[1] == example[-1].shape[1] and value.dim() + len(outputs) > 2 and value.shape[1] != 1:
            axes[name][1] = axes[inputs[-1]][1]
    buffer = io.BytesIO()
    torch.onnx.export(model, example, buffer, input_names=inputs, output_names=outputs, dynamic_axes=axes, opset_version=OPSET, do_constant_folding=True)
    graph = onnx.load_from_string(buffer.getvalue())
    for node in graph.graph.node:  # names of modules and places in the source only make the file larger
        node.doc_string = ""
    return graph.SerializeToString(deterministic=True)


def write_manifest(folder, parts):
    """model.yaml. JSON is YAML, and keeps numbers and strings exact."""
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in parts.items()]
    pathlib.Path(folder, "model.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


class Embedding(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, token_type_ids):
        return (self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state,)


class Pooled(torch.nn.Module):
    """Pools in the graph: a GPU then gives back one vector a text, not one a token."""

    def __init__(self, model, pooling):
        super().__init__()
        self.model, self.pooling = model, pooling

    def forward(self, input_ids, attention_mask, token_type_ids):
        hidden = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        if self.pooling == "first":
            return (hidden[:, 0],)
        mask = attention_mask.unsqueeze(1).to(hidden.dtype)
        return (torch.bmm(mask / mask.sum(-1, keepdim=True), hidden).squeeze(1),)


class Ranked(Pooled):
    """A linear head on what is pooled; head.safetensors of the checkpoint has its weight [1, d] and bias."""

    def __init__(self, model, pooling, path):
        super().__init__(model, pooling)
        from safetensors.torch import load_file

        self.head = torch.nn.Linear(model.config.hidden_size, 1)
        self.head.load_state_dict(load_file(pathlib.Path(path, "head.safetensors")))

    def forward(self, *inputs):
        return (self.head(super().forward(*inputs)[0]),)


class Logits(torch.nn.Module):
    def __init__(self, model, names=("logits",)):
        super().__init__()
        self.model, self.names = model, names

    def forward(self, input_ids, attention_mask, token_type_ids):
        got = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        return tuple(getattr(got, name) for name in self.names)


class LanguageModel(torch.nn.Module):
    """Causal: ids and mask. With an encoder: the decoder's ids too."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, decoder_input_ids=None):
        more = {} if decoder_input_ids is None else {"decoder_input_ids": decoder_input_ids}
        return (self.model(input_ids=input_ids, attention_mask=attention_mask, use_cache=False, **more).logits,)


ENCODER_INPUTS = ["input_ids", "attention_mask", "token_type_ids"]


def pretrained(kind, path, **options):
    """A model all of whose weights the checkpoint has: for those it lacks, a head's
    say, transformers would make some up."""
    model, told = kind.from_pretrained(path, output_loading_info=True, **options)
    missing = [name for name in told["missing_keys"] if kind.__name__ != "AutoModel" or not name.startswith("pooler.")]
    if missing:
        sys.exit(f"export: {path} has no weights for {', '.join(missing)}: is it a checkpoint for this head?")
    return model.eval()


def load(path, head, pooling):
    """The module, the names of its inputs and of its outputs."""
    import transformers as t

    options = {"attn_implementation": "eager"}
    if head in ("yes-no", "seq2seq"):
        if t.AutoConfig.from_pretrained(path).is_encoder_decoder:
            return LanguageModel(pretrained(t.AutoModelForSeq2SeqLM, path, **options)), ENCODER_INPUTS[:2] + ["decoder_input_ids"], ["logits"]
        if head == "seq2seq":
            sys.exit("export: head seq2seq wants a model with an encoder and a decoder")
        return LanguageModel(pretrained(t.AutoModelForCausalLM, path, **options)), ENCODER_INPUTS[:2], ["logits"]
    if head == "quotability" and pathlib.Path(path, "head.safetensors").exists():
        return Ranked(pretrained(t.AutoModel, path, **options), pooling, path), ENCODER_INPUTS, ["logits"]
    model, outputs = load_encoder(t, path, head, options)
    return model, ENCODER_INPUTS, outputs


def load_encoder(t, path, head, options):
    if head == "embed":
        return Embedding(pretrained(t.AutoModel, path, **options)), ["last_hidden_state"]
    if head in ("quotability", "rank"):
        if (labels := t.AutoConfig.from_pretrained(path).num_labels) > 2:
            sys.exit(f"export: the checkpoint has {labels} classes, and head {head} takes one number or two classes")
        return Logits(pretrained(t.AutoModelForSequenceClassification, path, num_labels=labels, **options)), ["logits"]
    if head in ("quotability-sequence", "tag"):
        return Logits(pretrained(t.AutoModelForTokenClassification, path, num_labels=3 if head == "tag" else 1, **options)), ["logits"]
    if head == "span":
        names = ("start_logits", "end_logits")
        return Logits(pretrained(t.AutoModelForQuestionAnswering, path, **options), names), list(names)
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


def check_length(model, tokenizer, inputs, most):
    """Some models have places for fewer tokens than --max says, which shows at the
    first text that is so long."""
    text = " ".join(paragraphs())
    while len(tokenizer.encode(text).ids) < most:
        text += " " + text
    feed = padded([tokenizer.encode(text)], inputs, 0)
    try:
        with torch.no_grad():
            model(*(torch.tensor(feed[name]) for name in inputs))
    except (IndexError, RuntimeError) as e:
        sys.exit(f"export: the model does not take {most} tokens, give a smaller --max: {e}")


def fuse(data, config, precision):
    from onnxruntime.transformers import optimizer
    from onnxruntime.transformers.fusion_options import FusionOptions

    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "plain.onnx"))
        pathlib.Path(path).write_bytes(data)
        m = optimizer.optimize_model(path, model_type="bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size, optimization_options=FusionOptions("bert"), opt_level=1)
        fused = sum(n.op_type in ("Attention", "MultiHeadAttention") for n in m.model.graph.node)
        if fused != config.num_hidden_layers:
            sys.exit(f"export: attention fused in {fused} of {config.num_hidden_layers} layers")
        if precision == "fp16":
            m.convert_float_to_float16(keep_io_types=True)
        if precision == "int8":
            from onnxruntime.quantization import QuantType, quantize_dynamic

            source, target = str(pathlib.Path(folder, "f.onnx")), str(pathlib.Path(folder, "q.onnx"))
            m.save_model_to_file(source)
            quantize_dynamic(source, target, weight_type=QuantType.QInt8, reduce_range=True, per_channel=True, extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT})
            return pathlib.Path(target).read_bytes()
        return m.model.SerializeToString(deterministic=True)


def agreement(data, model, tokenizer, inputs, options):
    """What models/agreement.py says of the graph beside PyTorch."""
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])

    def reference(feed):
        with torch.no_grad():
            return [o.numpy() for o in model(*(torch.tensor(feed[name]) for name in inputs))]

    pad = next((i for i in map(tokenizer.token_to_id, ("[PAD]", "<pad>")) if i is not None), 0)
    pooling = "none" if options.pool_in_graph else options.pooling
    texts = paragraphs()
    before = texts[:1] if options.head in ("rank", "span", "tag") else []  # a context
    return check(options.precision, options.head, pooling, reference, lambda feed: session.run(None, feed), [tokenizer.encode(*before, p) for p in texts], inputs, pad)


def main():
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
    parser.add_argument("--end", metavar="TOKEN", help="what ends a target (as the tokenizer says), or each passage ([SEP])")
    parser.add_argument("--prompt", default="Context: {context} Passage: {passage} Does the passage follow?", help="head yes-no")
    parser.add_argument("--yes", default="yes", help="head yes-no: the token that means it")
    parser.add_argument("--no", default="no")
    parser.add_argument("--labels", nargs=3, metavar="LABEL", help="head tag: what the logits stand for, O, B and I in their order (as the checkpoint names them)")
    parser.add_argument("--crf", metavar="FILE", help="head tag: JSON of the CRF's transitions, start and stop, where not the checkpoint's tensors crf.* are meant")
    parser.add_argument("--licence", required=True)
    parser.add_argument("--source", required=True)
    options = parser.parse_args()
    from tokenizers import Tokenizer

    if options.pool_in_graph and options.head != "embed":
        sys.exit(f"export: --pool-in-graph is for the head embed, not {options.head}")
    torch.set_num_threads(1)
    model, inputs, outputs = load(options.checkpoint, options.head, options.pooling)
    if options.pool_in_graph:
        model, outputs = Pooled(model.model, options.pooling), ["sentence_embedding"]
    tokenizer = Tokenizer.from_file(str(pathlib.Path(options.checkpoint, "tokenizer.json")))
    tokenizer.no_padding()
    tokenizer.enable_truncation(options.max)
    check_length(model, tokenizer, inputs, options.max)
    begin, end = special_tokens(model, tokenizer, inputs, options)
    tag = tag_of(model.model.config, options) if options.head == "tag" else None
    weights = sum(p.numel() * p.element_size() for p in model.parameters())
    if weights >= 2**31:
        sys.exit(f"export: {options.checkpoint} has {weights / 1e9:.1f} GB of weights, and one graph holds less than 2 GB; external data is not supported")
    with torch.no_grad():
        data = export_graph(model, inputs, outputs)
    if options.precision != "fp32" and inputs != ENCODER_INPUTS:
        sys.exit(f"export: head {options.head} is exported in fp32 only")
    if options.precision != "fp32" and options.no_fusion:
        sys.exit("export: --no-fusion is for fp32, since the conversion to another precision comes after the fusion")
    if not options.no_fusion and inputs == ENCODER_INPUTS:
        data = fuse(data, model.model.config, options.precision)
    lines, good = agreement(data, model, tokenizer, inputs, options)
    print("\n".join(lines))
    if not good:
        sys.exit("export: the graph does not say what PyTorch says; nothing was written")
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(data)
    shutil.copy(pathlib.Path(options.checkpoint, "tokenizer.json"), folder / "tokenizer.json")
    opset = next(o.version for o in onnx.load_from_string(data).opset_import if o.domain in ("", "ai.onnx"))
    tokens = {"max": options.max}
    if begin:
        tokens["begin"] = begin
    if end:
        tokens["end"] = end
    if options.instruction:
        tokens["instruction"] = options.instruction
    parts = {
        "name": options.name or folder.name, "head": options.head, "description": f"{options.head} of {pathlib.Path(options.checkpoint).name}", "inputs": inputs, "outputs": outputs,
        "transform": options.transform, "opset": opset, "precision": options.precision, "licence": options.licence, "source": options.source,
        "sha256": hashlib.sha256(data).hexdigest(), "tokens": tokens,
    }
    if options.head == "embed":
        parts["embed"] = {"from": "none" if options.pool_in_graph else options.pooling, "normalize": options.normalize}
    if options.head == "yes-no":
        parts["yes_no"] = {"prompt": options.prompt, "yes": options.yes, "no": options.no}
    if options.head == "tag":
        parts["tag"] = tag
    write_manifest(folder, parts)


if __name__ == "__main__":
    main()
