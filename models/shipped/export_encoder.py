"""Makes the model folder of an encoder that models/shipped/finetune_sentences.py trained.

    python3 models/shipped/export_encoder.py CHECKPOINT FOLDER --default models/quotability-features \\
        --run RUN --mean M --spread S --weight W --line-mean LM --line-spread LS --line-weight LW --line-share SHARE --rate R --cpu-ms MS [--teacher NAME] [--precision fp32|int8]

CHECKPOINT is OUT/fold-all. The graph gives each token the mean, over the tokens of its sentence, of
the encoder's linear layer, in two outputs: logits (is it quoted) and lines (is it a good line). The
program reads them at the [SEP] behind a sentence (head quotability-sequence). FOLDER adds the
default with the weight W to the one and LW to the other. models/shipped/judge_encoder.py prints
all of them: they bring the sum of logits and the default, and lines, to mean 0 and spread 1.
SHARE of lines is a part of logits. Sentences make a passage's score at the rate R (infer/sentences.go).
Needs models/shipped/requirements-encoder.txt.
"""

import argparse
import hashlib
import os
import pathlib
import shutil
import sys

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the library is loaded, which else reports to its makers
import onnx
import onnxruntime
import torch
import transformers
import yaml
from tokenizers import Tokenizer

import finetune_sentences
from commonplace_train import agreement, folder, graph, taught
from sentence_windows import Encoder


OUTPUTS = ["logits", "lines"]


class Means(torch.nn.Module):
    """Twice [n, tokens, 1]: the means of the linear layer over the tokens of each token's sentence."""

    def __init__(self, encoder, begin, end, mean, spread, share):
        """mean and spread have two numbers each, to which the outputs are scaled; share is what the first has of the second."""
        super().__init__()
        self.model, self.begin, self.end = encoder.base, begin, end
        self.head = torch.nn.Linear(encoder.head.in_features, 2)
        mean, spread = torch.tensor(mean), torch.tensor(spread)
        with torch.no_grad():
            self.head.weight.copy_(encoder.head.weight / spread[:, None])
            self.head.bias.copy_((encoder.head.bias - mean) / spread)
            self.head.weight[0] += share * self.head.weight[1]
            self.head.bias[0] += share * self.head.bias[1]

    def forward(self, input_ids, attention_mask, token_type_ids):
        hidden = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        ends = (input_ids == self.end).long()
        sentence = ends.cumsum(1) - ends
        text = attention_mask * (input_ids != self.begin).long()
        same = ((sentence[:, :, None] == sentence[:, None, :]).long() * text[:, None, :]).float()
        means = torch.bmm(same, self.head(hidden)) / same.sum(-1, keepdim=True).clamp(min=1)
        return means[..., :1], means[..., 1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True, help="folder of the run that taught it")
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--default", type=pathlib.Path, required=True)
    parser.add_argument("--mean", type=float, required=True)
    parser.add_argument("--spread", type=float, required=True)
    parser.add_argument("--weight", type=float, required=True)
    for name in ("--line-mean", "--line-spread", "--line-weight", "--line-share", "--rate"):
        parser.add_argument(name, type=float, required=True)
    parser.add_argument("--cpu-ms", type=float, required=True, help="CPU milliseconds of a passage of 200 words, all in")
    parser.add_argument("--teacher", help="name of the encoder that taught it, if one did")
    parser.add_argument("--precision", choices=["fp32", "int8"], default="int8")
    options = parser.parse_args()
    torch.set_num_threads(1)

    tokenizer = Tokenizer.from_file(str(options.checkpoint / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(finetune_sentences.READ)
    layers = transformers.AutoConfig.from_pretrained(options.checkpoint).num_hidden_layers
    encoder = Encoder(options.checkpoint, layers, attention="eager")
    encoder.head.load_state_dict(torch.load(options.checkpoint / "head.pt", weights_only=True))
    model = Means(encoder, tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]"), [options.mean, options.line_mean], [options.spread, options.line_spread], options.line_share).eval()
    with torch.no_grad():
        data = graph.fuse(graph.export_graph(model, graph.ENCODER_INPUTS, OUTPUTS), encoder.base.config, options.precision)
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])

    def reference(feed):
        with torch.no_grad():
            return [o.numpy() for o in model(*(torch.tensor(feed[name]) for name in graph.ENCODER_INPUTS))]

    lines, good = agreement.check(options.precision, "quotability-sequence", "mean", reference, lambda feed: session.run(None, feed), [tokenizer.encode(p) for p in agreement.paragraphs()], graph.ENCODER_INPUTS)
    print("\n".join(lines))
    if not good:
        sys.exit("export: the graph does not say what PyTorch says; nothing was written")

    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "model.onnx").write_bytes(data)
    shutil.copy(options.checkpoint / "tokenizer.json", options.folder)
    default = yaml.safe_load((options.default / "model.yaml").read_text(encoding="utf-8"))
    taught_too = f", with {options.teacher} as teacher," if options.teacher else ""
    folder.write_manifest(options.folder, {
        "name": options.folder.name, "head": "quotability-sequence", "description": "a sentence encoder taught by what readers and editors quote, and the default beside it",
        "inputs": graph.ENCODER_INPUTS, "outputs": OUTPUTS, "transform": "none",
        "opset": next(o.version for o in onnx.load_from_string(data).opset_import if o.domain in ("", "ai.onnx")),
        "precision": options.precision, "licence": "Apache-2.0",
        "source": f"{layers} layers of sentence-transformers/all-MiniLM-L6-v2, tuned by models/shipped/finetune_sentences.py{taught_too} on 162 books with what readers and printed selections quote of them, and on lines that language models graded",
        "sha256": hashlib.sha256(data).hexdigest(), "training": taught.write(options.folder, [options.run]), "rate": options.rate, "cpu_ms": options.cpu_ms,
        "plus": {"model": f"../{options.default.name}", "weight": options.weight, "line": options.line_weight, "sha256": default["sha256"]},
        "tokens": {"max": finetune_sentences.READ, "begin": "[CLS]", "end": "[SEP]"},
    })
    print(f"{len(data) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
