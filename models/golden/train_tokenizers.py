"""Makes the small tokenizers and goldens of infer/tokenizer/testdata.

    python3 models/golden/train_tokenizers.py [--out infer/tokenizer/testdata] [--only llama3]
    python3 models/golden/train_tokenizers.py --golden TOKENIZER.json TEXTS.jsonl > GOLDEN.jsonl

(The trainers are not deterministic: files and goldens are made together.)

The first form trains one tokenizer of every family on text of our own making and
writes what the reference makes of hard texts (texts.jsonl) with each. The second
writes the same for any tokenizer.json and any texts.

A row of texts is {text, pair}, the golden row of the same line is {ids, types,
offsets}: offsets flat and in code points, types left out where all are 0.
"""

import argparse
import base64
import json
import pathlib
import random
import struct
import sys
import tempfile

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SEED = 7

SENTENCES = """
The lamp in the harbour burned all night, and nobody asked who had lit it.
She said, "I'll not go -- don't ask me again," and went before the bell had rung.
Every kindness is remembered by someone; every cruelty, by everyone.
He'd counted 1,204 sheep, 37 goats and (he thought) one very patient wolf.
It isn't the road that tires us: it's the stone in the shoe.
We've seen what they're made of; you'd better see it too!
“No one,” wrote the widow, “keeps a secret better than one who’s forgotten it.”
The café’s naïve façade hid a résumé of Zürich, Málaga and São Paulo.
Москва не сразу строилась; Ελλάδα, πατρίδα μου — δὲν ξεχνῶ.
日本語の文章は静かです。中文也可以读。한국어도 있습니다.
Prices rose from £3 10s. 6d. to $18.75, i.e. by 40% (see p. 112).
Nothing is so heavy as an unopened letter, nor so light as a burnt one.
Ships came in, ships went out; the old captain watched and said nothing.
O wind, O weather, who taught thee to speak, and me to listen?
CHAPTER XII. THE CLOCK-MAKER'S DAUGHTER
A promise made at sea is kept on land, if it is kept at all.
Whosoever shall plant a tree shall sit in another's shade.
""".strip().splitlines()


def corpus():
    """Sentences of our own, and others shuffled together from their words."""
    rng = random.Random(SEED)
    words = [w for s in SENTENCES for w in s.split()]
    yield from SENTENCES * 20
    for _ in range(3000):
        yield " ".join(rng.choice(words) for _ in range(rng.randint(4, 20)))


HARD = [
    "", " ", "   ", "\n", "\t\r\n", "a", " a", "a ", "  a  b  ", "\u00a0a\u00a0b\u3000c\u2003d\u202fe",
    "don't DON'T can’t 're 'll've''s '' ' s", "'s't're've'm'll'd", "I'll've", "l'l 'l 'll' 'r 've",
    "hello\nworld\r\n\r\nnew  paragraph\n\n\n  indented", "tabs\tand\x0bvertical\x0cfeeds\x85next\u2028line\u2029para",
    "e\u0301a\u0300o\u0308 cafe\u0301 re\u0301sume\u0301", "\u0301leading mark", "a \u0301b", "a\u0323\u0307\u0301b q\u0307\u0323",
    "Å Å Å \u212b ﬁ ﬂ ﬀ ﬃ ½ ² ™ ① Ａ ｂ ㍿ ㎏ ǆ Ǆ ŉ", "ﬁne oﬃce ﬂow ﬁ", "İstanbul İ ı I i̇", "ΑΣ ΑΣΑ Σ ς ß ẞ", "ＦＵＬＬ　ＷＩＤＴＨ １２３",
    "日本語の文章。「引用」です！", "中文也可以读，没问题。", "한국어도 있습니다. 각 ᄀ각", "漢 字", "𠀀𪚥 ext B", "mixed中文and英文words",
    "😀 😃😄 👩‍👩‍👧‍👦 🇬🇧🇫🇷 ❤️ 👍🏽 text😀text", "a\u200db\u200cc\u200bd\ufeffe\u00adf", "\u202ertl\u202c \u2066x\u2069",
    "\x00nul\x01\x02\x1f\x7f\x80\x9f", "\ufffd\ufffe\uffff\U0010ffff", "\ue000private\uf8ff", "\ud7ff \U000e0001tag",
    "a" * 99, "a" * 100, "a" * 101, "b" * 300, "é" * 101, "supercalifragilisticexpialidocious" * 5, "ab" * 40 + " " + "-" * 90,
    "!!!???...", "--- -- — – ‒ ― ‐ ‑ −", "“curly” ‘quotes’ «guillemets» „low“", "(a)[b]{c}<d>", "$5 £6 €7 ¥8 ₹9", "`` '' ``quoted''",
    "3.14159 1,000,000 1st 2nd x² H₂O ٣٤٥ ४५ ⅷ 12ab34", "www.example.org/a?b=c&d=e#f user@example.com", "snake_case camelCase kebab-case ALLCAPS",
    "[CLS] [SEP] [MASK] [PAD] [UNK]", "<s></s><mask> <pad> <unk>", "a<mask>b  <mask>  c", "[MASK][MASK] x[SEP]y", "<0x41> <0xFF> ▁ ▁a▁b", "Ġ Ġa Ċ â€™",
    "नमस्ते दुनिया क्षि", "สวัสดีชาวโลก", "مرحبا بالعالم ﷺ ﻻ", "שָׁלוֹם עוֹלָם", "Việt Nam Tiếng", "ДОБРЫЙ День ё й", "\u0600 1 \u06dd\u0661",
    "CamelCase newer NEWER Newer newer.", "  leading", "trailing  ", "a\u0000b", "x\r\ny\rz\nw", "tab\t\ttab", " \n ", "\r\n", "a\r\n", "\u1e9b\u0323", "가각힣", "ᄀ ᅡ ᆨ", "ﾊﾞ ﾊﾟ が", "ﬀ" * 10 + "tail", "①②③ⓐ", "…………", "a…b", "ﷺ" * 3,
    "word" + "\u0301" * 40, "z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞", "Å\u0327 c\u0327\u030a", "\U0001d15e\U0001d157\U0001d165", "\u0344 \u0340\u0341", "\u2126\u212a\u212b", "ʼn ǰ ΐ ΰ",
]


def hard_texts(count=150):
    """The list above, our sentences, and random mixtures of them."""
    rng = random.Random(SEED)
    yield from ({"text": t} for t in HARD + SENTENCES)
    pieces = [p for t in HARD if len(t) < 120 for p in t.split(" ")] + [w for s in SENTENCES for w in s.split()]
    joints = [" ", " ", " ", "  ", "", "\n", "-", ", ", "\u00a0", "\u0301", "’", "\t", "—"]
    for i in range(count):
        text = "".join(rng.choice(pieces) + rng.choice(joints) for _ in range(rng.randint(1, 25)))
        row = {"text": text}
        if i % 5 == 0:
            row["pair"] = "".join(rng.choice(pieces) + rng.choice(joints) for _ in range(rng.randint(0, 12)))
        yield row


def golden(tokenizer, rows):
    for row in rows:
        e = tokenizer.encode(row["text"], row.get("pair"))
        out = {"ids": e.ids, "types": e.type_ids, "offsets": [o for pair in e.offsets for o in pair]}
        if not any(e.type_ids):
            del out["types"]
        yield json.dumps(out, separators=(",", ":"))


def charsmap(rules):
    """A SentencePiece normalisation table of the rules given (text to text)."""
    import sentencepiece

    with tempfile.TemporaryDirectory() as folder:
        tsv = pathlib.Path(folder, "rules.tsv")
        code = lambda s: " ".join(f"{ord(c):X}" for c in s)
        tsv.write_text("".join(f"{code(a)}\t{code(b)}\n" for a, b in sorted(rules.items())), encoding="utf-8")
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(SENTENCES * 5), model_prefix=f"{folder}/m", vocab_size=200, hard_vocab_limit=False,
            normalization_rule_tsv=str(tsv), minloglevel=2, num_threads=1,
        )
        return precompiled(pathlib.Path(folder, "m.model").read_bytes())


def precompiled(model):
    """The field normalizer_spec.precompiled_charsmap (3.2) of a SentencePiece model."""

    def fields(data):
        i = 0

        def varint():
            nonlocal i
            n = shift = 0
            while True:
                b = data[i]
                i += 1
                n |= (b & 127) << shift
                shift += 7
                if b < 128:
                    return n

        while i < len(data):
            key = varint()
            if key & 7 == 2:
                size = varint()
                yield key >> 3, data[i : i + size]
                i += size
            elif key & 7 == 5:
                i += 4
            elif key & 7 == 1:
                i += 8
            else:
                varint()

    spec = next(v for k, v in fields(model) if k == 3)
    return next((v for k, v in fields(spec) if k == 2), b"")


RULES = {
    "\u00a0": " ", "\u3000": " ", "\t": " ", "\n": " ", "\r": " ", "\u200b": " ", "\ufeff": "", "\u00ad": "", "\x01": "",
    "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "½": "1⁄2", "²": "2", "™": "TM", "①": "1", "Ａ": "A", "ｂ": "b", "…": "...", "‘": "'", "’": "'",
    "e\u0301": "é", "a\u0300": "à", "o\u0308": "ö", "\u212b": "Å", "㎏": "kg", "㍿": "株式会社", "ﷺ": "صلى الله عليه وسلم", "ﾊﾞ": "バ",
    "ǆ": "dž", "１": "1", "２": "2", "３": "3",
}


def wordpiece(lower, **options):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=lower, **options)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.train_from_iterator(corpus(), trainers.WordPieceTrainer(vocab_size=700, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False))
    return t


def bert():
    t = wordpiece(True)
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return t


def bert_cased():
    t = wordpiece(False, handle_chinese_chars=False)
    t.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    t.enable_truncation(24)
    t.enable_padding(length=24, pad_id=0, pad_token="[PAD]")
    return t


def bytelevel(prefix, specials):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=900, special_tokens=specials, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    return t


def roberta():
    t = bytelevel(False, ["<s>", "<pad>", "</s>", "<unk>"])
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    t.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    return t


def gpt2():
    t = bytelevel(True, ["<|endoftext|>"])
    t.add_tokens(["harbour light", AddedToken("wolf", single_word=True, rstrip=True)])
    t.post_processor = processors.ByteLevel(trim_offsets=True)
    t.enable_truncation(20, direction="left")
    return t


def unigram(normalizer, pre_tokenizer, **options):
    t = Tokenizer(models.Unigram())
    t.normalizer, t.pre_tokenizer = normalizer, pre_tokenizer
    t.train_from_iterator(corpus(), trainers.UnigramTrainer(vocab_size=500, unk_token="<unk>", special_tokens=["<s>", "<pad>", "</s>", "<unk>"], show_progress=False, **options))
    return t


def with_precompiled(t, table):
    """Puts a Precompiled normaliser in the place of the one trained with; it has no constructor of rules."""
    f = json.loads(t.to_str())
    f["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(table).decode()}
    return Tokenizer.from_str(json.dumps(f))


def xlmr():
    metaspace = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    t = with_precompiled(unigram(normalizers.NFKC(), metaspace), charsmap(RULES))
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return t


def t5():
    steps = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " "), normalizers.Lowercase(), normalizers.Strip()])
    t = unigram(steps, pre_tokenizers.Metaspace(prepend_scheme="first"))
    t.post_processor = processors.TemplateProcessing(single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 2)])
    return t


def llama():
    t = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    specials = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)]
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=900, special_tokens=specials, show_progress=False))
    f = json.loads(t.to_str())
    f["added_tokens"] = f["added_tokens"][:3]
    t = Tokenizer.from_str(json.dumps(f))
    t.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1)])
    return t


LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def llama3():
    t = Tokenizer(models.BPE(ignore_merges=True))
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(LLAMA3), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=900, special_tokens=["<|begin_of_text|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    template = processors.TemplateProcessing(single="<|begin_of_text|> $A", pair="<|begin_of_text|> $A <|begin_of_text|>:1 $B:1", special_tokens=[("<|begin_of_text|>", 0)])
    t.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), template])
    return t


def odd():
    t = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>", continuing_subword_prefix="@@"))
    t.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Replace("``", '"'), normalizers.NFC()])
    t.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.Punctuation("merged_with_previous"),
        pre_tokenizers.Split(Regex(r"[A-Z]\w"), "merged_with_next"),
    ])
    t.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=500, special_tokens=["<unk>"], end_of_word_suffix="</w>", continuing_subword_prefix="@@", show_progress=False))
    t.enable_truncation(30, strategy="longest_first")
    return t


def words():
    t = Tokenizer(models.WordLevel(unk_token="<unk>"))
    t.normalizer = normalizers.Sequence([normalizers.NFKD(), normalizers.Lowercase()])
    t.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    t.train_from_iterator(corpus(), trainers.WordLevelTrainer(vocab_size=200, special_tokens=["<unk>"], show_progress=False))
    return t


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=str(ROOT / "infer" / "tokenizer" / "testdata"))
    parser.add_argument("--only", help="one of the tokenizers, by name")
    parser.add_argument("--golden", nargs=2, metavar=("TOKENIZER", "TEXTS"))
    options = parser.parse_args()
    if options.golden:
        tokenizer = Tokenizer.from_file(options.golden[0])
        with open(options.golden[1], encoding="utf-8") as f:
            for line in golden(tokenizer, map(json.loads, f)):
                print(line)
        return
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    rows = list(hard_texts())
    (out / "texts.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    for make in (bert, bert_cased, roberta, gpt2, xlmr, t5, llama, llama3, odd, words):
        name = make.__name__.replace("_", "-")
        if options.only not in (None, name):
            continue
        tokenizer = make()
        tokenizer.save(str(out / f"{name}.json"), pretty=False)
        (out / f"{name}.golden.jsonl").write_text("\n".join(golden(tokenizer, rows)) + "\n", encoding="utf-8")
        print(f"{name}: {tokenizer.get_vocab_size()} tokens", file=sys.stderr)


if __name__ == "__main__":
    main()
