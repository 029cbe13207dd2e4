"""What a decoder is given before its target, and what ends it, for models/commonplace_train/export.py."""


def begin_and_end(config, generation, tokenizer):
    """Tokens as Hugging Face makes decoder_input_ids of labels (shift_tokens_right):
    decoder_start_token_id, then what labels begin with: the token that generation
    forces there, or those that the tokenizer puts before a text. BART begins with
    </s> <s>, T5 with <pad>. The end is the token that the tokenizer puts behind a text.
    Either is None where it cannot be told."""
    encoded = tokenizer.encode("a")
    special = encoded.special_tokens_mask
    before = special.index(0) if 0 in special else len(special)
    after = special[::-1].index(0) if 0 in special else 0
    forced = next((i for i in (getattr(c, "forced_bos_token_id", None) for c in (generation, config)) if i is not None), None)
    prefix = encoded.ids[:before] if forced is None else [forced]
    start = config.decoder_start_token_id
    begin = None if start is None else [tokenizer.id_to_token(i) for i in [start, *prefix]]
    return None if begin is None or None in begin else begin, encoded.tokens[-1] if after == 1 else None
