"""The prompt of the head yes-no, cut as infer/head_yesno.go cuts it: context and passage give way, the question stays whole."""

PROMPT = "Context: {context}\nDocument: {passage}\nIs the document relevant to the context? Answer yes/no:"  # RA-MTR, section 5.2


def filled(prompt, context, passage):
    return passage.join(context.join(part.split("{context}")) for part in prompt.split("{passage}"))


def shares(a, b, room):
    """Divides room between two lengths; the longer gives way first."""
    half = room // 2
    if a <= half:
        return a, min(b, room - a)
    if b <= half:
        return min(a, room - b), b
    return room - half, half


def encoded(texts, prompt, rows):
    """Tokens of the prompts of rows."""
    texts.tokenizer.no_truncation()
    try:
        of = lambda pairs: texts.encode([filled(prompt, *p) for p in pairs])
        pairs = [(texts.masked(r["context"]), r["passage"]) for r in rows]
        return [e if len(e.ids) <= texts.most else cut(of, texts, *p) for e, p in zip(of(pairs), pairs, strict=True)]
    finally:
        texts.truncate()


def cut(of, texts, context, passage):
    """The prompt with as many tokens of context and passage as there is room for."""
    [e] = of([("", "")])
    tokens = [texts.tokenizer.encode(text, add_special_tokens=False) for text in (context, passage)]
    for room in range(texts.most - len(e.ids), -1, -1):  # words that meet the prompt's may take a token more; without any it fits
        parts = [text[: t.offsets[n - 1][1] if n else 0] for text, t, n in zip((context, passage), tokens, shares(*map(len, tokens), room), strict=True)]
        [e] = of([parts])
        if len(e.ids) <= texts.most:
            return e
    raise SystemExit(f"train: --prompt alone fills --max, {texts.most} tokens: it leaves no room for context and passage")
