"""python3 -m unittest discover models: what models/commonplace_train/export.py reads of a checkpoint
beside its graph. Needs models/requirements.txt."""

import json
import pathlib
import tempfile
import types
import unittest

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, processors

from commonplace_train import crf
from commonplace_train.decoder import begin_and_end

TRANSITIONS = [[0.5, 0.25, -4.0], [-0.5, -1.0, 1.5], [0.125, -0.5, 0.75]]
START, STOP = [0.5, 0.25, -5.0], [0.25, -0.5, 0.125]


def tokenizer(template):
    t = Tokenizer(models.WordLevel({"<s>": 0, "<pad>": 1, "</s>": 2, "a": 3, "<de>": 4}, unk_token="a"))
    t.add_special_tokens(["<s>", "<pad>", "</s>", "<de>"])
    t.post_processor = processors.TemplateProcessing(single=template, special_tokens=[("<s>", 0), ("</s>", 2)])
    return t


def config(start, forced=None):
    return types.SimpleNamespace(decoder_start_token_id=start, forced_bos_token_id=forced)


class Decoder(unittest.TestCase):
    def test_begins_as_labels_are_shifted(self):
        nothing = types.SimpleNamespace()
        for template, of, generation, want in [
            ("<s> $A </s>", config(2), nothing, (["</s>", "<s>"], "</s>")),  # BART
            ("<s> $A </s>", config(2, 4), nothing, (["</s>", "<de>"], "</s>")),
            ("<s> $A </s>", config(2), config(None, 4), (["</s>", "<de>"], "</s>")),
            ("$A </s>", config(1), nothing, (["<pad>"], "</s>")),  # T5
            ("$A", config(1), nothing, (["<pad>"], None)),
            ("$A </s>", config(None), nothing, (None, "</s>")),
            ("$A </s>", config(99), nothing, (None, "</s>")),
        ]:
            self.assertEqual(begin_and_end(of, generation, tokenizer(template)), want)


class CRF(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def save(self, tensors):
        tensors = {name: torch.tensor(value) for name, value in tensors.items()}
        save_file(tensors, self.folder / "model.safetensors")
        return tensors

    def test_of_a_checkpoint(self):
        tensors = self.save({"bert.weight": [1.0], "crf.transitions": TRANSITIONS, "crf.start_transitions": START, "crf.end_transitions": STOP})
        want = {"transitions": TRANSITIONS, "start": START, "stop": STOP}
        self.assertEqual(crf.read_checkpoint(self.folder), want)
        (self.folder / "model.safetensors").unlink()
        torch.save(tensors, self.folder / "pytorch_model.bin")
        self.assertEqual(crf.read_checkpoint(self.folder), want)

    def test_of_none_or_another(self):
        self.save({"bert.weight": [1.0]})
        self.assertIsNone(crf.read_checkpoint(self.folder))
        for wrong in ({"crf.trans_matrix": TRANSITIONS}, {"crf.transitions": TRANSITIONS[:2]}, {"crf.start_transitions": START}):
            self.save(wrong)
            with self.assertRaises(ValueError):
                crf.read_checkpoint(self.folder)

    def test_of_a_file(self):
        path = self.folder / "crf.json"
        path.write_text(json.dumps({"transitions": TRANSITIONS}))
        self.assertEqual(crf.read_file(path), {"transitions": TRANSITIONS})
        for wrong in ([1], {"transitions": TRANSITIONS, "end": STOP}, {"transitions": [[float("-inf")] * 3] * 3}, {"start": START}):
            path.write_text(json.dumps(wrong))
            with self.assertRaises(ValueError):
                crf.read_file(path)


if __name__ == "__main__":
    unittest.main()
