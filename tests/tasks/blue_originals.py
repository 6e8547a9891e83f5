"""What BLUE's five scripts printed, and how that was obtained.

`data/blue_originals.json` holds, for each task and each prediction that `blue_perturb.py` makes of
its gold, the lines that the original printed, cut at white space, or the name of the error with
which it stopped. The originals: github.com/ncbi-nlp/BLUE_Benchmark at
c497c4196cd5750ac1e3860af6b4f9edf225ee16, on Python 3.11 with numpy 2.4.6, pandas 2.3.3 (from
3.1 on pandas calculates correlations in another way, which changes their last digits),
scikit-learn 1.9.1 and tabulate 0.10.0. Changed to run there: `np.float` and `np.int` of
blue/ext/pmetrics.py, which numpy no longer has, are `float` and `int`; both the repository and its
folder `blue` are on the path, since eval_ner.py imports `ext` and the others `blue.ext`. Called:
`eval_cdr` of eval_ner.py, `eval_chemprot` of eval_rel.py (its global `all_labels` emptied before
each run), `eval_hoc`, `eval_sts` and `eval_mednli`, each with the two files that `as_file` writes.
"""

from pathlib import Path

import msgspec

Printed = list[list[str]] | str
"""The cells of each line; or the error."""

ORIGINALS = msgspec.json.decode(
    (Path(__file__).parent / "data" / "blue_originals.json").read_bytes(),
    type=dict[str, dict[str, Printed]],
)
