"""Checkpoints of random weights that train in seconds, and the words that they know."""

import random

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "max_position_embeddings": 160}
BERT = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
BART = {"pad_token": "<pad>", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
MASKED = BART | {"mask_token": "<mask>"}
ROBERTA = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>", "cls_token": "<s>", "sep_token": "</s>"}


def made_up(n):
    """Words of three syllables, none twice."""
    draw, words = random.Random(5), {}
    while len(words) < n:
        words["".join(draw.choice("bdfgklmnprstvz") + draw.choice("aeiou") for _ in range(3))] = True
    return list(words)


WORDS = made_up(600)


def tokenizer(names):
    """WordPiece, whose words are WORDS, letters and a few more."""
    letters = [chr(c) for c in range(97, 123)]
    words = [*names.values(), *letters, *("##" + c for c in letters), *".,?:'-", *"yes no context passage does the follow".split(), *WORDS, *"document is relevant to answer /".split()]
    vocabulary = {w: i for i, w in enumerate(dict.fromkeys(words))}
    t = Tokenizer(models.WordPiece(vocabulary, unk_token=names["unk_token"]))
    t.add_special_tokens(list(names.values()))
    t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    begin, end = (names[k] for k in (("cls_token", "sep_token") if "cls_token" in names else ("bos_token", "eos_token")))
    special = [(name, vocabulary[name]) for name in (begin, end)]
    t.post_processor = processors.TemplateProcessing(single=f"{begin} $A {end}", pair=f"{begin} $A {end} $B:1 {end}:1", special_tokens=special)
    return t


def save(model, of, folder, names):
    model.save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(tokenizer_object=of, **names).save_pretrained(folder)


def encoder(folder):
    of = tokenizer(BERT)
    torch.manual_seed(7)
    save(transformers.BertModel(transformers.BertConfig(vocab_size=of.get_vocab_size(), initializer_range=0.2, **SIZES)), of, folder, BERT)


def byte_level():
    """Byte-level BPE as RoBERTa has it: <s> A </s></s> B </s>, all of type 0, and a space belongs to the word behind it."""
    t = Tokenizer(models.BPE(unk_token="<unk>"))
    t.pre_tokenizer, t.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    special = list(dict.fromkeys(ROBERTA.values()))
    t.train_from_iterator([" ".join(WORDS), *(f"{w}." for w in WORDS)], trainers.BpeTrainer(vocab_size=3000, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    t.post_processor = processors.RobertaProcessing(sep=("</s>", t.token_to_id("</s>")), cls=("<s>", t.token_to_id("<s>")), trim_offsets=True, add_prefix_space=False)
    return t


def roberta(folder):
    """An encoder of RoBERTa's kind: one type of token, and positions that begin behind that of the padding, at 2."""
    of = byte_level()
    torch.manual_seed(7)
    ids = {f"{k}_token_id": of.token_to_id(ROBERTA[f"{k}_token"]) for k in ("pad", "bos", "eos")}
    config = transformers.RobertaConfig(vocab_size=of.get_vocab_size(), initializer_range=0.2, type_vocab_size=1, **(SIZES | {"max_position_embeddings": 162}), **ids)
    save(transformers.RobertaModel(config), of, folder, ROBERTA)


def causal(folder):
    """A language model of GPT-2's kind."""
    of = tokenizer(BART)
    of.post_processor = processors.TemplateProcessing(single="$A", pair="$A $B", special_tokens=[])
    torch.manual_seed(7)
    config = transformers.GPT2Config(vocab_size=of.get_vocab_size(), n_embd=32, n_layer=2, n_head=2, n_positions=160, initializer_range=0.1, bos_token_id=0, eos_token_id=0)
    save(transformers.GPT2LMHeadModel(config), of, folder, BART)


def seq2seq(folder):
    """A model of BART's kind, with an encoder and a decoder."""
    of = tokenizer(MASKED)
    torch.manual_seed(7)
    ids = {f"{k}_token_id": of.token_to_id(BART[f"{k}_token"]) for k in ("pad", "bos", "eos")}
    config = transformers.BartConfig(
        vocab_size=of.get_vocab_size(), d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=160, init_std=0.1, decoder_start_token_id=ids["eos_token_id"], forced_eos_token_id=None, **ids,
    )
    save(transformers.BartForConditionalGeneration(config), of, folder, MASKED)
