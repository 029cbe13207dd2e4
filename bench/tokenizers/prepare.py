"""Makes what bench/tokenizers.sh compares: texts, hard texts, and tokenizers.

    python3 bench/tokenizers/prepare.py MINILM-TOKENIZER.json PARAGRAPHS.jsonl... FOLDER

PARAGRAPHS are what `commonplace segment --by paragraphs` writes. FOLDER gets them
as texts.jsonl; hard.jsonl, 2,000 of them with what goes wrong most put into them;
and one tokenizer.json a family: the one given (WordPiece), and trained on the
paragraphs WordPiece with case, byte-level BPE, and Unigram as XLM-R and as T5 use it.
"""

import io
import json
import pathlib
import random
import sys
import unicodedata

import sentencepiece
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "models" / "golden"))
from byte_level import byte_level, read  # noqa: E402
from train_tokenizers import precompiled  # noqa: E402

SEED = 99


def strange(rng):
    """Text from all over Unicode, surrogates left out."""
    planes = [(0x20, 0x2FFF), (0x3000, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x1FFFF)]
    return "".join(chr(rng.randrange(*rng.choice(planes))) for _ in range(30))


def hard(rng, text):
    """The text with three things in it that tokenizers disagree about."""
    things = [
        lambda: unicodedata.normalize("NFD", "éàüñçÅẢ"), lambda: "“‘’”—–…", lambda: "日本語漢字かな", lambda: "😀👩‍👩‍👧🇬🇧",
        lambda: "".join(chr(rng.randrange(32)) for _ in range(8)), lambda: "x" * rng.randrange(90, 300), lambda: strange(rng),
        lambda: "[MASK] <mask> </s>", lambda: "ﬁﬂ½ǆ①ﷺ", lambda: "\u00a0\u2009\u3000\u200b\ufeff", lambda: "مرحبا שלום हिन्दी ไทย", lambda: "don't I'LL we’ve",
    ]
    words = text.split(" ")
    for _ in range(3):
        words.insert(rng.randrange(len(words)), rng.choice(things)())
    return " ".join(words)


def wordpiece_cased(texts):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(lowercase=False), pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    t.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=20000, special_tokens=special, show_progress=False))
    t.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return t


def unigram(texts):
    """Two of them: as XLM-R's file is built, and as T5's."""
    trained = io.BytesIO()  # only for its table of normalisation, which every SentencePiece model carries
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(texts[:500]), model_writer=trained, vocab_size=2000, hard_vocab_limit=False, minloglevel=2, num_threads=1, normalization_rule_name="nmt_nfkc")
    t = Tokenizer(models.Unigram())
    t.normalizer = normalizers.NFKC()
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    t.train_from_iterator(texts[::2], trainers.UnigramTrainer(vocab_size=16000, unk_token="<unk>", special_tokens=["<s>", "<pad>", "</s>", "<unk>"], show_progress=False))
    t.normalizer = normalizers.Precompiled(precompiled(trained.getvalue()))
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    other = json.loads(t.to_str())
    other["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    other["normalizer"] = {"type": "Sequence", "normalizers": [other["normalizer"], {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}]}
    return t, Tokenizer.from_str(json.dumps(other))


def write_texts(path, texts):
    with open(path, "w", encoding="utf-8") as f:
        for text in texts:
            f.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")


def main(given, *rest):
    folder = pathlib.Path(rest[-1])
    folder.mkdir(parents=True, exist_ok=True)
    texts = list(read(rest[:-1]))
    rng = random.Random(SEED)
    write_texts(folder / "texts.jsonl", texts)
    write_texts(folder / "hard.jsonl", (hard(rng, rng.choice(texts)) for _ in range(2000)))
    minilm = Tokenizer.from_file(given)
    minilm.no_padding()
    minilm.no_truncation()
    sample = texts[::6]
    xlmr, t5 = unigram(sample)
    made = {"wordpiece-minilm": minilm, "wordpiece-cased": wordpiece_cased(sample), "byte-level-bpe": byte_level(sample), "unigram-xlmr": xlmr, "unigram-t5": t5}
    for name, t in made.items():
        t.save(str(folder / f"{name}.json"))


if __name__ == "__main__":
    main(*sys.argv[1:])
