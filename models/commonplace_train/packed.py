"""Packs a title, the text before a quotation and a passage, each cut to a length of its own
("Context-based quotation recommendation", BERT Model Inputs):

    [CLS] title [body_start] body [SEP] passage [SEP]

Lengths are tokens. Title and passage lose their ends, the body its beginning. The program packs
the same ids (infer/tokenizer/packed.go); infer/tokenizer/testdata/packed.jsonl holds both to it.
"""

import dataclasses

BODY_START = "[body_start]"
PAPER = (20, 100, 200)


@dataclasses.dataclass
class Encoded:
    """What is read of an Encoding of Hugging Face's; offsets are of the passage."""

    ids: list
    type_ids: list
    offsets: list
    sequence_ids: list

    @property
    def attention_mask(self):
        return [1] * len(self.ids)


class Packed:
    def __init__(self, tokenizer, title, body, passage):
        self.tokenizer, self.title, self.body, self.passage = tokenizer, title, body, passage
        both = tokenizer.encode("a", "b")
        begin, end = (both.sequence_ids.index(s) for s in (0, 1))
        after = [i for i, s in enumerate(both.sequence_ids) if s == 0][-1] + 1
        rest = [i for i, s in enumerate(both.sequence_ids) if s == 1][-1] + 1
        special = lambda i, j: list(zip(both.ids[i:j], both.type_ids[i:j], strict=True))
        self.special = special(0, begin), special(after, end), special(rest, None)
        self.types = both.type_ids[begin], both.type_ids[end]
        self.longest = title + 1 + body + passage + sum(map(len, self.special))

    def parts(self, row):
        """Title and body of a row; all of the context is the body where the row has neither."""
        title, body = row.get("title", ""), row.get("body", "")
        return (title, body) if title or body else ("", row["context"])

    def __call__(self, rows):
        read = lambda texts: self.tokenizer.encode_batch(texts, add_special_tokens=False)
        parts = [self.parts(r) for r in rows]
        return [self.pack(*e) for e in zip(read([t for t, _ in parts]), read([b for _, b in parts]), read([r["passage"] for r in rows]), strict=True)]

    def pack(self, title, body, passage):
        query = [*title.ids[: self.title], self.tokenizer.token_to_id(BODY_START), *body.ids[max(0, len(body.ids) - self.body) :]]
        ids = passage.ids[: self.passage]
        tokens = []  # id, type, offsets, sequence
        for special, sequence, of, offsets in ((self.special[0], 0, query, [(0, 0)] * len(query)), (self.special[1], 1, ids, passage.offsets[: len(ids)])):
            tokens += [(i, t, (0, 0), None) for i, t in special]
            tokens += [(i, self.types[sequence], o, sequence) for i, o in zip(of, offsets, strict=True)]
        tokens += [(i, t, (0, 0), None) for i, t in self.special[2]]
        return Encoded(*map(list, zip(*tokens, strict=True)))

    def manifest(self):
        """tokens.packed of model.yaml."""
        return {"body_start": BODY_START, "title": self.title, "body": self.body, "passage": self.passage}
