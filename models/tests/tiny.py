"""Checkpoints of random weights that train in seconds."""

import json
import pathlib

import torch
import transformers
from tokenizers import Tokenizer

TOKENIZERS = pathlib.Path(__file__).resolve().parents[2] / "infer" / "tokenizer" / "testdata"
WORDS = "lamp river stone garden letter winter lamp harbour morning captain window mountain".split()
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "max_position_embeddings": 160}


def read_tokenizer(name):
    """The tokenizers that this transformers comes with wants merges as lines."""
    f = json.loads((TOKENIZERS / f"{name}.json").read_text(encoding="utf-8"))
    if "merges" in f["model"]:
        f["model"]["merges"] = [" ".join(m) for m in f["model"]["merges"]]
    return Tokenizer.from_str(json.dumps(f))


def save(model, tokenizer, folder, **special):
    model.save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder)


def encoder(folder, roberta=False):
    kind, config = (transformers.RobertaModel, transformers.RobertaConfig) if roberta else (transformers.BertModel, transformers.BertConfig)
    tokenizer = read_tokenizer("roberta" if roberta else "bert")
    torch.manual_seed(7)
    pad = tokenizer.token_to_id("<pad>" if roberta else "[PAD]")
    names = dict(zip(("cls_token", "sep_token", "pad_token", "unk_token", "mask_token"), ("<s>", "</s>", "<pad>", "<unk>", "<mask>") if roberta else ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]")))
    save(kind(config(vocab_size=tokenizer.get_vocab_size(), initializer_range=0.2, pad_token_id=pad, **SIZES)), tokenizer, folder, **names)


def causal(folder):
    """A language model of GPT-2's kind."""
    tokenizer = read_tokenizer("roberta")
    torch.manual_seed(7)
    config = transformers.GPT2Config(vocab_size=tokenizer.get_vocab_size(), n_embd=32, n_layer=2, n_head=2, n_positions=160, initializer_range=0.1)
    save(transformers.GPT2LMHeadModel(config), tokenizer, folder, pad_token="<pad>")


def seq2seq(folder):
    """A model of BART's kind, with an encoder and a decoder."""
    tokenizer = read_tokenizer("roberta")
    torch.manual_seed(7)
    config = transformers.BartConfig(
        vocab_size=tokenizer.get_vocab_size(), d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=160, init_std=0.1,
    )
    save(transformers.BartForConditionalGeneration(config), tokenizer, folder, pad_token="<pad>", eos_token="</s>", bos_token="<s>")
