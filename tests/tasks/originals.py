"""What the original evaluators printed, and how that was obtained.

`originals.json` holds tp, fp, fn of
- BioREx: github.com/ncbi/BioREx at 1f199d8c359eaceb5469538f4daa24aac44c4eae, src/utils/
  run_pubtator_eval.py: `eval(gold, predicted, out, to_binary=False|True, re_id_spliter_str=",",
  only_five_ne_pairs=True)`, run on Python 3.11;
- BioREDirect: github.com/ncbi-nlp/BioREDirect at fc090435fa8198187ab5145da26d8abf01000131: the
  relation lines of the gold file were replaced by the prediction's, both files converted by
  src/dataset_format_converter/convert_pubtator_2_tsv.py with a tokenizer that gives one token per
  character, the labels of the rows made by `BioREDDataset.get_multi_label_ids`, and both given
  to src/evaluation.py `evaluate_biored_f1_score` as one batch, the prediction as logits of +-10.

"test" and "dev" are for BioRED's files and the predictions that `perturb.py` makes of them;
"invented" for the files in `data/`. null: the original stops with an error.
"""

from pathlib import Path

import msgspec

from bluered.tasks.scores import Scores

Figures = tuple[int, int, int]


class Printed(msgspec.Struct):
    """Counts by measure; BioREDirect's number of rows apart."""

    biorex: dict[str, Figures] | None
    bioredirect: dict[str, int | Figures] | None


FOLDER = Path(__file__).parent
ORIGINALS = msgspec.json.decode(
    (FOLDER / "originals.json").read_bytes(), type=dict[str, dict[str, Printed]]
)


def figures(scores: Scores, *measures: str) -> dict[str, Figures]:
    totals = {name: scores.total(name) for name in measures}
    return {name: (counts.tp, counts.fp, counts.fn) for name, counts in totals.items()}


SOME = ("retyped_rarely_annotated", "weakened", "conflicting", "multiple_ids", "a_bad_system")
CASES = [("test", name) for name in ORIGINALS["test"]] + [("dev", name) for name in SOME]
"""All perturbations of test, and some of dev, whose gold lacks two relation types."""
