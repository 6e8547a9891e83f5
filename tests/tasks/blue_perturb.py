"""Files of answers in BLUE's own formats, made from gold by rule, so that anybody can make them.

Gold rows come from the corpora (`GOLDS`); each perturbation takes them and returns the rows of a
prediction. `as_file` writes either as BLUE's scripts read them. Nothing is drawn at random: what is
changed follows from a row's running number.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bluered.corpora import documents, load
from bluered.corpora.catalog import task
from bluered.documents.examples import LabelledText, TextPair

Row = dict[str, Any]
Rows = list[Row]
Perturbation = Callable[[Rows], Rows]


def bc5cdr(kind: str) -> Rows:
    """The mentions of one type in each fifth test abstract, as create_cdr_test_gs.py writes them.

    The original compares each with each, which takes a minute for all of them.
    """
    return [
        annotation(f"{d.id}.T{n}", d.id, [(e.start, e.end)], e.text, e.type)
        for d in list(documents("bc5cdr", "test"))[::5]
        for n, e in enumerate(d.entities)
        if e.type == kind
    ]


def annotation(name: str, document: str, spans: list[tuple[int, int]], text: str, kind: str) -> Row:
    places = [{"start": start, "end": end, "text": text} for start, end in spans]
    return {"id": name, "docid": document, "locations": places, "type": kind}


def shareclef() -> Rows:
    """Invented mentions, of one span, of two and of three."""
    rows = []
    for n in range(90):
        spans = [(100 * n + 9 * k, 100 * n + 9 * k + 4) for k in range(1 + n % 3)]
        name = f"0{n // 10:04d}-000000-DISCHARGE_SUMMARY"
        rows.append(annotation(f"T{n}", name, spans, "made-up", "Disease_Disorder"))
    return rows


def chemprot() -> Rows:
    """All pairs of chemical and gene in each tenth test abstract (create_chemprot_test_gs.py)."""
    rows: Rows = []
    for document in sorted(documents("chemprot", "test"), key=lambda d: int(d.id))[::10]:
        labels: dict[tuple[str, str], list[str]] = {}
        for one in document.mention_relations:
            labels.setdefault((one.head, one.tail), []).append(one.type)
        entities = sorted(document.entities, key=lambda e: int(e.id[1:]))
        chemicals = [e.id for e in entities if e.type == "CHEMICAL"]
        genes = [e.id for e in entities if e.type != "CHEMICAL"]
        for pair in ((c, g) for c in chemicals for g in genes):
            rows += [
                relation(f"{document.id}.R{len(rows)}", document.id, *pair, label)
                for label in sorted(labels.get(pair, ["false"]))
            ]
    return rows


def ddi() -> Rows:
    """All pairs of the test part, as create_ddi_test_gs.py writes them."""
    rows = []
    for document in sorted(documents("ddi", "test"), key=lambda d: d.id):
        for one in document.mention_relations:
            label = one.type if one.type.startswith("DDI-") else f"DDI-{one.type}"
            rows.append(relation(one.id, document.id, one.head, one.tail, label))
    return sorted(rows, key=lambda row: row["id"])


def relation(name: str, document: str, first: str, second: str, label: str) -> Row:
    return {"id": name, "docid": document, "arg1": first, "arg2": second, "label": label}


def hoc() -> Rows:
    rows = [one for one in load("hoc", "test") if isinstance(one, LabelledText)]
    return [{"index": one.id, "labels": ",".join(sorted(one.labels or ()))} for one in rows]


def biosses() -> Rows:
    rows = [one for one in load("biosses", "test") if isinstance(one, TextPair)]
    return [{"index": one.id, "score": one.score} for one in rows]


def mednli() -> Rows:
    """Invented labels of 150 pairs."""
    labels = ("entailment", "contradiction", "neutral")
    return [{"index": f"made-up-{n}", "label": labels[n * n % 7 % 3]} for n in range(150)]


GOLDS: dict[str, Callable[[], Rows]] = {
    "bc5cdr-disease": lambda: bc5cdr("Disease"),
    "bc5cdr-chemical": lambda: bc5cdr("Chemical"),
    "shareclef": shareclef,
    "chemprot": chemprot,
    "ddi": ddi,
    "hoc": hoc,
    "biosses": biosses,
    "mednli": mednli,
}
INVENTED = ("shareclef", "mednli")


def every(step: int, change: Callable[[Row, int], Iterable[Row]]) -> Perturbation:
    """Replace each step-th row by what `change` makes of it and its number."""

    def perturbed(rows: Rows) -> Rows:
        return [
            new
            for number, row in enumerate(rows)
            for new in (change(row, number) if number % step == step - 1 else [row])
        ]

    return perturbed


def drop(row: Row, number: int) -> Iterator[Row]:
    yield from ()


def double(row: Row, number: int) -> Iterator[Row]:
    yield from (row, row)


def backwards(rows: Rows) -> Rows:
    return rows[::-1]


def neighbours(rows: Rows) -> Rows:
    """Exchange the last two of each eleven rows."""
    rows = list(rows)
    for number in range(10, len(rows), 11):
        rows[number - 1], rows[number] = rows[number], rows[number - 1]
    return rows


def both(*changes: Perturbation) -> Perturbation:
    def perturbed(rows: Rows) -> Rows:
        for change in changes:
            rows = change(rows)
        return rows

    return perturbed


ANY: dict[str, Perturbation] = {
    "gold": lambda rows: rows,
    "dropped": every(7, drop),
    "first_half": lambda rows: rows[: len(rows) // 2],
    "duplicated": every(9, double),
    "backwards": backwards,
    "neighbours_exchanged": neighbours,
}


def moved(row: Row, number: int) -> Iterator[Row]:
    """Move the last end by one character."""
    *first, last = row["locations"]
    yield {**row, "locations": [*first, {**last, "end": last["end"] + 1}]}


def with_false_copies(row: Row, number: int) -> Iterator[Row]:
    """Keep the mention and add a wrong one, twice for every other."""
    yield row
    for _ in range(1 + number % 2):
        yield from moved(row, number)


ENTITIES = ANY | {
    "moved": every(4, moved),
    "right_ones_tripled": every(5, lambda row, _: [row, row, row]),
    "spurious": every(3, with_false_copies),
    "unknown_documents": every(8, lambda row, n: [row, {**row, "docid": f"unknown-{n}"}]),
    "other_type": every(2, lambda row, _: [{**row, "type": "Other"}]),
    "spans_turned": every(1, lambda row, _: [{**row, "locations": row["locations"][::-1]}]),
    "first_span_only": every(2, lambda row, _: [{**row, "locations": row["locations"][:1]}]),
    "mixture": both(every(4, moved), every(6, drop), every(5, double), every(3, with_false_copies)),
    "empty": lambda rows: [],
}


def labels_of(name: str) -> list[str]:
    entry = task(name).entry
    return [*entry.labels, *([entry.negative] if entry.negative else [])]


def relabelled(name: str, field: str, shift: Callable[[int], int]) -> Callable[[Row, int], Rows]:
    """Give a row the label that stands `shift(number)` behind its own in the task's list."""
    labels = labels_of(name)

    def change(row: Row, number: int) -> Rows:
        place = (labels.index(row[field]) + shift(number)) % len(labels)
        return [{**row, field: labels[place]}]

    return change


def constant(field: str, value: Any) -> Perturbation:
    return every(1, lambda row, _: [{**row, field: value}])


def positives_to(negative: str) -> Callable[[Row, int], Rows]:
    return lambda row, _: [{**row, "label": negative}]


def relations(name: str) -> dict[str, Perturbation]:
    positive, negative = labels_of(name)[0], labels_of(name)[-1]
    one = every(3, relabelled(name, "label", lambda _: 1))
    return ANY | {
        "relabelled": one,
        "relabelled_at_large": every(2, relabelled(name, "label", lambda n: n * n % 5)),
        "half_negative": every(2, positives_to(negative)),
        "spurious": every(4, lambda row, _: [{**row, "label": positive}]),
        "other_argument": every(6, lambda row, _: [{**row, "arg2": "unknown"}]),
        "other_argument_and_relabelled": both(
            every(6, lambda row, _: [{**row, "arg2": "unknown"}]), one
        ),
        "unknown_label": every(10, lambda row, _: [{**row, "label": "made-up"}]),
        "constant_positive": constant("label", positive),
        "constant_negative": constant("label", negative),
    }


def hoc_labels(shift: Callable[[int], int]) -> Callable[[Row, int], Rows]:
    """Give a row one label more, or (a shift of -1) none at all."""
    labels = labels_of("hoc")

    def change(row: Row, number: int) -> Rows:
        if shift(number) < 0:
            return [{**row, "labels": ""}]
        more = {*filter(None, row["labels"].split(",")), labels[shift(number) % len(labels)]}
        return [{**row, "labels": ",".join(sorted(more))}]

    return change


DOCUMENTS = ANY | {
    "one_label_more": every(5, hoc_labels(lambda n: n)),
    "emptied": every(2, hoc_labels(lambda _: -1)),
    "emptied_and_more": both(every(3, hoc_labels(lambda _: -1)), every(7, hoc_labels(lambda n: n))),
    "no_label": every(1, hoc_labels(lambda _: -1)),
    "all_labels": constant("labels", ",".join(labels_of("hoc"))),
    "constant": constant("labels", labels_of("hoc")[-2]),
    "at_large": every(1, hoc_labels(lambda n: n * n)),
}

INFERENCE = ANY | {
    "relabelled": every(3, relabelled("mednli", "label", lambda _: 1)),
    "relabelled_at_large": every(2, relabelled("mednli", "label", lambda n: n * n % 3)),
    "constant": constant("label", "neutral"),
    "two_labels": every(
        1, lambda row, n: [{**row, "label": ("neutral", "entailment")[n % 5 == 0]}]
    ),
}


def scored(change: Callable[[float, int], float | str]) -> Perturbation:
    return every(1, lambda row, n: [{**row, "score": change(row["score"], n)}])


SIMILARITY = ANY | {
    "scaled": scored(lambda score, _: round(score / 4, 3)),
    "rounded": scored(lambda score, _: round(score)),
    "squared": scored(lambda score, _: round(score * score, 2)),
    "turned": scored(lambda score, _: round(5 - score, 2)),
    "noise": scored(lambda score, n: round(score + n * n % 7 / 3, 2)),
    "nothing_to_do_with_it": scored(lambda _, n: n * n % 11),
    "some_missing": scored(lambda score, n: "" if n % 6 == 5 else round(score / 2, 2)),
    "some_not_a_number": scored(lambda score, n: "nan" if n % 8 == 7 else round(score / 3, 2)),
    "constant": scored(lambda *_: 2.5),
    "constant_with_digits": scored(lambda *_: 2.7),
    "constant_zero": scored(lambda *_: 0),
}

PERTURBATIONS: dict[str, dict[str, Perturbation]] = {
    "bc5cdr-disease": ENTITIES,
    "bc5cdr-chemical": ENTITIES,
    "shareclef": ENTITIES,
    "chemprot": relations("chemprot"),
    "ddi": relations("ddi"),
    "hoc": DOCUMENTS,
    "biosses": SIMILARITY,
    "mednli": INFERENCE,
}


def as_file(rows: Rows, header: Iterable[str]) -> str:
    """Return the text of a file: JSONL for annotations (no header), else a table."""
    names = list(header)
    if not names:
        return "".join(json.dumps(row) + "\n" for row in rows)
    lines = [names, *([str(row[name]) for name in names] for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines)


def header(gold: Rows) -> list[str]:
    """Return the columns of a task's files; none for annotations."""
    return [] if "locations" in gold[0] else list(gold[0])
