"""Scores SQuAD files of export folders with their own answers: exactly 100.

    check_squad.py FOLDER [FOLDER...]

The metric is that of SQuAD's public evaluation as transformers has it. Needs
requirements-squad.txt.
"""

import json
import pathlib
import sys
import types

from transformers.data.metrics.squad_metrics import squad_evaluate


def main(folders):
    if not folders:
        sys.exit(__doc__)
    files = [p for f in folders for p in sorted((pathlib.Path(f) / "squad").rglob("*.json"))]
    if not files:
        sys.exit("no SQuAD files: export with --format squad")
    bad = 0
    for path in files:
        data = json.loads(path.read_text("utf-8"))
        assert data["version"] == "1.1", path
        examples, predictions = [], {}
        for article in data["data"]:
            for paragraph in article["paragraphs"]:
                for qa in paragraph["qas"]:
                    for a in qa["answers"]:
                        at = paragraph["context"][a["answer_start"] : a["answer_start"] + len(a["text"])]
                        bad += at != a["text"]
                    assert qa["id"] not in predictions, qa["id"]
                    examples.append(types.SimpleNamespace(qas_id=qa["id"], answers=qa["answers"]))
                    predictions[qa["id"]] = qa["answers"][0]["text"]
        if not examples:
            print(f"{path}: no question; all texts of this split are left out")
            continue
        scores = squad_evaluate(examples, predictions)
        bad += scores["exact"] != 100.0 or scores["f1"] != 100.0 or scores["total"] != len(examples)
        print(f"{path}: {scores['total']} questions, exact {scores['exact']}, F1 {scores['f1']}")
    sys.exit(f"{bad} answers are not where they say, or not equal to themselves" if bad else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
