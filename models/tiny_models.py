"""Makes infer/testdata/models: one model folder of random weights for every head,
and one in int8, with what PyTorch says of a few texts, decoded in the plainest way.

    python3 models/tiny_models.py [--out infer/testdata/models] [--only seq2seq]

Needs models/requirements-export.txt. Every folder stays under 200 KB.
"""

import argparse
import hashlib
import itertools
import json
import math
import pathlib
import shutil

import torch
import transformers
from tokenizers import Tokenizer
from transformers.models.bart.modeling_bart import shift_tokens_right

from export import Pooled, export_graph, fuse, write_manifest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOKENIZERS = ROOT / "infer" / "tokenizer" / "testdata"
MAX = 48

PASSAGES = [
    "The lamp in the harbour burned all night, and nobody asked who had lit it.",
    "Every kindness is remembered by someone; every cruelty, by everyone.",
    "Nothing is so heavy as an unopened letter, nor so light as a burnt one. Ships came in, ships went out; the old captain watched and said nothing. O wind, O weather, who taught thee to speak, and me to listen? A promise made at sea is kept on land.",
    "“No one,” wrote the widow, “keeps a secret better than one who’s forgotten it.”",
    "The café’s naïve façade hid a résumé of Zürich.",
    "Yes.",
]
CONTEXTS = ["She asked what the captain had seen.", "On promises", "Of letters and lamps"]
PAIRS = [(CONTEXTS[i % 3], p) for i, p in enumerate(PASSAGES)]


def read_tokenizer(name):
    """The tokenizers that this transformers comes with wants merges as lines."""
    f = json.loads((TOKENIZERS / f"{name}.json").read_text(encoding="utf-8"))
    if "merges" in f["model"]:
        f["model"]["merges"] = [" ".join(m) for m in f["model"]["merges"]]
    return Tokenizer.from_str(json.dumps(f))


def bert(kind, **options):
    config = transformers.BertConfig(
        vocab_size=read_tokenizer("bert").get_vocab_size(), hidden_size=16, num_hidden_layers=2,
        num_attention_heads=2, intermediate_size=32, max_position_embeddings=64, attn_implementation="eager", initializer_range=0.6, **options,
    )
    return kind(config).eval()


class Wrapped(torch.nn.Module):
    """A model whose forward takes tensors in order and gives a tuple of tensors."""

    def __init__(self, model, call):
        super().__init__()
        self.model, self.call = model, call

    def forward(self, *inputs):
        return self.call(self.model, *inputs)


BERT_INPUTS = ["input_ids", "attention_mask", "token_type_ids"]


def call_bert(*outputs):
    def call(model, ids, mask, types):
        got = model(input_ids=ids, attention_mask=mask, token_type_ids=types)
        return tuple(getattr(got, name) for name in outputs)

    return call


def encode(tokenizer, strategy, *texts):
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX, strategy=strategy if len(texts) == 2 else "longest_first")
    return tokenizer.encode(*texts)


def tensors(e):
    return [torch.tensor([x], dtype=torch.int64) for x in (e.ids, e.attention_mask, e.type_ids)]


def plain(values):
    return [float(v) for v in values]


def quotability(tokenizer):
    model = Wrapped(bert(transformers.BertForSequenceClassification, num_labels=1), call_bert("logits"))
    golden = []
    for p in PASSAGES:
        e = encode(tokenizer, "longest_first", p)
        golden.append({"passage": p, "score": math.exp(model(*tensors(e))[0].item()), "truncated": bool(e.overflowing)})
    return model, ["logits"], {"transform": "exp", "tokens": {"max": MAX}}, golden


def quotability_sequence(tokenizer, outputs=("logits",)):
    def each_output(model, ids, mask, types):
        return model(input_ids=ids, attention_mask=mask, token_type_ids=types).logits.split(1, dim=-1)

    model = Wrapped(bert(transformers.BertForTokenClassification, num_labels=len(outputs)), each_output)
    cls, sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    bare = lambda p: tokenizer.encode(p, add_special_tokens=False).ids
    tokenizer.no_truncation()
    golden, ids, open_ = [], [cls], []

    def close():
        if open_:
            got = model(torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.int64), torch.zeros(1, len(ids), dtype=torch.int64))
            golden.extend({"passage": p, "score": got[0][0, end, 0].item(), "line": got[-1][0, end, 0].item(), "truncated": cut} for p, end, cut in open_)

    for p in PASSAGES:
        part, cut = bare(p), False
        if len(ids) + len(part) + 1 > MAX:
            close()
            ids, open_ = [cls], []
        if len(part) + 2 > MAX:
            part, cut = part[: MAX - 2], True
        ids += part + [sep]
        open_.append((p, len(ids) - 1, cut))
    close()
    return model, list(outputs), {"head": "quotability-sequence", "tokens": {"max": MAX, "begin": "[CLS]", "end": "[SEP]"}}, golden


def quotability_lines(tokenizer):
    return quotability_sequence(tokenizer, ("logits", "lines"))


def rank(tokenizer):
    model = Wrapped(bert(transformers.BertForSequenceClassification, num_labels=1), call_bert("logits"))
    golden = []
    for c, p in PAIRS:
        e = encode(tokenizer, "only_second", c, p)
        golden.append({"context": c, "passage": p, "score": model(*tensors(e))[0].item(), "truncated": bool(e.overflowing)})
    return model, ["logits"], {"tokens": {"max": MAX}}, golden


def span(tokenizer):
    model = Wrapped(bert(transformers.BertForQuestionAnswering), call_bert("start_logits", "end_logits"))
    golden = []
    for c, p in PAIRS:
        e = encode(tokenizer, "only_second", c, p)
        start, end = model(*tensors(e))
        inside = [i for i, s in enumerate(e.sequence_ids) if s == 1]
        found = [(start[0, i].item() + end[0, j].item(), e.offsets[i][0], e.offsets[j][1]) for i in inside for j in inside if j >= i]
        found.sort(key=lambda f: -f[0])
        golden.append({"context": c, "passage": p, "spans": [[b, n, s] for s, b, n in found[:3]], "truncated": bool(e.overflowing)})
    return model, ["start_logits", "end_logits"], {"tokens": {"max": MAX}}, golden


TRANSITIONS = [[0.5, 0.2, -4.0], [-0.3, -1.0, 1.5], [0.1, -0.5, 0.8]]
START, STOP = [0.3, 0.4, -5.0], [0.2, -0.6, 0.1]


def tag(tokenizer):
    """All paths of a short piece, one by one: the path that is best, and every label's share."""
    model = Wrapped(bert(transformers.BertForTokenClassification, num_labels=3), call_bert("logits"))
    golden = []
    for c, p in [("", "The lamp burned."), (CONTEXTS[1], "Yes."), ("", "O wind")]:
        e = encode(tokenizer, "only_second", c, p) if c else encode(tokenizer, "longest_first", p)
        logits = model(*tensors(e))[0][0].tolist()
        inside = [i for i, s in enumerate(e.sequence_ids) if s == (1 if c else 0)]
        assert len(inside) <= 11, len(inside)
        score = {}
        for path in itertools.product(range(3), repeat=len(inside)):
            s = START[path[0]] + STOP[path[-1]] + sum(logits[i][l] for i, l in zip(inside, path))
            score[path] = s + sum(TRANSITIONS[a][b] for a, b in zip(path, path[1:]))
        best = max(score, key=score.get)
        most = score[best]
        total = sum(math.exp(s - most) for s in score.values())
        marginals = [sum(math.exp(s - most) for q, s in score.items() if q[k] == best[k]) / total for k in range(len(inside))]
        golden.append({"context": c, "passage": p, "labels": ["OBI"[l] for l in best], "marginals": marginals, "tokens": [list(e.offsets[i]) for i in inside]})
    labels = {"names": ["O", "B", "I"], "transitions": TRANSITIONS, "start": START, "stop": STOP}
    return model, ["logits"], {"tokens": {"max": MAX}, "tag": labels}, golden


def embed(tokenizer):
    model = Wrapped(bert(transformers.BertModel), call_bert("last_hidden_state"))
    golden = []
    for p in PASSAGES:
        e = encode(tokenizer, "longest_first", p)
        v = model(*tensors(e))[0][0].mean(dim=0)
        golden.append({"passage": p, "vector": plain(v / v.norm()), "truncated": bool(e.overflowing)})
    return model, ["last_hidden_state"], {"tokens": {"max": MAX}, "embed": {"from": "mean", "normalize": True}}, golden


def embed_int8(tokenizer):
    """Pools in the graph. What PyTorch says is fp32."""
    model = Pooled(bert(transformers.BertModel), "mean")
    golden = []
    for p in PASSAGES:
        e = encode(tokenizer, "longest_first", p)
        v = model(*tensors(e))[0][0]
        golden.append({"passage": p, "vector": plain(v / v.norm()), "truncated": bool(e.overflowing)})
    return model, ["sentence_embedding"], {"head": "embed", "precision": "int8", "tokens": {"max": MAX}, "embed": {"from": "none", "normalize": True}}, golden


def yes_no(tokenizer):
    config = transformers.GPT2Config(vocab_size=tokenizer.get_vocab_size(), n_embd=8, n_layer=2, n_head=2, n_positions=64, initializer_range=0.6, attn_implementation="eager", use_cache=False)
    lm = transformers.GPT2LMHeadModel(config).eval()
    model = Wrapped(lm, lambda m, ids, mask: (m(input_ids=ids, attention_mask=mask).logits,))
    prompt, yes, no = "{context} -- {passage} ?", tokenizer.id_to_token(300), tokenizer.id_to_token(400)
    golden = []
    for c, p in PAIRS:
        e = encode(tokenizer, "longest_first", prompt.replace("{context}", c).replace("{passage}", p))
        logits = model(*tensors(e)[:2])[0][0, -1]
        both = torch.softmax(logits, dim=0)[[300, 400]]
        golden.append({"context": c, "passage": p, "score": (both[0] / both.sum()).item(), "truncated": bool(e.overflowing)})
    return model, ["logits"], {"tokens": {"max": MAX}, "yes_no": {"prompt": prompt, "yes": yes, "no": no}}, golden


def seq2seq(tokenizer):
    config = transformers.BartConfig(
        vocab_size=tokenizer.get_vocab_size(), d_model=8, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=64, init_std=0.6, attn_implementation="eager", use_cache=False,
    )
    lm = transformers.BartForConditionalGeneration(config).eval()
    model = Wrapped(lm, lambda m, ids, mask, target: (m(input_ids=ids, attention_mask=mask, decoder_input_ids=target).logits,))
    start, bos, end = config.decoder_start_token_id, tokenizer.token_to_id("<s>"), tokenizer.token_to_id("</s>")
    golden = []
    for c, p in PAIRS:
        tokenizer.no_truncation()
        bare = tokenizer.encode(p, add_special_tokens=False).ids
        labels = torch.tensor([[bos] + bare[: MAX - 2] + [end]])
        decoder = shift_tokens_right(labels, config.pad_token_id, start)
        labels[0, 0] = -100  # the loss leaves out what the decoder is given
        e = encode(tokenizer, "longest_first", c)
        ids, mask, _ = tensors(e)
        score = -lm(input_ids=ids, attention_mask=mask, decoder_input_ids=decoder, labels=labels).loss.item()
        question = encode(tokenizer, "longest_first", f"{c} -- {p} ?")  # as head yes-no
        both = torch.softmax(model(*tensors(question)[:2], torch.tensor([[start, bos]]))[0][0, -1], dim=0)[[300, 400]]
        golden.append({"context": c, "passage": p, "score": score, "truncated": len(bare) > MAX - 2 or bool(e.overflowing), "yes": (both[0] / both.sum()).item(), "question_truncated": bool(question.overflowing)})
    return model, ["logits"], {"tokens": {"max": MAX, "begin": [tokenizer.id_to_token(start), "<s>"], "end": "</s>"}}, golden


MODELS = {
    "quotability": (quotability, "bert", BERT_INPUTS),
    "quotability-sequence": (quotability_sequence, "bert", BERT_INPUTS),
    "quotability-lines": (quotability_lines, "bert", BERT_INPUTS),
    "rank": (rank, "bert", BERT_INPUTS),
    "span": (span, "bert", BERT_INPUTS),
    "tag": (tag, "bert", BERT_INPUTS),
    "embed": (embed, "bert", BERT_INPUTS),
    "embed-int8": (embed_int8, "bert", BERT_INPUTS),
    "yes-no": (yes_no, "roberta", BERT_INPUTS[:2]),
    "seq2seq": (seq2seq, "roberta", ["input_ids", "attention_mask", "decoder_input_ids"]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=str(ROOT / "infer" / "testdata" / "models"))
    parser.add_argument("--only", choices=MODELS, help="one of the folders")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for name, (make, tokens, inputs) in MODELS.items():
        if options.only not in (None, name):
            continue
        torch.manual_seed(len(name))
        folder = pathlib.Path(options.out, name)
        folder.mkdir(parents=True, exist_ok=True)
        tokenizer = read_tokenizer(tokens)
        with torch.no_grad():
            model, outputs, parts, golden = make(tokenizer)
            data = export_graph(model, inputs, outputs)
        precision = parts.pop("precision", "fp32")
        if precision != "fp32":
            data = fuse(data, model.model.config, precision)
        (folder / "model.onnx").write_bytes(data)
        shutil.copy(TOKENIZERS / f"{tokens}.json", folder / "tokenizer.json")
        head, transform = parts.pop("head", name), parts.pop("transform", "none")
        write_manifest(folder, {
            "name": name, "head": head, "description": "random weights, for tests", "inputs": inputs, "outputs": outputs, "transform": transform,
            "opset": 17, "precision": precision, "licence": "Apache-2.0", "source": "models/tiny_models.py", "sha256": hashlib.sha256(data).hexdigest(), **parts,
        })
        (folder / "golden.json").write_text(json.dumps(golden, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        size = sum(f.stat().st_size for f in folder.iterdir())
        print(f"{name}: {size} bytes")
        assert size < 200_000, size


if __name__ == "__main__":
    main()
